// Which Services would be there that are not? Those that OpenStack's operators would make from the
// control planes; a Service that is there counts instead.
import { apiGroups, apiVersionOf } from '../model/apiGroups.ts'
import type { PlannedService } from '../model/controlPlane.ts'
import type { JsonObject } from '../model/gate.ts'
import { recordAt } from '../model/json.ts'
import { isSame } from '../model/sameView.ts'
import { objectOf } from '../model/view.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { type Family, familyOf, parseIp } from '../net/ip.ts'
import type { Cluster } from './cluster.ts'

type Plan = {
  /** The control plane that asks for it. */
  readonly by: string
  readonly service: PlannedService
  /** Whether such a Service was there without us. */
  readonly isThere: boolean
}
/** By Service/namespace/name. */
export type PlannedServices = ReadonlyMap<string, Plan>

/**
 * Puts them into the cluster and settles it. `before` is what an earlier call put there; what
 * `isGiven` says was written by somebody since is left as it is.
 */
export function planServices(
  cluster: Cluster,
  before: PlannedServices = new Map(),
  isGiven: (id: string) => boolean = () => false,
): PlannedServices {
  cluster.settle()
  const plans = new Map<string, Plan>()
  for (const [id, { by, service }] of wantedIn(cluster.world)) {
    const earlier = before.get(id)
    const there = cluster.get(id)
    const isOurs = there === undefined || (earlier?.isThere === false && !isGiven(id))
    plans.set(id, { by, service, isThere: !isOurs })
    if (isOurs) cluster.apply(manifestOf(service, cluster.world))
    else if (earlier !== undefined && !isGiven(id) && !isSame(earlier.service, service)) {
      cluster.apply(patched(there ?? {}, service))
    }
  }
  for (const [id, { isThere }] of before) {
    if (!isThere && !plans.has(id) && !isGiven(id)) cluster.delete(id)
  }
  cluster.settle()
  return plans
}

/** In order of the control planes' names; what two of them ask for is the first one's. */
function wantedIn(world: ReadonlyWorld): ReadonlyMap<string, Omit<Plan, 'isThere'>> {
  const wanted = new Map<string, Omit<Plan, 'isThere'>>()
  const planes = [...world.all('OpenStackControlPlane').values()]
  for (const plane of planes.sort((one, other) => (one.key < other.key ? -1 : 1))) {
    for (const service of plane.services) {
      const id = `Service/${service.namespace}/${service.name}`
      if (!wanted.has(id)) wanted.set(id, { by: objectOf(plane), service })
    }
  }
  return wanted
}

/** With pods on every Node: where they would run nobody knows, and any Node may announce. */
function manifestOf(service: PlannedService, world: ReadonlyWorld): JsonObject {
  const { name, namespace, labels, annotations, spec, ports } = service
  const ipFamilies = familiesOf(world, service)
  const nodes = [...world.all('Node').keys()].sort().join()
  const standIn = nodes === '' ? {} : { 'berth.dev/endpoints': nodes }
  return {
    apiVersion: apiVersionOf(apiGroups.core),
    kind: 'Service',
    metadata: { name, namespace, labels, annotations: { ...annotations, ...standIn } },
    spec: {
      ...spec,
      ...(ipFamilies.length === 0 ? {} : { ipFamilies }),
      ports: ports.map((text) => {
        const [protocol = '', port = ''] = text.split('/')
        return { name: text.toLowerCase().replace('/', '-'), protocol, port: Number(port) }
      }),
    },
  }
}

/** As the operators write: what they no longer say stays on the Service. */
function patched(there: JsonObject, { labels, annotations, spec }: PlannedService): JsonObject {
  const metadata = recordAt(there, 'metadata')
  return {
    ...there,
    metadata: {
      ...metadata,
      labels: { ...recordAt(metadata, 'labels'), ...labels },
      annotations: { ...recordAt(metadata, 'annotations'), ...annotations },
    },
    spec: { ...recordAt(there, 'spec'), ...spec },
  }
}

/** A cluster that asks for these addresses has their family; nobody says more. */
function familiesOf(
  { poolIndex }: ReadonlyWorld,
  { asksAddresses, asksPool }: PlannedService,
): readonly Family[] {
  const [first = ''] = asksAddresses.split(',')
  const asked = parseIp(first.trim())
  if (asked.ok) return [familyOf(asked.value)]
  const ranges = poolIndex.answering(asksPool).flatMap((pool) => pool.ranges)
  const families = new Set(ranges.map(({ family }) => family))
  const [only] = families
  return families.size === 1 && only !== undefined ? [only] : []
}
