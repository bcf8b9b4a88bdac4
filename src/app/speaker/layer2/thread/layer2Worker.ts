// The answering thread: separate from everything else, so that nothing delays an answer.
import { parentPort, workerData } from 'node:worker_threads'
import type { Layer2Order, Layer2Setting } from './layer2Messages.ts'
import { Layer2Thread } from './layer2Thread.ts'

const port = parentPort
if (port !== null) {
  const setting: Layer2Setting = workerData
  const thread = new Layer2Thread(setting, (news) => port.postMessage(news))
  port.on('message', (order: Layer2Order) => {
    thread.order(order)
    // The open port is what keeps the thread alive.
    if (order.kind === 'stop') port.close()
  })
}
