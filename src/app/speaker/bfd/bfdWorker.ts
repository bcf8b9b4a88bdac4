// The BFD thread: separate from everything else, so that nothing delays a packet.
import { parentPort } from 'node:worker_threads'
import type { BfdOrder } from './bfdMessages.ts'
import { BfdThread } from './bfdThread.ts'

const port = parentPort
if (port !== null) {
  const thread = new BfdThread((news) => port.postMessage(news))
  // One after the other: a session that begins anew needs the port of the one that ends.
  let done = Promise.resolve()
  port.on('message', (order: BfdOrder) => {
    done = done.then(() => thread.order(order))
    // The open port is what keeps the thread alive.
    if (order.kind === 'stop') void done.then(() => port.close())
  })
}
