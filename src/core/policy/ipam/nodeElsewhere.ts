// Does somebody else have the address on the wire of a subnet (R12.3)? Services, nodes, pods, and
// what operators take for themselves behind the range of an attachment.
import type { NodeSubnet } from '../../model/ipam/nodePlan.ts'
import type { Attachment } from '../../model/wires.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { contains } from '../../net/intervals.ts'
import { familyOf, type Ip, toBigInt } from '../../net/ip.ts'
import { rangeOf } from '../../net/range.ts'
import { isApart, isOn, isToldFor, tenantOf, wiresOfTenant } from './sharedWires.ts'

export type OnWire = {
  readonly world: ReadonlyWorld
  readonly namespace: string
  readonly wire: string
  readonly subnet: NodeSubnet
}

type Holder = { readonly kind: 'Service' | 'Pod'; readonly key: string | undefined }

/** Its holder, in words; undefined if none is known. */
export function whoElse(place: OnWire, ip: Ip): string | undefined {
  return (
    serviceWith(place, ip) ?? nodeWith(place, ip) ?? podWith(place, ip) ?? operatorWith(place, ip)
  )
}

function serviceWith(place: OnWire, ip: Ip): string | undefined {
  return toldOf(place, ip, { kind: 'Service', key: place.world.holdersOf(ip)[0] })
}

/** What another tenant has counts where it can be on this wire. */
function toldOf(place: OnWire, ip: Ip, { kind, key }: Holder): string | undefined {
  if (key === undefined) return undefined
  const { world, namespace, wire } = place
  const [theirs = ''] = key.split('/')
  if (!isApart(world, namespace, theirs)) return `${kind} ${key} has it`
  const isHere = isOn(world, { namespace: theirs, wire, ip })
  return isHere ? `a ${kind} of another tenant has it` : undefined
}

function nodeWith({ world, namespace, wire }: OnWire, ip: Ip): string | undefined {
  const tenant = tenantOf(world, namespace)
  const objects = [...(world.ledger.slot(ip)?.elsewhere ?? [])]
  const [object] = objects.filter((one) => /^Node/.test(one) || one === `Tenant/${tenant}`).sort()
  if (object !== undefined) return `${object} has it`
  const isAnothers = objects.some((one) => {
    const [kind, name = ''] = one.split('/')
    return kind === 'Tenant' && wiresOfTenant(world, name, ip).includes(wire)
  })
  return isAnothers ? 'it is a gateway of another tenant' : undefined
}

function podWith(place: OnWire, ip: Ip): string | undefined {
  const { world, namespace } = place
  for (const ipPool of world.all('IPPool').values()) {
    const { range, pods } = ipPool
    if (range === undefined || !contains(rangeOf(range), ip)) continue
    const pod = isToldFor(world, namespace, ipPool) ? pods[ip] : undefined
    const told = toldOf(place, ip, { kind: 'Pod', key: pod })
    if (told !== undefined) return told
  }
  return undefined
}

/** First 25 addresses for Neutron, then 25 for pods of the operator's own (6.1). */
const [takers, behind] = [['octavia', 'designate'], 50n]

function operatorWith({ world, namespace }: OnWire, ip: Ip): string | undefined {
  for (const taker of takers) {
    const attachment = world.all('NetworkAttachmentDefinition').get(`${namespace}/${taker}`)
    if (attachment !== undefined && liesBehind(attachment, ip)) {
      const range = `the range of NetworkAttachmentDefinition ${attachment.key}`
      return `the operator of ${taker} takes what lies behind ${range}`
    }
  }
  return undefined
}

function liesBehind({ ranges }: Attachment, ip: Ip): boolean {
  const value = toBigInt(ip)
  return ranges.some(
    ({ subnet, given }) =>
      subnet.family === familyOf(ip) && given.last < value && value <= given.last + behind,
  )
}
