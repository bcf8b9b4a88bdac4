// What leads to the pods of a Service? A proxy that follows its endpoints as kube-proxy does, and as
// late as it may be: a second behind the API.
import { createSocket, type Socket } from 'node:dgram'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { verbs } from '../kube/cluster.ts'
import { listening } from './kubelet.ts'

const [lateMs, roundMs, serverPort] = [1_000, 100, 5_353]

type Endpoint = {
  readonly addresses: readonly [string]
  readonly conditions: { readonly ready: boolean; readonly serving: boolean }
}
type Proxied = {
  readonly api: Api
  readonly namespace: string
  readonly service: string
  readonly signal: AbortSignal
}

/** Answers the port on which it listens. */
export async function startServiceProxy(proxied: Proxied): Promise<number> {
  const { signal } = proxied
  const front = createSocket('udp4')
  let [backends, at]: [readonly string[], number] = [[], 0]
  const clients = new Map<string, Socket>()
  front.on('message', (question, from) => {
    const key = `${from.address}:${from.port}`
    const known = clients.get(key)
    const socket = known ?? createSocket('udp4')
    if (known === undefined) {
      clients.set(key, socket)
      socket.on('message', (answer) => front.send(answer, from.port, from.address))
      // Nobody listens there: as with kube-proxy the question is lost.
      socket.on('error', () => undefined)
    }
    const backend = backends[at++ % Math.max(1, backends.length)]
    if (backend !== undefined) socket.send(question, serverPort, backend)
  })
  await new Promise<void>((resolve) => front.bind(0, '127.0.0.1', resolve))
  void (async () => {
    while (!signal.aborted) {
      const now = await endpointsOf(proxied).catch(() => undefined)
      void sleep(lateMs).then(() => {
        backends = now ?? backends
      })
      await sleep(roundMs)
    }
    for (const one of [front, ...clients.values()]) one.close()
  })()
  return front.address().port
}

/** Those that are ready; if none is, those that go and still serve. */
async function endpointsOf({ api, namespace, service }: Proxied): Promise<readonly string[]> {
  const group = { group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices', namespace }
  const { items } = await verbs(api, group).list({
    labelSelector: `kubernetes.io/service-name=${service}`,
  })
  const all = items.flatMap((one) => (one as unknown as { endpoints?: Endpoint[] }).endpoints ?? [])
  const ready = all.filter(({ conditions }) => conditions.ready)
  const some = ready.length > 0 ? ready : all.filter(({ conditions }) => conditions.serving)
  return some.map(({ addresses: [ip] }) => listening(ip))
}
