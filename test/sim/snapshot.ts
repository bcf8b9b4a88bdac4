// What do the objects of the API say, read without any of the code that decides?
import { type Json, recordAt, textAt } from '../../src/core/model/json.ts'
import type { Cluster } from '../../src/core/sim/cluster.ts'

export type SeenService = {
  readonly key: string
  readonly uid: string
  readonly ips: readonly string[]
  /** Only Services of our class are ours; what others have is not checked. */
  readonly isOurs: boolean
  readonly sharingKey: string
  /** The selector under a Local policy, else empty: sharers must agree on it (M3.4). */
  readonly backend: string
  readonly ports: readonly string[]
  readonly pool: string
  readonly whose: Owner
}
/** The tenant's name, empty for none; undefined where two tenants' selectors match (R4.2). */
export type Owner = string | undefined

export type SeenPool = {
  readonly name: string
  readonly tenant: string
  readonly assigned: number
}
export type SeenTenant = {
  readonly name: string
  readonly quota: number
  readonly openPools: boolean
  readonly used: number
}
export type SeenAddress = {
  readonly ip: string
  readonly isOurs: boolean
  readonly isReserved: boolean
  readonly holders: readonly string[]
}
export type Snapshot = {
  readonly services: ReadonlyMap<string, SeenService>
  readonly pools: ReadonlyMap<string, SeenPool>
  readonly tenants: ReadonlyMap<string, SeenTenant>
  readonly addresses: ReadonlyMap<string, SeenAddress>
  /** Every object with its resourceVersion. */
  readonly versions: ReadonlyMap<string, string>
}

export function snapshotOf(cluster: Cluster): Snapshot {
  const objects = cluster.ids().flatMap((id): Json[] => {
    const json = cluster.get(id)
    return json === undefined ? [] : [json]
  })
  const of = (kind: string) => objects.filter((json) => json['kind'] === kind)
  const named = <T>(items: readonly T[], key: (item: T) => string) =>
    new Map(items.map((item) => [key(item), item]))
  const whose = (service: Json) => ownerOf(service, of('Tenant'), of('Namespace'))
  return {
    services: named(
      of('Service').map((json) => serviceOf(json, whose(json))),
      ({ key }) => key,
    ),
    pools: named(of('IPAddressPool').map(poolOf), ({ name }) => name),
    tenants: named(of('Tenant').map(tenantOf), ({ name }) => name),
    addresses: named(of('Address').map(addressOf), ({ ip }) => ip),
    versions: new Map(cluster.ids().map((id) => [id, versionOf(cluster.get(id))])),
  }
}

const meta = (json: unknown): Json => recordAt(json, 'metadata')
const nameOf = (json: unknown): string => textAt(meta(json), 'name')
const keyOf = (json: Json): string => `${textAt(meta(json), 'namespace')}/${nameOf(json)}`
const versionOf = (json: Json | undefined): string => textAt(meta(json), 'resourceVersion')
const listAt = (json: unknown, key: string): unknown[] => {
  const list = typeof json === 'object' && json !== null ? (json as Json)[key] : undefined
  return Array.isArray(list) ? list : []
}
const numberAt = (json: unknown, key: string): number => Number((json as Json)[key] ?? 0)

function serviceOf(json: Json, whose: Owner): SeenService {
  const spec = recordAt(json, 'spec')
  const annotations = recordAt(meta(json), 'annotations')
  const isLocal = textAt(spec, 'externalTrafficPolicy') === 'Local'
  const loadBalancer = recordAt(recordAt(json, 'status'), 'loadBalancer')
  return {
    key: keyOf(json),
    uid: textAt(meta(json), 'uid'),
    ips: listAt(loadBalancer, 'ingress').map((entry) => textAt(entry, 'ip')),
    isOurs: textAt(spec, 'type') === 'LoadBalancer' && textAt(spec, 'loadBalancerClass') === '',
    sharingKey: textAt(annotations, 'metallb.io/allow-shared-ip'),
    backend: isLocal ? JSON.stringify(spec['selector']) : '',
    ports: listAt(spec, 'ports').map(
      (port) => `${textAt(port, 'protocol')}/${numberAt(port, 'port')}`,
    ),
    pool: textAt(annotations, 'metallb.io/ip-allocated-from-pool'),
    whose,
  }
}

function poolOf(json: Json): SeenPool {
  const status = recordAt(json, 'status')
  return {
    name: nameOf(json),
    tenant: textAt(recordAt(meta(json), 'labels'), 'berth.dev/tenant'),
    assigned: numberAt(status, 'assignedIPv4') + numberAt(status, 'assignedIPv6'),
  }
}

function tenantOf(json: Json): SeenTenant {
  const spec = recordAt(json, 'spec')
  const quota = recordAt(spec, 'quota')['addresses']
  return {
    name: nameOf(json),
    quota: typeof quota === 'number' ? quota : Number.POSITIVE_INFINITY,
    openPools: spec['openPools'] === true,
    used: numberAt(recordAt(recordAt(json, 'status'), 'addresses'), 'used'),
  }
}

function addressOf(json: Json): SeenAddress {
  const spec = recordAt(json, 'spec')
  const labels = recordAt(meta(json), 'labels')
  return {
    ip: textAt(spec, 'address'),
    isOurs: textAt(labels, 'app.kubernetes.io/managed-by') === 'berth',
    isReserved: spec['reservedFor'] !== undefined,
    holders: listAt(spec, 'holders').map(
      (holder) => `${keyOfHolder(holder)} ${textAt(holder, 'uid')}`,
    ),
  }
}

const keyOfHolder = (holder: unknown): string =>
  `${textAt(holder, 'namespace')}/${textAt(holder, 'name')}`

/** R4.1: the tenant that lists the Service, else the namespace by name, else by selector. */
function ownerOf(service: Json, tenants: readonly Json[], spaces: readonly Json[]): Owner {
  const namespace = textAt(meta(service), 'namespace')
  const lists = (tenant: Json) =>
    listAt(recordAt(tenant, 'spec'), 'services').some((one) => keyOfHolder(one) === keyOf(service))
  const names = (tenant: Json) =>
    listAt(recordAt(recordAt(tenant, 'spec'), 'namespaces'), 'names').includes(namespace)
  const space = spaces.find((one) => nameOf(one) === namespace)
  const labels = recordAt(meta(space), 'labels')
  const selects = (tenant: Json) => {
    const spaces = recordAt(recordAt(tenant, 'spec'), 'namespaces')
    return 'selector' in spaces && selectorMatches(recordAt(spaces, 'selector'), labels)
  }
  for (const belongs of [lists, names]) {
    const owner = tenants.find(belongs)
    if (owner !== undefined) return nameOf(owner)
  }
  const selecting = tenants.filter(selects).map(nameOf)
  return selecting.length > 1 ? undefined : (selecting[0] ?? '')
}

/** The random town uses matchLabels, In and NotIn. */
function selectorMatches(selector: Json, labels: Json): boolean {
  const { matchLabels } = selector
  const equal = Object.entries((matchLabels as Json | undefined) ?? {})
  return (
    equal.every(([key, value]) => labels[key] === value) &&
    listAt(selector, 'matchExpressions').every((one) => {
      const isIn = listAt(one, 'values').includes(labels[textAt(one, 'key')])
      return textAt(one, 'operator') === 'In' ? isIn : !isIn
    })
  )
}
