// Which addresses does a pool have, for whom, and under which names?
import { communityAnnotations } from '../../../core/model/bgpAnnotations.ts'
import { isDnsLabel } from '../../../core/model/names.ts'
import type { Pool, PoolStatus, ServiceAllocation } from '../../../core/model/pool.ts'
import type { Labels } from '../../../core/model/selector.ts'
import { parseRange } from '../../../core/net/range.ts'
import { berth, isManaged } from '../annotations.ts'
import { madeOf } from './decodeMaker.ts'
import { metaOf, selectorsOf, specifiedAt } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

export function decodePool(object: Fields): Pool {
  const { name, namespace, labels, annotations } = metaOf(object)
  const allowedCommunities = annotations[communityAnnotations.allowed]
  const spec = object.inner('spec')
  const served = namesIn(annotations)
  const isOurs = isManaged(labels)
  return {
    kind: 'IPAddressPool',
    name,
    namespace,
    createdAt: specifiedAt(object),
    labels,
    ranges: spec.parseEach('addresses', parseRange),
    autoAssign: spec.flag('autoAssign') ?? true,
    avoidBuggyIPs: spec.flag('avoidBuggyIPs') ?? false,
    allocation: spec.has('serviceAllocation')
      ? allocationOf(spec.inner('serviceAllocation'))
      : undefined,
    serves: served.filter(isDnsLabel),
    badServes: served.filter((text) => !isDnsLabel(text)),
    whenFull: annotations[berth.whenFull] ?? '',
    split: annotations[berth.split] ?? '',
    tenant: labels[berth.tenant] ?? '',
    madeFrom: owningMaker(object),
    isOurs,
    status: object.has('status') ? statusOf(object.inner('status')) : undefined,
    ...(allowedCommunities !== undefined && { allowedCommunities }),
  }
}

/** Also works for a pool that cannot be decoded. */
export const servedBy = (object: Fields): readonly string[] =>
  namesIn(metaOf(object).annotations).filter(isDnsLabel)

/** Comma-separated, spaces ignored; empty entries are skipped (R1.1). */
const namesIn = (annotations: Labels): readonly string[] =>
  (annotations[berth.serves] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const allocationOf = (allocation: Fields): ServiceAllocation => ({
  priority: allocation.number('priority') ?? 0,
  namespaces: allocation.texts('namespaces'),
  namespaceSelectors: selectorsOf(allocation, 'namespaceSelectors'),
  serviceSelectors: selectorsOf(allocation, 'serviceSelectors'),
})

/** The tenant's name, or `Site/cluster`, which no tenant can be called. */
function owningMaker(object: Fields): string {
  const [kind = '', name = ''] = (madeOf(object).maker ?? '').split('/')
  if (kind === 'Site') return `Site/${name}`
  const isOwned = object.inner('metadata').each('ownerReferences').length > 0
  return isOwned ? name : ''
}

const statusOf = (status: Fields): PoolStatus => ({
  assignedIPv4: countIn(status, 'assignedIPv4'),
  assignedIPv6: countIn(status, 'assignedIPv6'),
  availableIPv4: countIn(status, 'availableIPv4'),
  availableIPv6: countIn(status, 'availableIPv6'),
})

const countIn = (status: Fields, name: string): bigint =>
  BigInt(Math.trunc(status.number(name) ?? 0))
