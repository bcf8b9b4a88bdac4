// What has addresses of the prefix and is not moved? It is listed, for somebody else to move.
import { isRecord, type Json, recordAt, textAt } from '../../model/json.ts'
import { contains } from '../../net/intervals.ts'
import { parseIp } from '../../net/ip.ts'
import { rangeOf } from '../../net/range.ts'
import type { Cluster } from '../cluster.ts'
import type { Shift } from './shift.ts'

const notOurs = [
  'BGPPeer',
  'IPAddressPool',
  'IPSet',
  'NetConfig',
  'NetworkAttachmentDefinition',
  'NodeNetworkConfigurationPolicy',
  'Site',
]

export function leftOver(cluster: Cluster, { from }: Shift): readonly string[] {
  const isInside = (value: unknown): boolean =>
    (JSON.stringify(value ?? {}).match(/[0-9a-fA-F:.]{4,}/g) ?? []).some((text) => {
      const ip = parseIp(text)
      return ip.ok && contains(rangeOf(from), ip.value)
    })
  return cluster
    .ids()
    .flatMap((id) => {
      const json = cluster.get(id) ?? {}
      const [kind = ''] = id.split('/')
      if (kind === 'Tenant') {
        return isInside(recordAt(json, 'spec')['bgp']) ? [`${id}  spec.bgp.peers`] : []
      }
      if (!notOurs.includes(kind) || !isLeft(kind, json)) return []
      return isInside([json['spec'], json['status']]) ? [id] : []
    })
    .sort()
}

/** What a Tenant made moves with it; a pool moves unless somebody else writes it. */
function isLeft(kind: string, json: Json): boolean {
  const owners = ownersOf(json)
  if (owners.some((owner) => textAt(owner, 'kind') === 'Tenant')) return false
  return kind !== 'IPAddressPool' || owners.length > 0
}

export const isOwned = (json: Json): boolean => ownersOf(json).length > 0

const ownersOf = (json: Json): readonly Json[] => {
  const { ownerReferences } = recordAt(json, 'metadata')
  return Array.isArray(ownerReferences) ? ownerReferences.filter(isRecord) : []
}
