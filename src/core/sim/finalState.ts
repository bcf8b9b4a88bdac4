// Does a live run end as it ends in the simulator? All that the controller wrote is compared; what
// only the API gives (uids, versions, times) is not.
import { isRecord, type Json, recordAt, textAt } from '../model/json.ts'
import { idOf } from './objects.ts'
import type { Miss } from './runScenario.ts'

type State = ReadonlyMap<string, unknown>

/** `isWhole`: the API holds nothing but what the scenario led to. */
export function endsAlike(
  simulated: Iterable<Json>,
  live: Iterable<Json>,
  { isWhole }: { readonly isWhole: boolean },
): Miss[] {
  const [expected, actual] = [stateOf(simulated), stateOf(live)]
  const ids = new Set([...expected.keys(), ...(isWhole ? actual.keys() : [])])
  return [...ids].sort().flatMap((id) => {
    const [is, should] = [actual.get(id), expected.get(id)]
    const isSame = sorted(is) === sorted(should)
    return isSame ? [] : [{ path: `as simulated: ${id}`, expected: should, actual: is }]
  })
}

function stateOf(objects: Iterable<Json>): State {
  const found = new Map<string, unknown>()
  for (const json of objects) {
    const kind = textAt(json, 'kind')
    const state = Object.hasOwn(views, kind) ? views[kind]?.(json) : undefined
    if (state !== undefined) found.set(idOf(json), state)
  }
  return found
}

const poolAnnotation = 'metallb.io/ip-allocated-from-pool'
const managedBy = 'app.kubernetes.io/managed-by'

const views: Readonly<Record<string, ((json: Json) => unknown) | undefined>> = {
  Service(json) {
    if (textAt(recordAt(json, 'spec'), 'type') !== 'LoadBalancer') return undefined
    const [metadata, status] = [recordAt(json, 'metadata'), recordAt(json, 'status')]
    const ingress = list(recordAt(status, 'loadBalancer')['ingress'])
    return {
      ingress: ingress.map(({ ip, hostname }) => ({ ip, hostname })),
      pool: textAt(recordAt(metadata, 'annotations'), poolAnnotation),
      conditions: undated(status['conditions']),
    }
  },
  Address(json) {
    const { holders, ...spec } = recordAt(json, 'spec')
    return { ...spec, holders: list(holders).map(({ uid: _, ...holder }) => holder) }
  },
  AddressBlock(json) {
    const { holders, ...spec } = recordAt(json, 'spec')
    const timeless = list(holders).map(({ uid: _, gone, ...holder }) => ({
      ...holder,
      isGone: gone !== undefined,
    }))
    return { ...spec, holders: timeless }
  },
  IPSet: (json) => statusOf(json),
  Reservation: (json) => json['spec'],
  Tenant: (json) => statusOf(json),
  Site: (json) => statusOf(json),
  L2Advertisement: (json) => madeSpec(json),
  BGPAdvertisement: (json) => madeSpec(json),
  BGPPeer: (json) => madeSpec(json),
  NetworkAttachmentDefinition: (json) => madeSpec(json),
  NodeNetworkConfigurationPolicy: (json) => madeSpec(json),
  IPAddressPool(json) {
    return { status: statusOf(json), ...(isMade(json) ? { spec: json['spec'] } : {}) }
  },
}

const isMade = (json: Json): boolean =>
  textAt(recordAt(recordAt(json, 'metadata'), 'labels'), managedBy) === 'berth'

const madeSpec = (json: Json): unknown => (isMade(json) ? json['spec'] : undefined)

function statusOf(json: Json): Json {
  // The simulator counts no generations.
  const { conditions, observedGeneration: _, ...status } = recordAt(json, 'status')
  return { ...status, conditions: undated(conditions) }
}

const undated = (conditions: unknown): readonly Json[] =>
  list(conditions).map(({ lastTransitionTime: _, observedGeneration: __, ...condition }) => ({
    ...condition,
  }))

const list = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

/** With keys in order, and without what says nothing. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (!isRecord(part)) return part === '' ? undefined : part
    const entries = Object.entries(part).filter(([, one]) => one !== '' && !isEmpty(one))
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
  })
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0
