// What becomes of a DNSMasq? Its configuration, an account, pods and a Service, and a status that
// tells where it answers (R13.3, R13.4, R13.6).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { Changed } from '../../model/changed.ts'
import type { JsonObject } from '../../model/gate.ts'
import type { DnsMasq, HostsMap } from '../../model/names/dns.ts'
import { hashOfData, hashOfMaps } from '../../model/names/objectHash.ts'
import { siteName } from '../../model/site.ts'
import type { View } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import type { Write } from '../../model/write.ts'
import type { KeptDecider } from '../decider.ts'
import { dividedOptions, optionLines } from './dnsOptions.ts'
import { madeFromDns } from './madeFromDns.ts'
import { serverAccount } from './serverAccount.ts'
import { type Images, serverDeployment } from './serverDeployment.ts'
import { serverName, serverService } from './serverService.ts'
import { serverStatus } from './serverStatus.ts'
import { withSiteNames } from './siteOptions.ts'

/** As deploy/ names them. */
export const usualImages: Images = { dnsmasq: 'dnsmasq', berth: 'berth' }

/** What is made and not watched is compared with the API from time to time. */
const againInS = 300

export const dnsMasqs = (images: Images): KeptDecider => ({
  name: 'dnsmasqs',
  kind: 'DNSMasq',
  reads: ['DNSMasq', 'ConfigMap', 'Deployment', 'Namespace', 'Service', 'Site', 'Topology'],
  isPrompt: true,
  wakes: woken,
  decide(world, key, now = '') {
    const server = world.all('DNSMasq').get(key)
    if (server === undefined) return { writes: [] }
    if (server.isGoing) return { writes: farewell(server) }
    return { writes: writesFor(world, { server, images, now }), againInS }
  },
})

function woken(changed: Changed, world: ReadonlyWorld): Iterable<string> {
  const servers = [...world.all('DNSMasq').values()]
  const keys = (some: readonly DnsMasq[]) => some.map(({ key }) => key)
  if (changed.type === 'refusal') return keys(servers.filter(({ name }) => name === changed.key))
  if (changed.type !== 'object') return []
  if (changed.kind === 'Site') return keys(servers.filter((one) => one.hasSiteNames))
  if (changed.kind === 'Namespace') {
    return keys(servers.filter((one) => one.namespace === changed.key && hasOtherIds(changed)))
  }
  const [namespace, name] = changed.key.split('/')
  const beside = servers.filter((one) => one.namespace === namespace)
  // How many there are decides which pods a Service selects.
  if (changed.kind === 'DNSMasq') return [changed.key, ...keys(beside)]
  if (changed.kind === 'Topology') return keys(beside.filter((one) => one.topology?.name === name))
  if (changed.kind === 'ConfigMap') return keys(beside.filter((one) => isRead(changed, one)))
  return keys(beside.filter((one) => serverName(one) === name))
}

type Both = { readonly before: View | undefined; readonly after: View | undefined }

const hasOtherIds = (changed: Both): boolean => {
  const [before, after] = [changed.before, changed.after].map(
    (one) => one?.kind === 'Namespace' && one.hasUserIds === true,
  )
  return before !== after
}

const isRead = ({ before, after }: Both, server: DnsMasq): boolean =>
  [before, after].some((one) => one?.kind === 'ConfigMap' && selects(server, one))

const selects = ({ selects: wanted }: DnsMasq, map: HostsMap): boolean =>
  map.selects === wanted.toLowerCase()

/** The ConfigMaps with hosts that it reads, by name (R13.2). */
const hostsOf = (world: ReadonlyWorld, server: DnsMasq): readonly HostsMap[] =>
  [...world.all('ConfigMap').values()]
    .filter((map) => map.namespace === server.namespace && selects(server, map))
    .sort((one, other) => (one.name < other.name ? -1 : 1))

type Subject = { readonly server: DnsMasq; readonly images: Images; readonly now: string }

function writesFor(world: ReadonlyWorld, { server, images, now }: Subject): Write[] {
  const { name, topology: wanted } = server
  const { options } = withSiteNames(server, world.all('Site').get(siteName))
  const content = { [name]: optionLines(options) }
  const own = { name, hash: hashOfData(content) }
  const topology = wanted && world.all('Topology').get(`${wanted.namespace}/${wanted.name}`)
  const { account, role, binding } = serverAccount(server)
  const config = configMap(server, content)
  // What has options that cannot be written keeps those that it has; likewise without its Topology.
  const isReadable = server.unread.length === 0
  const isPlaced = wanted === undefined || topology !== undefined
  const { others } = dividedOptions(content[name] ?? '')
  const hasUserIds = world.all('Namespace').get(server.namespace)?.hasUserIds === true
  const made: Write[] = [
    required(account),
    { ...required(role), ifServed: true },
    { ...required(binding), ifServed: true },
    ...(isReadable ? [required(config)] : []),
    required(serverService(world, server)),
    ...(isReadable && isPlaced
      ? [required(serverDeployment({ server, images, options: others, hasUserIds, topology }))]
      : []),
  ]
  const input = hashOfMaps([own, ...hostsOf(world, server)])
  const objects = { account, role, binding, config }
  const status = serverStatus(world, { server, objects, input, isPlaced, tested: others, now })
  return status === undefined ? made : [...made, status]
}

const required = (object: JsonObject) => ({ type: 'apply', object, isRequired: true }) as const

const configMap = (server: DnsMasq, data: JsonObject): JsonObject =>
  madeFromDns(server, {
    apiVersion: apiVersionOf(apiGroups.core),
    kind: 'ConfigMap',
    name: server.name,
    data,
  })

/** Upstream's; nothing of ours hangs on it. */
const finalizer = 'openstack.org/dnsmasq'

const farewell = ({ kind, name, namespace, finalizers }: DnsMasq): Write[] =>
  finalizers.includes(finalizer)
    ? [{ type: 'unfinalize', of: { kind, name, namespace }, finalizers: [finalizer] }]
    : []
