// Which frames does Berth ask of the kernel? Three kinds, each without what is not for this host.
import { assemble, byte, type Check, half, packetType, vlanTags } from './bpf.ts'

export type Filter = {
  /** Of Ethernet: what the socket is bound to. */
  readonly etherType: number
  readonly program: Uint8Array
}

/**
 * Not what this host sent itself, nor what is for another one. On a trunk the kernel hands the
 * interface also frames of VLANs that the host has not: who answered there would answer for
 * another network.
 */
const forUs: readonly Check[] = [
  { load: packetType, isOneOf: [0, 1, 2] },
  { load: vlanTags, isOneOf: [0] },
]

function filterOf(etherType: number, ...checks: readonly Check[]): Filter {
  const type = { load: half(12), isOneOf: [etherType] }
  return { etherType, program: assemble([...forUs, type, ...checks]) }
}

/** Requests, and replies: they show who else has an address. */
export const arpFilter = filterOf(0x0806, { load: half(20), isOneOf: [1, 2] })

/** ICMPv6: neighbour solicitations and advertisements. */
export const ndpFilter = filterOf(
  0x86dd,
  { load: byte(20), isOneOf: [58] },
  { load: byte(54), isOneOf: [135, 136] },
)

/** Local experimental EtherType 1 of IEEE 802: what speakers say to each other over a link. */
export const membershipFilter = filterOf(0x88b5)
