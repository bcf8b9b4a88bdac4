// The thread that answers: apart from everything else, so that nothing else makes an answer late.
import { parentPort, workerData } from 'node:worker_threads'
import type { Layer2Order, Layer2Setting } from './layer2Messages.ts'
import { Layer2Thread } from './layer2Thread.ts'

/**
 * After the last order of many. V8 collects what they left behind when more is made, and a thread
 * that only answers makes next to nothing. It takes some 25 ms for 3,000 addresses.
 */
const restMs = 60_000

const port = parentPort
if (port !== null) {
  const setting: Layer2Setting = workerData
  const thread = new Layer2Thread(setting, (news) => port.postMessage(news))
  // Node has it only where it is started with --expose-gc.
  const rest = setTimeout(() => globalThis.gc?.({ type: 'major', flavor: 'last-resort' }), restMs)
  port.on('message', (order: Layer2Order) => {
    thread.order(order)
    rest.refresh()
    // Without it nothing keeps the thread.
    if (order.kind === 'stop') {
      clearTimeout(rest)
      port.close()
    }
  })
}
