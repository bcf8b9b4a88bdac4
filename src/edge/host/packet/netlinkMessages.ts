// What does the kernel report about interfaces? Messages of rtnetlink(7), in host byte order.
//   | length u32 | type u16 | flags u16 | sequence u32 | port u32 | body | padding to 4 |
// Attributes follow the fixed part of a body: | length u16 | type u16 | value | padding to 4 |
import type { Ip } from '../../../core/net/ip.ts'
import type { Mac } from '../../../core/net/mac.ts'
import { ipFrom, macFrom } from '../../../core/net/octets.ts'

export type LinkFacts = {
  readonly index: number
  readonly name: string
  readonly mac: Mac
  readonly flags: number
  readonly hasMaster: boolean
  /** What kind of virtual link it is; empty for a plain one. */
  readonly type: string
}
export type AddressFacts = {
  readonly index: number
  readonly address: Ip
  readonly prefixLength: number
  readonly isPermanent: boolean
}
export type NetlinkMessage =
  | { readonly kind: 'link'; readonly isGone: boolean; readonly link: LinkFacts }
  | { readonly kind: 'address'; readonly isGone: boolean; readonly address: AddressFacts }
  /** The dump is complete. */
  | { readonly kind: 'done' }
  /** The dump is incomplete and must be requested again. */
  | { readonly kind: 'incomplete' }

const [headerBytes, linkBytes, addressBytes] = [16, 16, 8] as const
const types = { error: 2, done: 3, overrun: 4, newLink: 16, delLink: 17, newAddr: 20, delAddr: 21 }
const [interrupted, dump, request] = [0x10, 0x300, 1] as const
const [linkAddress, linkName, linkMaster, linkInfo, infoKind] = [1, 3, 10, 18, 1] as const
const [peerAddress, localAddress] = [1, 2] as const
/** IFA_F_PERMANENT. */
const permanent = 0x80

/** Requests a full dump. */
export function dumpRequest(asked: 'links' | 'addresses'): Uint8Array {
  const view = new DataView(new ArrayBuffer(headerBytes + linkBytes))
  view.setUint32(0, view.byteLength, true)
  view.setUint16(4, asked === 'links' ? 18 : 22, true)
  view.setUint16(6, request | dump, true)
  return new Uint8Array(view.buffer)
}

/** The messages of one datagram; truncated and unknown ones are skipped. */
export function* netlinkMessages(bytes: Uint8Array): Generator<NetlinkMessage> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at + headerBytes <= bytes.length; ) {
    const length = view.getUint32(at, true)
    if (length < headerBytes || at + length > bytes.length) return
    const [type, flags] = [view.getUint16(at + 4, true), view.getUint16(at + 6, true)]
    if ((flags & interrupted) !== 0) yield { kind: 'incomplete' }
    const message = messageOf(type, bytes.subarray(at + headerBytes, at + length))
    if (message !== undefined) yield message
    at += aligned(length)
  }
}

function messageOf(type: number, body: Uint8Array): NetlinkMessage | undefined {
  if (type === types.done) return { kind: 'done' }
  if (type === types.error || type === types.overrun) return { kind: 'incomplete' }
  if (type === types.newLink || type === types.delLink) {
    const link = linkIn(body)
    return link && { kind: 'link', isGone: type === types.delLink, link }
  }
  if (type !== types.newAddr && type !== types.delAddr) return undefined
  const address = addressIn(body)
  return address && { kind: 'address', isGone: type === types.delAddr, address }
}

/** struct ifinfomsg { u8 family; u8; u16 type; i32 index; u32 flags; u32 change } */
function linkIn(body: Uint8Array): LinkFacts | undefined {
  if (body.length < linkBytes) return undefined
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const family = view.getUint8(0)
  // A bridge reports its ports in its own family, and ports that leave it as removed.
  if (family !== 0) return undefined
  const attributes = attributesIn(body.subarray(linkBytes))
  const name = attributes.get(linkName)
  const mac = attributes.get(linkAddress)
  if (name === undefined) return undefined
  const master = attributes.get(linkMaster)
  return {
    index: view.getInt32(4, true),
    name: textOf(name),
    mac: macFrom(mac?.length === 6 ? mac : new Uint8Array(6)),
    flags: view.getUint32(8, true),
    hasMaster: master?.some((octet) => octet !== 0) ?? false,
    type: typeIn(attributes.get(linkInfo)),
  }
}

/** struct ifaddrmsg { u8 family; u8 prefix length; u8 flags; u8 scope; u32 index } */
function addressIn(body: Uint8Array): AddressFacts | undefined {
  if (body.length < addressBytes) return undefined
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const attributes = attributesIn(body.subarray(addressBytes))
  // On a point-to-point link, the other attribute is the remote address.
  const octets = attributes.get(localAddress) ?? attributes.get(peerAddress)
  if (octets === undefined || (octets.length !== 4 && octets.length !== 16)) return undefined
  return {
    index: view.getUint32(4, true),
    address: ipFrom(octets),
    prefixLength: view.getUint8(1),
    isPermanent: (view.getUint8(2) & permanent) !== 0,
  }
}

/** The attributes of one attribute. */
function typeIn(info: Uint8Array | undefined): string {
  const kind = info && attributesIn(info).get(infoKind)
  return kind === undefined ? '' : textOf(kind)
}

function attributesIn(bytes: Uint8Array): Map<number, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = new Map<number, Uint8Array>()
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = view.getUint16(at, true)
    if (length < 4 || at + length > bytes.length) break
    // The two highest bits are flags.
    found.set(view.getUint16(at + 2, true) & 0x3fff, bytes.subarray(at + 4, at + length))
    at += aligned(length)
  }
  return found
}

const aligned = (length: number): number => (length + 3) & ~3

const textOf = (octets: Uint8Array): string => {
  const end = octets.indexOf(0)
  return new TextDecoder().decode(end < 0 ? octets : octets.subarray(0, end))
}
