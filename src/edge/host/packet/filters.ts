// Which frames does Berth receive from the kernel? Five kinds, each limited to frames for this
// host.
import { assemble, byte, type Check, half, packetType, vlanTags } from './bpf.ts'

export type Filter = {
  /** The EtherType that the socket is bound to. */
  readonly etherType: number
  readonly program: Uint8Array
}

/**
 * Drops frames that this host sent or that are addressed to another host. On a trunk port the
 * kernel also delivers frames of VLANs that are not configured on the host; answering those would
 * answer on another network.
 */
const forUs: readonly Check[] = [
  { load: packetType, isOneOf: [0, 1, 2] },
  { load: vlanTags, isOneOf: [0] },
]

function filterOf(etherType: number, ...checks: readonly Check[]): Filter {
  const type = { load: half(12), isOneOf: [etherType] }
  return { etherType, program: assemble([...forUs, type, ...checks]) }
}

/** Requests and replies; replies show who else has an address. */
export const arpFilter = filterOf(0x0806, { load: half(20), isOneOf: [1, 2] })

/** ICMPv6: neighbour solicitations and advertisements. */
export const ndpFilter = filterOf(
  0x86dd,
  { load: byte(20), isOneOf: [58] },
  { load: byte(54), isOneOf: [135, 136] },
)

/** ICMPv6: router advertisements. */
export const routerFilter = filterOf(
  0x86dd,
  { load: byte(20), isOneOf: [58] },
  { load: byte(54), isOneOf: [134] },
)

/** UDP to the port of BFD echo packets, in an IPv4 header without options. */
export const echoFilter = filterOf(
  0x0800,
  { load: byte(14), isOneOf: [0x45] },
  { load: byte(23), isOneOf: [17] },
  { load: half(36), isOneOf: [3785] },
)

/** IEEE 802 local experimental EtherType 1: heartbeats between speakers over a link. */
export const membershipFilter = filterOf(0x88b5)
