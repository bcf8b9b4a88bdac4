// How is a kernel packet filter written? As a list of checks: the first one that fails drops the
// frame, and a frame that passes them all is accepted whole. Classic BPF, for socket(7):
//   struct sock_filter { u16 code; u8 jump if so; u8 jump if not; u32 k }, in the host's order

const [loadWord, loadHalf, loadByte, give] = [0x20, 0x28, 0x30, 0x06] as const
const [jumpEqual, jumpAtLeast] = [0x15, 0x35] as const
/** Offset of the kernel's metadata about the frame (SKF_AD_OFF). */
const aside = 0xfffff000
/** Offset of the IP header, wherever the socket's own bytes begin (SKF_NET_OFF). */
const network = 0xfff00000
const wholeFrame = 0x40000

type Load = { readonly code: number; readonly at: number }
type Instruction = { code: number; ifSo: number; ifNot: number; k: number }
export type Check = { readonly load: Load } & (
  | { readonly isOneOf: readonly number[] }
  | { readonly isAtLeast: number }
)

export const half = (at: number): Load => ({ code: loadHalf, at })
export const byte = (at: number): Load => ({ code: loadByte, at })
export const inIpHeader = (at: number): Load => ({ code: loadByte, at: network + at })
/** SKF_AD_PKTTYPE: 0 to us, 1 broadcast, 2 multicast, 3 to another host, 4 sent by this host. */
export const packetType: Load = { code: loadWord, at: aside + 4 }
/** SKF_AD_VLAN_TAG_PRESENT. */
export const vlanTags: Load = { code: loadWord, at: aside + 48 }

export function assemble(checks: readonly Check[]): Uint8Array {
  const program = checks.flatMap(instructionsOf)
  program.push({ code: give, ifSo: 0, ifNot: 0, k: wholeFrame })
  for (const [at, instruction] of program.entries()) {
    if (instruction.ifNot === drop) instruction.ifNot = program.length - at - 1
  }
  program.push({ code: give, ifSo: 0, ifNot: 0, k: 0 })
  return bytesOf(program)
}

/** A jump to the end, whose position is not known yet. */
const drop = -1

function instructionsOf(check: Check): Instruction[] {
  const { load } = check
  const loading = { code: load.code, ifSo: 0, ifNot: 0, k: load.at }
  if ('isAtLeast' in check) {
    return [loading, { code: jumpAtLeast, ifSo: 0, ifNot: drop, k: check.isAtLeast }]
  }
  const last = check.isOneOf.length - 1
  const comparisons = check.isOneOf.map((k, at) => ({
    code: jumpEqual,
    ifSo: last - at,
    ifNot: at === last ? drop : 0,
    k,
  }))
  return [loading, ...comparisons]
}

function bytesOf(program: readonly Instruction[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(program.length * 8))
  for (const [index, { code, ifSo, ifNot, k }] of program.entries()) {
    view.setUint16(index * 8, code, true)
    view.setUint8(index * 8 + 2, ifSo)
    view.setUint8(index * 8 + 3, ifNot)
    view.setUint32(index * 8 + 4, k, true)
  }
  return new Uint8Array(view.buffer)
}
