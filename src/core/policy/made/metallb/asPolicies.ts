// What do the rendered admission policies make of a Service (R4.28)? What their CEL says, for a
// plan: all of it or nothing, and a refusal only of what is newly asked for.
import type { JsonObject } from '../../../model/gate.ts'
import { isRecord, recordAt, textAt } from '../../../model/json.ts'
import { no, type Refusal } from '../../../model/reason.ts'
import { poolNameOf, type Tenant } from '../../../model/tenant.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { contains } from '../../../net/intervals.ts'
import { type Ip, parseIp } from '../../../net/ip.ts'
import { translate } from '../../translate.ts'
import { pooledNetworks } from '../madePool.ts'
import { type Asking, asking, newKey, oldKey, sharingPrefixOf } from './metallbKeys.ts'

type Played = { readonly ok: true; readonly json: JsonObject } | Refusal

/** The world has the Tenants and the Namespaces. */
export function asPolicies(world: ReadonlyWorld, service: JsonObject): Played {
  const tenant = tenantOf(world, service)
  if (tenant === undefined) return { ok: true, json: service }
  const request = requestOf(world, tenant, service)
  // With openPools no policy refuses, and what is another's stays.
  const refusal = tenant.openPools ? undefined : refusalOf(tenant, request)
  return refusal ?? { ok: true, json: mutated(tenant, service, request) }
}

/** As the variables of the policies have it. */
type Request = {
  readonly annotations: JsonObject
  readonly askedPool: string
  /** The tenant's own pool for it; empty where it has none. */
  readonly ownPool: string
  readonly field: string
  readonly askedAddresses: string
  /** One that leads nowhere stays as it is. */
  readonly given: readonly string[]
  readonly key: string
}

function requestOf(world: ReadonlyWorld, tenant: Tenant, service: JsonObject): Request {
  const [annotations, field] = [annotationsOf(service), fieldOf(service)]
  const askedPool = askedUnder(annotations, 'address-pool')
  const own = pooledNetworks(tenant).find(({ name }) =>
    [name, poolNameOf(tenant.name, name)].includes(askedPool),
  )
  const ownPool = own === undefined ? '' : poolNameOf(tenant.name, own.name)
  const askedAddresses = askedUnder(annotations, 'loadBalancerIPs')
  const isIgnored = tenant.requestedAddresses === 'Ignore'
  const addresses = (askedAddresses || field).split(',').map((one) => one.trim())
  const given = addresses
    .filter((one) => one !== '' && !isIgnored)
    .map((one) => givenFor(world, { tenant, name: ownPool }, one))
  const key = askedUnder(annotations, 'allow-shared-ip')
  return { annotations, askedPool, ownPool, field, askedAddresses, given, key }
}

function givenFor(
  world: ReadonlyWorld,
  asked: { readonly tenant: Tenant; readonly name: string },
  text: string,
): string {
  const ip = parseIp(text)
  if (!ip.ok || isOwn(asked.tenant, ip.value)) return text
  const translated = translate(world, { ...asked, asked: [ip.value] })
  const [to] = translated.ok ? translated.addresses : []
  return to === undefined || to === ip.value ? text : to
}

const isOwn = (tenant: Tenant, ip: Ip): boolean =>
  pooledNetworks(tenant).some(({ loadBalancer }) => loadBalancer.some((one) => contains(one, ip)))

/** In the words of the validating policy. */
function refusalOf(tenant: Tenant, request: Request): Refusal | undefined {
  const { askedPool, ownPool, given } = request
  const { name, requestedAddresses } = tenant
  if (askedPool !== '' && ownPool === '') {
    const networks = pooledNetworks(tenant).map((network) => network.name)
    return no(
      'pool-of-another-tenant',
      `tenant ${name} has no pool for ${JSON.stringify(askedPool)}; it has ${networks.join(', ')}`,
    )
  }
  const foreign = given.filter((one) => {
    const ip = parseIp(one)
    return !ip.ok || !isOwn(tenant, ip.value)
  })
  if (foreign.length === 0) return undefined
  const message = `${foreign.join(', ')} is not in the loadBalancer ranges of tenant ${name}`
  if (requestedAddresses !== 'Translate') return no('address-not-in-pool', message)
  const why = `${message} and no translateFrom of the network leads there`
  return no('translation-does-not-fit', why)
}

function mutated(tenant: Tenant, service: JsonObject, request: Request): JsonObject {
  const { annotations, ownPool, field, askedAddresses, given, key } = request
  const isStrict = tenant.requestedAddresses === 'Strict'
  const prefix = sharingPrefixOf(tenant)
  const added: Record<string, string> = {}
  if (ownPool !== '') added[newKey('address-pool')] = ownPool
  if (askedAddresses !== '' && !isStrict) added[newKey('loadBalancerIPs')] = given.join(',')
  // MetalLB reads the newer key first: where somebody wrote both, it says what was judged.
  if (askedAddresses !== '' && isStrict && newKey('loadBalancerIPs') in annotations) {
    added[newKey('loadBalancerIPs')] = askedAddresses
  }
  if (key !== '') added[newKey('allow-shared-ip')] = key.startsWith(prefix) ? key : prefix + key
  const metadata = { ...recordAt(service, 'metadata'), annotations: { ...annotations, ...added } }
  if (askedAddresses !== '' || field === '' || isStrict) return { ...service, metadata }
  const { loadBalancerIP: _, ...spec } = recordAt(service, 'spec')
  const isDropped = tenant.requestedAddresses === 'Ignore'
  const moved = isDropped ? spec : { ...spec, loadBalancerIP: given.join(',') }
  return { ...service, metadata, spec: moved }
}

/** What was there before the policies is not refused for what it said then. */
export function isAskedAnew(service: JsonObject, before: JsonObject | undefined): boolean {
  if (before === undefined || !isBalanced(before)) return true
  const [now, was] = [annotationsOf(service), annotationsOf(before)]
  const keys = asking.flatMap((name) => [newKey(name), oldKey(name)])
  return (
    fieldOf(service) !== fieldOf(before) ||
    keys.some((key) => textAt(now, key) !== textAt(was, key))
  )
}

function tenantOf(world: ReadonlyWorld, service: JsonObject): Tenant | undefined {
  if (textAt(service, 'kind') !== 'Service' || !isBalanced(service)) return undefined
  const { namespace, name } = recordAt(service, 'metadata')
  const of = { key: `${String(namespace)}/${String(name)}`, namespace: String(namespace) }
  const belonging = world.tenantOf(of)
  return belonging.kind === 'tenant' ? world.all('Tenant').get(belonging.name) : undefined
}

const isBalanced = (service: JsonObject): boolean =>
  textAt(recordAt(service, 'spec'), 'type') === 'LoadBalancer'

const fieldOf = (service: JsonObject): string => textAt(recordAt(service, 'spec'), 'loadBalancerIP')

function annotationsOf(service: JsonObject): JsonObject {
  const { annotations } = recordAt(service, 'metadata')
  return isRecord(annotations) ? annotations : {}
}

/** The operators' annotation applies where it has a value. */
const askedUnder = (annotations: JsonObject, name: Asking): string =>
  textAt(annotations, oldKey(name)) || textAt(annotations, newKey(name))
