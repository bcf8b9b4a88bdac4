// Stands in for MetalLB's controller and speaker: what a client and the API see of them, by the
// documents. The speaker answers by the election formula, with memberlist or without it (M5.3, M5.6),
// and has BGP sessions where there are peers; the controller gives the lowest free address.
import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { startThread } from '../../src/app/speaker/layer2/thread/startThread.ts'
import { monotonicMs } from '../../src/app/speaker/monotonic.ts'
import { type Ip, parseIp } from '../../src/core/net/ip.ts'
import { electionOrder } from '../../src/core/policy/announce/elect.ts'
import { newApi } from '../../src/edge/kube/api/client.ts'
import { readConnection } from '../../src/edge/kube/api/connection.ts'
import { isNotFound } from '../../src/edge/kube/api/notFound.ts'
import { yamlOrFault } from '../../src/edge/manifests/parseYaml.ts'
import { type Peer, StandInBgp } from './standInBgp.ts'
import { readConfigured } from './standInPools.ts'
import { standInWebhook } from './standInWebhook.ts'

type Meta = {
  readonly name: string
  readonly namespace: string
  readonly labels?: Record<string, string>
  readonly annotations?: Record<string, string>
}
type Service = {
  readonly metadata: Meta
  readonly spec: { readonly type: string }
  readonly status: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip: string }[] }
  }
}
type Pod = {
  readonly metadata: Meta & { readonly deletionTimestamp?: string }
  readonly spec: { readonly nodeName?: string }
  readonly status: { readonly phase?: string }
}

const {
  KUBECONFIG = '',
  METALLB_NODE_NAME: self = '',
  METALLB_NAMESPACE: namespace = '',
} = process.env
const hasMemberlist = (process.env['METALLB_ML_LABELS'] ?? '') !== ''
const excludeLabel = 'node.kubernetes.io/exclude-from-external-load-balancers'
const connection = await readConnection({
  kubeconfig: KUBECONFIG,
  env: {},
  home: '/',
  parseYaml: yamlOrFault,
})
const api = newApi(connection)
const list = async <T>(path: string): Promise<readonly T[]> =>
  ((await api.call({ method: 'GET', path })) as { readonly items: readonly T[] }).items
const merge = 'application/merge-patch+json'
const addressesOf = ({ status }: Service): readonly string[] =>
  (status.loadBalancer?.ingress ?? []).map(({ ip }) => ip)
const ipOf = (text: string): Ip => {
  const ip = parseIp(text)
  if (!ip.ok) throw new Error(ip.why)
  return ip.value
}

let isReady = false
createServer((_, response) => response.writeHead(isReady ? 200 : 503).end()).listen(17_472)

async function forEver(round: () => Promise<void>): Promise<never> {
  for (;;) {
    await round()
      .then(() => {
        isReady = true
      })
      .catch((error: unknown) => process.stdout.write(`${String(error)}\n`))
    await sleep(100)
  }
}

async function assign(): Promise<void> {
  const services = (await list<Service>('/api/v1/services')).filter(
    ({ spec }) => spec.type === 'LoadBalancer',
  )
  const held = new Set(services.flatMap(addressesOf))
  const { pools } = await configured()
  for (const service of services.filter((one) => addressesOf(one).length === 0)) {
    const ip = pools.free(service.metadata.annotations?.['metallb.io/address-pool'], held)
    if (ip === undefined) continue
    held.add(ip)
    const { name, namespace: of } = service.metadata
    const path = `/api/v1/namespaces/${of}/services/${name}/status`
    const body = { status: { loadBalancer: { ingress: [{ ip }] } } }
    await api.call({ method: 'PATCH', path, contentType: merge, body })
  }
}

const metallb = `/apis/metallb.io/v1beta1/namespaces/${namespace}`
const statuses = `${metallb}/servicel2statuses`
const announced = new Map<string, Ip>()
const routed = new Set<string>()
/** What it does not report any more, until the API has been told. */
const unsaid = new Set<string>()
const configured = readConfigured(list, metallb)

async function speak(layer2: ReturnType<typeof startThread>, bgp: StandInBgp): Promise<void> {
  const [services, nodes, pods] = await Promise.all([
    list<Service>('/api/v1/services'),
    list<{ readonly metadata: Meta }>('/api/v1/nodes'),
    list<Pod>(`/api/v1/namespaces/${namespace}/pods`),
  ])
  const { pools, onLayer2, byBgp } = await configured()
  const members = new Set(
    pods
      .filter(isSpeaker)
      .filter(({ metadata, status }) => status.phase === 'Running' && !metadata.deletionTimestamp)
      .map(({ spec }) => spec.nodeName ?? ''),
  )
  const candidates = nodes
    .filter(({ metadata }) => metadata.labels?.[excludeLabel] === undefined)
    .map(({ metadata }) => metadata.name)
    .filter((node) => !hasMemberlist || members.has(node))
  const wanted = new Map<string, Ip>()
  const routes = new Map<string, Ip>()
  for (const service of services) {
    const [text] = addressesOf(service)
    if (service.spec.type !== 'LoadBalancer' || text === undefined) continue
    const ip = ipOf(text)
    const isHere = candidates.includes(self) && pools.isAnnounced(ip, byBgp)
    if (isHere) routes.set(keyOf(service), ip)
    if (!pools.isAnnounced(ip, onLayer2)) continue
    const [winner] = electionOrder({ ip, nodes: candidates, scoreOf: () => 0 })
    if (winner === self) wanted.set(keyOf(service), ip)
  }
  await route(bgp, routes)
  for (const [key, ip] of announced) if (wanted.get(key) !== ip) withdraw(layer2, key, ip)
  for (const [key, ip] of wanted) if (!announced.has(key)) await announce(layer2, key, ip)
  for (const path of unsaid) await unsay(path)
}

/** While the API is away it stays to be done, as MetalLB's would try again. */
async function unsay(path: string): Promise<void> {
  try {
    await api.call({ method: 'DELETE', path })
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  unsaid.delete(path)
}

const keyOf = ({ metadata }: Service): string => `${metadata.namespace}/${metadata.name}`
const isSpeaker = ({ metadata: { labels = {} } }: Pod): boolean =>
  [labels['component'], labels['app.kubernetes.io/component']].includes('speaker')

async function route(bgp: StandInBgp, routes: ReadonlyMap<string, Ip>): Promise<void> {
  // A peer matters only to what is routed.
  if (routes.size === 0 && routed.size === 0) return
  const peers = await list<Peer>(`/apis/metallb.io/v1beta2/namespaces/${namespace}/bgppeers`)
  bgp.announce(peers, new Set(routes.values()))
  const said = `${metallb}/servicebgpstatuses`
  for (const key of routed) {
    if (routes.has(key)) continue
    unsaid.add(`${said}/${nameOf('bgp', key)}`)
    routed.delete(key)
  }
  for (const key of routes.keys()) {
    if (routed.has(key)) continue
    await tell(
      said,
      { kind: 'ServiceBGPStatus', name: nameOf('bgp', key), key },
      {
        peers: peers.map(({ metadata }) => metadata.name),
      },
    )
    routed.add(key)
  }
}

/**
 * Of one that was killed here, or of Berth's speaker, which announced while this one was away: MetalLB's
 * leaves none about its node but its own.
 */
async function clearOthers(): Promise<void> {
  const label = encodeURIComponent(`metallb.io/node=${self}`)
  const own = new Set([
    ...[...announced.keys()].map((key) => nameOf('l2', key)),
    ...[...routed].map((key) => nameOf('bgp', key)),
  ])
  for (const all of [statuses, `${metallb}/servicebgpstatuses`]) {
    for (const { metadata } of await list<Json>(`${all}?labelSelector=${label}`)) {
      if (!own.has(metadata.name)) unsaid.add(`${all}/${metadata.name}`)
    }
  }
}

const nameOf = (by: 'l2' | 'bgp', key: string): string => `${by}-${self}-${key.replace('/', '-')}`

function withdraw(layer2: ReturnType<typeof startThread>, key: string, ip: Ip): void {
  layer2.withdraw([ip])
  announced.delete(key)
  unsaid.add(`${statuses}/${nameOf('l2', key)}`)
}

async function announce(
  layer2: ReturnType<typeof startThread>,
  key: string,
  ip: Ip,
): Promise<void> {
  layer2.announce([
    { address: ip, interfaces: ['eth0'], start: 'burst', shouldAnnounceAnyway: true },
  ])
  announced.set(key, ip)
  const object = { kind: 'ServiceL2Status', name: nameOf('l2', key), key }
  await tell(statuses, object, { interfaces: [{ name: 'eth0' }] })
}

type Json = { readonly metadata: Meta }
/** Rounds. */
const clearEvery = 10

type Told = { readonly kind: string; readonly name: string; readonly key: string }

async function tell(path: string, { kind, name, key }: Told, more: object): Promise<void> {
  const [serviceNamespace = '', serviceName = ''] = key.split('/')
  const labels = {
    'metallb.io/node': self,
    'metallb.io/service-name': serviceName,
    'metallb.io/service-namespace': serviceNamespace,
  }
  unsaid.delete(`${path}/${name}`)
  const type = { apiVersion: 'metallb.io/v1beta1', kind }
  const body = { ...type, metadata: { name, namespace, labels } }
  await api.call({ method: 'POST', path, body }).catch(() => undefined)
  const status = { node: self, serviceName, serviceNamespace, ...more }
  await api.call({
    method: 'PATCH',
    path: `${path}/${name}/status`,
    contentType: merge,
    body: { status },
  })
}

process.on('SIGTERM', () => process.exit(0))
if (process.argv[2] === 'controller') {
  let inject: (() => Promise<void>) | undefined
  await forEver(async () => {
    inject ??= await standInWebhook(api, namespace)
    await inject()
    await assign()
  })
} else {
  const layer2 = startThread({ excluded: /^(lo|mgmt0)$/, tell: () => undefined })
  setInterval(() => layer2.extend(monotonicMs() + 3_000), 40)
  const [own] = (networkInterfaces()['eth0'] ?? []).filter(({ family }) => family === 'IPv4')
  const bgp = new StandInBgp(ipOf(own?.address ?? ''))
  let rounds = 0
  await forEver(async () => {
    if (rounds++ % clearEvery === 0) await clearOthers()
    await speak(layer2, bgp)
  })
}
