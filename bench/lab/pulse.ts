// What does a client notice? It sends to the echo of a Service every 10 ms and reports which node
// answers, and how long none did. Runs in the client.
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

export type Beat =
  | { readonly kind: 'first'; readonly node: string }
  /** Another node answers; `gapMs` is the time since the last answer of the previous one. */
  | { readonly kind: 'moved'; readonly node: string; readonly from: string; readonly gapMs: number }
  /** The same node answers again after a pause. */
  | { readonly kind: 'pause'; readonly node: string; readonly gapMs: number }

const everyMs = 10
const pauseMs = 100

const address = process.argv[2] ?? ''
const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
const tell = (beat: Beat): void => void process.stdout.write(`${JSON.stringify(beat)}\n`)
let [node, lastMs, sent] = ['', 0, 0]

socket.on('message', (bytes) => {
  const [, from = ''] = bytes.toString().split(' ')
  const nowMs = performance.now()
  const gapMs = nowMs - lastMs
  if (node === '') tell({ kind: 'first', node: from })
  else if (from !== node) tell({ kind: 'moved', node: from, from: node, gapMs })
  else if (gapMs > pauseMs) tell({ kind: 'pause', node, gapMs })
  ;[node, lastMs] = [from, nowMs]
})
// No answer for a while is what this measures.
socket.on('error', () => undefined)

const startMs = performance.now()
function beat(): void {
  while (startMs + sent * everyMs <= performance.now()) {
    sent += 1
    socket.send(String(sent), 7, address, () => undefined)
  }
  setTimeout(beat, Math.max(1, startMs + sent * everyMs - performance.now()))
}
beat()
