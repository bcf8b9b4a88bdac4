// Which decoders read what comes over a segment, by UDP, or from a router? What they take, written
// again, means the same.
import { isDeepStrictEqual } from 'node:util'
import type { Ip } from '../../../src/core/net/ip.ts'
import { Inbox } from '../../../src/core/session/bgp/inbox.ts'
import { Responder } from '../../../src/core/session/layer2/responder.ts'
import { decodeArp, encodeArp } from '../../../src/core/wire/arp.ts'
import { arpProbe } from '../../../src/core/wire/arpAnswers.ts'
import { decodeControl, encodeControl } from '../../../src/core/wire/bfd.ts'
import { decodeEcho, encodeEcho } from '../../../src/core/wire/bfdEcho.ts'
import { internetChecksum } from '../../../src/core/wire/checksum.ts'
import { decodeNdp, encodeNdp } from '../../../src/core/wire/ndp.ts'
import { ndpAnnouncement, ndpProbe } from '../../../src/core/wire/ndpAnswers.ts'
import type { Decoded } from '../../../src/core/wire/reader.ts'
import {
  decodeAdvertisement,
  encodeAdvertisement,
  encodeSolicitation,
} from '../../../src/core/wire/routerAdvertisement.ts'
import { fromHex } from '../../build/hex.ts'
import {
  announcement,
  client,
  eth0,
  four,
  other,
  ours,
  question,
  saying,
  six,
  solicitation,
} from '../../build/respondingStand.ts'
import { bgpMessages, readBgp } from './bgpMessages.ts'
import type { Decoder } from './damage.ts'

/** Whether it was taken; then what it means survives being written. */
export function taken<T>(
  decode: (bytes: Uint8Array) => Decoded<T>,
  encode: (value: T) => Uint8Array,
): (bytes: Uint8Array) => boolean {
  return (bytes) => {
    const first = decode(bytes)
    if (!first.ok) return false
    const again = decode(encode(first.value))
    if (!again.ok || !isDeepStrictEqual(again.value, first.value)) {
      throw new Error(`${JSON.stringify(first.value)} becomes ${JSON.stringify(again)}`)
    }
    return true
  }
}

const arpFrames = [
  question(four),
  question('192.0.2.77' as Ip),
  saying(other),
  encodeArp(arpProbe(four, client)),
]
const ndpFrames = [
  solicitation(six),
  solicitation(six, '::' as Ip),
  encodeNdp(ndpProbe(six, client)),
  encodeNdp(ndpAnnouncement(six, other)),
]

const router = { mac: other, address: 'fe80::1' as Ip }
const routerFrames = [encodeAdvertisement(router), encodeSolicitation(router)]

const heardRouter = taken(decodeAdvertisement, (address) =>
  encodeAdvertisement({ ...router, address }),
)

const [ipAt, bodyAt, checksumAt] = [22, 54, 56] as const

/** The length and the checksum of a sender that knows its trade. */
function mendNdp(frame: Uint8Array): void {
  if (frame.length < checksumAt + 2) return
  const body = frame.subarray(bodyAt)
  const view = new DataView(frame.buffer, frame.byteOffset)
  view.setUint16(18, body.length)
  view.setUint16(checksumAt, 0)
  const pseudo = new Uint8Array(40 + body.length)
  pseudo.set(frame.subarray(ipAt, bodyAt))
  new DataView(pseudo.buffer).setUint32(32, body.length)
  pseudo[39] = 58
  pseudo.set(body, 40)
  view.setUint16(checksumAt, internetChecksum(pseudo))
}

function newResponder(): Responder {
  const responder = new Responder({ mayAnswer: () => true })
  responder.ports(0, [eth0], [ours])
  responder.announce(0, [announcement(four), announcement(six)])
  responder.tick(0)
  responder.takeEffects()
  return responder
}

const responder = newResponder()

/** An answer is ours, about an address that we announce, whatever the question was. */
function heardArp(frame: Uint8Array): boolean {
  const answer = responder.heardArp(0, eth0.index, frame)
  responder.takeEffects()
  if (answer === undefined) return false
  const read = decodeArp(answer)
  if (!read.ok || read.value.senderMac !== ours || read.value.senderIp !== four) {
    throw new Error(`answered with ${JSON.stringify(read)}`)
  }
  return true
}

function heardNdp(frame: Uint8Array): boolean {
  const answer = responder.heardNdp(0, eth0.index, frame)
  responder.takeEffects()
  if (answer === undefined) return false
  const read = decodeNdp(answer)
  const isOurs = read.ok && read.value.linkLayer === ours && read.value.target === six
  if (!isOurs) throw new Error(`answered with ${JSON.stringify(read)}`)
  return true
}

/** Captured between FRR 8.4.4 and BIRD 2.0.12. */
const bfdPackets = [
  '20400318ad64272f00000000000f42400000c35000000000',
  '20800318ad64272fb8367b94000f42400000c35000000000',
  '20e00318b8367b94ad64272f0000c3500000c3500000c350',
].map(fromHex)

/** One that came back, over one hop. */
const echo = encodeEcho({ from: ours, to: other, address: four, discriminator: 7, number: 1 })
echo[22] = 254

/** Marker and length, without which nothing behind them is read. */
function mendBgp(bytes: Uint8Array): void {
  if (bytes.length < 19) return
  bytes.fill(255, 0, 16)
  new DataView(bytes.buffer, bytes.byteOffset).setUint16(16, bytes.length)
}

/** Cut as the network cuts; what was whole before the damage is delivered. */
function heardBgp(bytes: Uint8Array): boolean {
  let read = 0
  const inbox = new Inbox({
    mostBytes: () => 4096,
    deliver: (incoming) => {
      if (incoming.kind === 'message') read += readBgp(incoming.type, incoming.body) ? 1 : 0
    },
  })
  const middle = (bytes.at(-1) ?? 0) % (bytes.length + 1)
  inbox.take(bytes.subarray(0, middle))
  inbox.take(bytes.subarray(middle))
  return read > 0
}

export const wireDecoders: readonly Decoder[] = [
  { name: 'ARP', templates: arpFrames, read: taken(decodeArp, encodeArp) },
  { name: 'ARP, as it is answered', templates: arpFrames, read: heardArp },
  { name: 'NDP', templates: ndpFrames, read: taken(decodeNdp, encodeNdp), mend: mendNdp },
  { name: 'NDP, as it is answered', templates: ndpFrames, read: heardNdp, mend: mendNdp },
  { name: 'router advertisements', templates: routerFrames, read: heardRouter, mend: mendNdp },
  { name: 'BFD', templates: bfdPackets, read: taken(decodeControl, encodeControl) },
  { name: 'BFD echo', templates: [echo], read: (bytes) => decodeEcho(bytes) !== undefined },
  { name: 'BGP', templates: bgpMessages, read: heardBgp, mend: mendBgp },
]
