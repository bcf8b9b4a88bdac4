// Who wants an address for a host, who has one, and what is claimed? IPSet, Reservation and
// AddressBlock.
import type { FieldError } from '../../../core/model/admission.ts'
import { unreadable } from '../../../core/model/fieldError.ts'
import type { AddressBlock, BlockHolder } from '../../../core/model/ipam/addressBlock.ts'
import type { IpSet, NetworkRequest } from '../../../core/model/ipam/ipSet.ts'
import type { PodAddresses } from '../../../core/model/ipam/podAddresses.ts'
import type { Reserved } from '../../../core/model/ipam/reserved.ts'
import { fromBigInt, type Ip, parseIp } from '../../../core/net/ip.ts'
import { parsePrefix } from '../../../core/net/range.ts'
import { berth } from '../annotations.ts'
import { conditionsOf } from './decodeConditions.ts'
import { keepOf } from './decodeKeep.ts'
import { keyFrom, metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

/** Hosts have a handful; the rest of a longer list is refused, and not read. */
const mostNetworks = 64

export function decodeIpSet(object: Fields): IpSet {
  const { name, namespace, uid, resourceVersion, createdAt, annotations } = metaOf(object)
  const [metadata, spec, status] = [
    object.inner('metadata'),
    object.inner('spec'),
    object.inner('status'),
  ]
  const unread: FieldError[] = []
  return {
    kind: 'IPSet',
    key: keyFrom(namespace, name),
    name,
    namespace,
    uid,
    resourceVersion,
    createdAt,
    generation: metadata.number('generation') ?? 0,
    isGoing: metadata.has('deletionTimestamp'),
    finalizers: metadata.texts('finalizers'),
    isImmutable: spec.flag('immutable') ?? false,
    requests: requestsOf(spec, unread),
    unread,
    keep: keepOf(annotations, unread),
    isForPod: annotations[berth.for] === 'pod',
    ownerUids: metadata.each('ownerReferences').map((owner) => owner.text('uid')),
    status: {
      conditions: conditionsOf(status),
      reservations: status.each('reservations').map(({ json }) => json),
      observedGeneration: status.number('observedGeneration') ?? 0,
    },
  }
}

function requestsOf(spec: Fields, unread: FieldError[]): readonly NetworkRequest[] {
  const all = spec.each('networks')
  if (all.length > mostNetworks) {
    const message = `Too many: ${all.length}: must have at most ${mostNetworks} items`
    unread.push({ path: 'spec.networks', message })
  }
  return all.slice(0, mostNetworks).map((request, at) => requestOf(request, { at, unread }))
}

function requestOf(
  request: Fields,
  { at, unread }: { readonly at: number; readonly unread: FieldError[] },
): NetworkRequest {
  const fixedText = request.text('fixedIP')
  const fixed = request.has('fixedIP') ? parseIp(fixedText) : undefined
  if (fixed?.ok === false) unread.push(unreadable(`spec.networks[${at}].fixedIP`, fixed.why))
  return {
    name: request.text('name'),
    subnetName: request.text('subnetName'),
    fixedText,
    fixedIP: fixed?.ok === true ? fixed.value : undefined,
    defaultRoute: request.flag('defaultRoute'),
  }
}

const labelPrefix = 'ipam.network.openstack.org/'

/** Of what it records; an entry that cannot be read stays as it is written. */
export function reservedOf(object: Fields): Reserved {
  const { uid, resourceVersion, labels } = metaOf(object)
  const metadata = object.inner('metadata')
  const byNetwork = object.inner('spec').inner('reservation')
  const owners = metadata.each('ownerReferences')
  const ours = Object.entries(labels).filter(([key]) => key.startsWith(labelPrefix))
  return {
    uid,
    resourceVersion,
    ownerUid: owners.find((owner) => owner.text('kind') === 'IPSet')?.text('uid') ?? '',
    isGoing: metadata.has('deletionTimestamp'),
    finalizers: metadata.texts('finalizers'),
    subnetLabels: Object.fromEntries(
      ours.map(([key, value]) => [key.slice(labelPrefix.length), value]),
    ),
    entries: [...byNetwork.names()].sort().map((network) => {
      const entry = byNetwork.inner(network)
      const text = entry.text('address')
      const parsed = parseIp(text)
      const address = parsed.ok ? parsed.value : undefined
      return { network, subnet: entry.text('subnet'), text, address }
    }),
  }
}

/** A holder whose address cannot be read holds nothing. */
export function decodeAddressBlock(object: Fields): AddressBlock {
  const { name, uid, resourceVersion } = metaOf(object)
  const spec = object.inner('spec')
  return {
    kind: 'AddressBlock',
    name,
    uid,
    resourceVersion,
    wire: spec.text('wire'),
    first: spec.parseRequired('first', parseIp) ?? ('0.0.0.0' as Ip),
    holders: spec.each('holders').flatMap(holderOf),
  }
}

function holderOf(holder: Fields): readonly BlockHolder[] {
  const address = holder.parseIf('address', parseIp)
  if (address === undefined) return []
  return [
    {
      address,
      namespace: holder.text('namespace'),
      name: holder.text('name'),
      uid: holder.text('uid'),
      network: holder.text('network'),
      keep: holder.text('keep'),
      gone: holder.text('gone'),
    },
  ]
}

/** Its allocations are numbered from the first address of the range. */
export function decodeIpPool(object: Fields): PodAddresses {
  const { name, namespace } = metaOf(object)
  const spec = object.inner('spec')
  const range = spec.parseIf('range', parsePrefix)
  const allocations = spec.inner('allocations')
  const pods = allocations.names().flatMap((offset) => {
    if (range === undefined || !/^[0-9]{1,20}$/.test(offset)) return []
    const address = fromBigInt(range.family, range.base + BigInt(offset))
    return [[address, allocations.inner(offset).text('podref')] as const]
  })
  return {
    kind: 'IPPool',
    key: keyFrom(namespace, name),
    name,
    namespace,
    range,
    pods: Object.fromEntries(pods),
  }
}
