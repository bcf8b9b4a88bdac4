// Stands in for MetalLB's controller and speaker: what a client and the API see of them, by the
// documents. The speaker answers by the election formula, with memberlist or without it (M5.3, M5.6);
// the controller gives the lowest free address.
import { createServer } from 'node:http'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { startThread } from '../../src/app/speaker/layer2/thread/startThread.ts'
import { monotonicMs } from '../../src/app/speaker/monotonic.ts'
import { type Ip, parseIp } from '../../src/core/net/ip.ts'
import { electionOrder } from '../../src/core/policy/announce/elect.ts'
import { newApi } from '../../src/edge/kube/api/client.ts'
import { readConnection } from '../../src/edge/kube/api/connection.ts'
import { yamlOrFault } from '../../src/edge/manifests/parseYaml.ts'

type Meta = {
  readonly name: string
  readonly namespace: string
  readonly labels?: Record<string, string>
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
  for (const service of services.filter((one) => addressesOf(one).length === 0)) {
    const ip = Array.from({ length: 250 }, (_, at) => `10.10.100.${at + 1}`).find(
      (one) => !held.has(one),
    )
    if (ip === undefined) continue
    held.add(ip)
    const { name, namespace: of } = service.metadata
    const path = `/api/v1/namespaces/${of}/services/${name}/status`
    const body = { status: { loadBalancer: { ingress: [{ ip }] } } }
    await api.call({ method: 'PATCH', path, contentType: merge, body })
  }
}

const statuses = `/apis/metallb.io/v1beta1/namespaces/${namespace}/servicel2statuses`
const announced = new Map<string, Ip>()

async function speak(layer2: ReturnType<typeof startThread>): Promise<void> {
  const [services, nodes, pods] = await Promise.all([
    list<Service>('/api/v1/services'),
    list<{ readonly metadata: Meta }>('/api/v1/nodes'),
    list<Pod>(`/api/v1/namespaces/${namespace}/pods`),
  ])
  const members = new Set(
    pods
      .filter(({ metadata }) => metadata.labels?.['component'] === 'speaker')
      .filter(({ metadata, status }) => status.phase === 'Running' && !metadata.deletionTimestamp)
      .map(({ spec }) => spec.nodeName ?? ''),
  )
  const candidates = nodes
    .filter(({ metadata }) => metadata.labels?.[excludeLabel] === undefined)
    .map(({ metadata }) => metadata.name)
    .filter((node) => !hasMemberlist || members.has(node))
  const wanted = new Map<string, Ip>()
  for (const service of services) {
    const [text] = addressesOf(service)
    if (service.spec.type !== 'LoadBalancer' || text === undefined) continue
    const ip = ipOf(text)
    const [winner] = electionOrder({ ip, nodes: candidates, scoreOf: () => 0 })
    if (winner === self) wanted.set(`${service.metadata.namespace}/${service.metadata.name}`, ip)
  }
  for (const [key, ip] of announced) if (wanted.get(key) !== ip) await withdraw(layer2, key, ip)
  for (const [key, ip] of wanted) if (!announced.has(key)) await announce(layer2, key, ip)
}

/** Of one that was killed here: MetalLB's speaker clears what its node does not announce, too. */
async function clearLeftBehind(): Promise<void> {
  const label = encodeURIComponent(`metallb.io/node=${self}`)
  for (const { metadata } of await list<{ readonly metadata: Meta }>(
    `${statuses}?labelSelector=${label}`,
  )) {
    await api.call({ method: 'DELETE', path: `${statuses}/${metadata.name}` })
  }
}

const nameOf = (key: string): string => `l2-${self}-${key.replace('/', '-')}`

async function withdraw(
  layer2: ReturnType<typeof startThread>,
  key: string,
  ip: Ip,
): Promise<void> {
  layer2.withdraw([ip])
  announced.delete(key)
  await api.call({ method: 'DELETE', path: `${statuses}/${nameOf(key)}` }).catch(() => undefined)
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
  const [serviceNamespace = '', serviceName = ''] = key.split('/')
  const labels = {
    'metallb.io/node': self,
    'metallb.io/service-name': serviceName,
    'metallb.io/service-namespace': serviceNamespace,
  }
  const type = { apiVersion: 'metallb.io/v1beta1', kind: 'ServiceL2Status' }
  const name = nameOf(key)
  const body = { ...type, metadata: { name, namespace, labels } }
  await api.call({ method: 'POST', path: statuses, body }).catch(() => undefined)
  const status = { node: self, serviceName, serviceNamespace, interfaces: [{ name: 'eth0' }] }
  await api.call({
    method: 'PATCH',
    path: `${statuses}/${name}/status`,
    contentType: merge,
    body: { status },
  })
}

process.on('SIGTERM', () => process.exit(0))
if (process.argv[2] === 'controller') await forEver(assign)
else {
  const layer2 = startThread({ excluded: /^(lo|mgmt0)$/, tell: () => undefined })
  setInterval(() => layer2.extend(monotonicMs() + 3_000), 40)
  let isCleared = false
  await forEver(async () => {
    if (!isCleared) await clearLeftBehind()
    isCleared = true
    await speak(layer2)
  })
}
