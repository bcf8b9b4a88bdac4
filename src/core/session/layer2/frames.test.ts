import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex, toHex } from '../../../../test/build/hex.ts'
import type { Mac } from '../../net/mac.ts'
import { ipFrom, ipOctets, macFrom, macOctets } from '../../net/octets.ts'
import { type Arp, broadcastMac, decodeArp, encodeArp, noIp, noMac } from '../../wire/arp.ts'
import { arpAnnouncements } from '../../wire/arpAnswers.ts'
import { decodeNdp, encodeNdp, type Ndp } from '../../wire/ndp.ts'
import { ndpAnnouncement, ndpAnswer } from '../../wire/ndpAnswers.ts'
import { AnnouncementFrames } from './announcementFrames.ts'
import { arpReply, isArp, isArpProbe, isArpQuestion, newArpReply } from './arpFrame.ts'
import { isPlainSolicitation, ndpReply, newNdpReply } from './ndpFrame.ts'

const mac = '02:00:00:00:00:01' as Mac
const octets = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const anyMac = octets(6).map(macFrom)
const anyFour = octets(4).map(ipFrom)
const anySix = octets(16)
  .filter(([first = 0]) => first !== 0xff && first !== 0)
  .map(ipFrom)

const anyArp: fc.Arbitrary<Arp> = fc.record({
  destination: fc.constantFrom(broadcastMac, mac),
  source: anyMac,
  operation: fc.constantFrom('request', 'reply'),
  senderMac: anyMac,
  senderIp: fc.oneof(anyFour, fc.constant(noIp)),
  targetMac: fc.oneof(anyMac, fc.constant(noMac)),
  targetIp: anyFour,
})
const anySolicitation: fc.Arbitrary<Ndp> = fc.record({
  kind: fc.constant('solicitation'),
  destinationMac: anyMac,
  sourceMac: anyMac,
  destination: anySix,
  source: anySix,
  target: anySix,
  linkLayer: fc.option(anyMac, { nil: undefined }),
})

const isGroup = (one: Mac): boolean => ((macOctets(one)[0] ?? 0) & 1) === 1
/** A frame with some octets changed, and truncated or padded. */
const disturbed = (frame: fc.Arbitrary<Uint8Array>) =>
  fc
    .tuple(frame, fc.array(fc.tuple(fc.nat(100), fc.nat(255)), { maxLength: 3 }), fc.nat(120))
    .map(([bytes, changes, length]) => {
      const padded = new Uint8Array(length < 20 ? length : Math.max(length, bytes.length))
      padded.set(bytes.subarray(0, padded.length))
      for (const [at, octet] of changes) if (at < padded.length) padded[at] = octet
      return padded
    })

/** The reply, written with the codec. */
const arpAnswer = (asked: Arp, mac: Mac): Arp => ({
  destination: asked.senderMac,
  source: mac,
  operation: 'reply',
  senderMac: mac,
  senderIp: asked.targetIp,
  targetMac: asked.senderMac,
  targetIp: asked.senderIp,
})

// A request of Linux 6.18 and its answer.
const kernelAsks =
  'fffffffffffff6407c15990908060001080006040001f6407c159909c0000201000000000000c0000202'
const kernelAnswers =
  'f6407c1599091a1503c3b12c080600010800060400021a1503c3b12cc0000202f6407c159909c0000201'

test('[M5.5] our answer is what the kernel answers', () => {
  const reply = newArpReply('1a:15:03:c3:b1:2c' as Mac)
  expect(toHex(arpReply(reply, fromHex(kernelAsks)))).toBe(kernelAnswers)
})

test('[M5.5] a copied reply equals what the codec would write', () => {
  const reply = newArpReply(mac)
  fc.assert(
    fc.property(anyArp, (arp) => {
      const frame = encodeArp(arp)
      expect(toHex(arpReply(reply, frame))).toBe(toHex(encodeArp(arpAnswer(arp, mac))))
    }),
  )
})

test('[M5.5] whatever passes as ARP is ARP to the codec, from a single host', () => {
  fc.assert(
    fc.property(disturbed(anyArp.map(encodeArp)), (frame) => {
      const decoded = decodeArp(frame)
      const isOfOne = decoded.ok && !isGroup(decoded.value.senderMac)
      expect(isArp(frame)).toBe(isOfOne && decoded.value.senderMac !== noMac)
    }),
  )
})

type Question = { what: string; arp: Partial<Arp>; isQuestion: boolean }
const client = '02:00:00:00:00:09' as Mac
const asked: Arp = {
  destination: broadcastMac,
  source: client,
  operation: 'request',
  senderMac: client,
  senderIp: ipFrom(Uint8Array.of(192, 0, 2, 9)),
  targetMac: noMac,
  targetIp: ipFrom(Uint8Array.of(192, 0, 2, 1)),
}
const questions: Question[] = [
  { what: 'broadcast', arp: {}, isQuestion: true },
  { what: 'to us', arp: { destination: mac }, isQuestion: true },
  { what: 'to another', arp: { destination: client }, isQuestion: false },
  { what: 'a reply', arp: { operation: 'reply' }, isQuestion: false },
  { what: 'from 0.0.0.0 (RFC 5227)', arp: { senderIp: noIp }, isQuestion: true },
  { what: 'for its own address', arp: { senderIp: asked.targetIp }, isQuestion: false },
  {
    what: 'from 127.0.0.1',
    arp: { senderIp: ipFrom(Uint8Array.of(127, 0, 0, 1)) },
    isQuestion: false,
  },
  {
    what: 'from a group MAC',
    arp: { senderIp: ipFrom(Uint8Array.of(224, 0, 0, 1)) },
    isQuestion: false,
  },
  {
    what: 'from the broadcast MAC',
    arp: { senderIp: ipFrom(Uint8Array.of(255, 255, 255, 255)) },
    isQuestion: false,
  },
]

test.each(questions)('[M5.5] $what: $isQuestion', ({ arp, isQuestion }) => {
  const frame = encodeArp({ ...asked, ...arp })
  expect(isArpQuestion(frame, macOctets(mac))).toBe(isQuestion)
  expect(isArpProbe(frame)).toBe(arp.senderIp === noIp)
})

test('[M5.5] a copied advertisement equals what the codec would write', () => {
  const reply = newNdpReply(mac)
  fc.assert(
    fc.property(anySolicitation, (ndp) => {
      const frame = encodeNdp(ndp)
      const isPlain = isPlainSolicitation(frame)
      expect(isPlain).toBe(!isGroup(ndp.linkLayer ?? ndp.sourceMac))
      if (!isPlain) return
      expect(toHex(ndpReply(reply, frame))).toBe(toHex(encodeNdp(ndpAnswer(ndp, mac))))
    }),
  )
})

test('[M5.5] copied announcements equal what the codec would write', () => {
  const frames = new AnnouncementFrames(mac)
  fc.assert(
    fc.property(fc.oneof(anyFour, anySix), (ip) => {
      const written = ip.includes(':')
        ? [encodeNdp(ndpAnnouncement(ip, mac))]
        : arpAnnouncements(ip, mac).map(encodeArp)
      expect(frames.of([...ipOctets(ip)]).map(toHex)).toEqual(written.map(toHex))
    }),
  )
})

test('[M5.5] a frame that the codec refuses never passes as a plain solicitation', () => {
  fc.assert(
    fc.property(disturbed(anySolicitation.map(encodeNdp)), (frame) => {
      if (!isPlainSolicitation(frame)) return
      expect(decodeNdp(frame)).toMatchObject({ ok: true, value: { kind: 'solicitation' } })
    }),
    { numRuns: 2_000 },
  )
})
