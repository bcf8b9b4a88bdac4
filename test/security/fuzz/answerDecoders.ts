// Which decoders read what an API server answers? It may be a proxy, or nobody that we know.
import { Fault } from '../../../src/edge/kube/api/fault.ts'
import { AnswerReader } from '../../../src/edge/kube/api/http/answerReader.ts'
import { linesOf } from '../../../src/edge/kube/api/lines.ts'
import { ListText } from '../../../src/edge/kube/api/listText.ts'
import { watch } from '../../../src/edge/kube/api/watch.ts'
import { decode } from '../../../src/edge/kube/decode/decode.ts'
import { type Decoder, octetsOf } from './damage.ts'

/** A Fault is how a bad answer is refused. */
function orRefused<T>(work: () => T, refused: T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Fault) return refused
    throw error
  }
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'
const answers = [
  `${ok}Content-Length: 5\r\n\r\nhello`,
  `${ok}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n00A;x="y"\r\n, nice day\r\n0\r\nX: y\r\n\r\n`,
  `HTTP/1.1 100 Continue\r\n\r\n${ok}Connection: close\r\n\r\nhello`,
  'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n',
]

/** In two pieces, cut where the last octet says. */
function readAnswer(bytes: Uint8Array): boolean {
  return orRefused(() => {
    let heads = 0
    const reader = new AnswerReader({
      head: ({ values }) => {
        heads += 1
        values('content-type')
      },
      body: () => undefined,
    })
    const middle = (bytes.at(-1) ?? 0) % (bytes.length + 1)
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    for (const piece of [all.subarray(0, middle), all.subarray(middle)]) reader.take(piece)
    reader.close()
    return heads === 1
  }, false)
}

const metadata = { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7' }
const spec = {
  type: 'LoadBalancer',
  ports: [{ port: 80, protocol: 'TCP' }],
  clusterIPs: ['10.0.0.1'],
}
const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } }
const service = { apiVersion: 'v1', kind: 'Service', metadata, spec, status }
const list = (items: readonly unknown[]): object => ({
  ...{ kind: 'ServiceList', apiVersion: 'v1', metadata: { resourceVersion: '7', continue: '' } },
  items,
})

function readList(bytes: Uint8Array): boolean {
  return orRefused(() => {
    const list = new ListText('GET /')
    let count = 0
    for (const json of list.take(Buffer.from(bytes))) {
      decode(json)
      count += 1
    }
    list.end()
    return count > 0
  }, false)
}

const events = [
  `${JSON.stringify({ type: 'ADDED', object: service })}\n`,
  `${JSON.stringify({ type: 'DELETED', object: service })}\n`,
  '{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"8"}}}\n',
  '{"type":"ERROR","object":{"kind":"Status","code":410,"message":"too old"}}\n',
]
const empty = [Buffer.from(JSON.stringify(list([])))]

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** The events of one watch, until it breaks off or the server ends it. */
async function readEvents(bytes: Uint8Array): Promise<boolean> {
  const stop = new AbortController()
  const clock = { nowMs: () => 0, sleep: async () => stop.abort() }
  const api = {
    call: async () => empty,
    stream: () => linesOf(once(bytes), 4096),
    close: () => undefined,
  }
  const resource = { group: '', version: 'v1', plural: 'services' }
  let read = 0
  for await (const step of watch(api, resource, { signal: stop.signal, clock, random: () => 0 })) {
    if (step.type !== 'apply' && step.type !== 'delete') continue
    decode(step.json)
    read += 1
  }
  return read > 0
}

export const answerDecoders: readonly Decoder[] = [
  {
    name: "the API server's HTTP",
    templates: answers.map(octetsOf),
    words: ['\r\n', '\r\n\r\n', '0\r\n', 'ffffffffffff\r\n', 'Content-Length: ', 'chunked', '\t'],
    read: readAnswer,
  },
  {
    name: 'a list',
    templates: [list([service, service]), list([])].map((one) => octetsOf(JSON.stringify(one))),
    words: ['"items":[', '[', ']', '{', '}', ',', '\\"', '"'],
    read: readList,
  },
  {
    name: 'events of a watch',
    templates: [...events, events.join('')].map(octetsOf),
    words: ['\n', '{"type":"ADDED","object":', '"resourceVersion":"9"', 'null', '[]'],
    read: readEvents,
  },
]
