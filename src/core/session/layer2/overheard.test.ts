import { expect, test } from 'vitest'
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { encodeArp } from '../../wire/arp.ts'
import { arpAnnouncements, arpProbe } from '../../wire/arpAnswers.ts'
import { encodeNdp } from '../../wire/ndp.ts'
import { ndpAnnouncement } from '../../wire/ndpAnswers.ts'
import { Responder } from './responder.ts'

const macs = ['02:00:00:00:00:0a', '02:00:00:00:00:0b', '02:00:00:00:00:0c'] as Mac[]
const [a = '' as Mac, b = '' as Mac, a2 = '' as Mac] = macs
const [four, six] = ['192.0.2.1' as Ip, 'fd00::1' as Ip]
const burstMs = [0, 100, 500, 1_100, 2_200, 4_400]

type Word = {
  readonly at: number
  readonly mac: Mac
  readonly address: Ip
  /** Broadcasts a question instead of announcing; 'probe' before it has the address. */
  readonly asks?: 'question' | 'probe'
}
const burst = (mac: Mac, from: number, address = four): Word[] =>
  burstMs.map((ms) => ({ at: from + ms, mac, address }))
const until = (end: number, words: readonly Word[]): Word[] => words.filter(({ at }) => at <= end)

const asking = (asks: 'question' | 'probe', mac: Mac): Word[] =>
  burst(mac, mac === a ? 0 : 10).map((word) => ({ ...word, asks }))

function framesOf({ mac, address, asks }: Word): readonly Uint8Array[] {
  if (asks === 'probe') return [encodeArp(arpProbe(address, mac))]
  if (address.includes(':')) return [encodeNdp(ndpAnnouncement(address, mac))]
  const announced = arpAnnouncements(address, mac)
  if (asks === undefined) return announced.map(encodeArp)
  const question = { operation: 'request', targetIp: '192.0.2.9' as Ip } as const
  return announced.slice(0, 1).map((arp) => encodeArp({ ...arp, ...question }))
}

/** What a speaker that announces nothing reports about what it overhears. */
function told(...words: readonly (readonly Word[])[]) {
  const responder = new Responder({ mayAnswer: () => true })
  const port = { index: 2, name: 'eth0', mac: '02:00:00:00:00:01' as Mac }
  responder.ports(0, [{ ...port, families: ['IPv4', 'IPv6'] }], [port.mac])
  responder.peers(
    0,
    new Map([
      [a, 'node-a'],
      [a2, 'node-a'],
      [b, 'node-b'],
    ]),
  )
  const all = words.flat().toSorted((one, other) => one.at - other.at)
  return all.flatMap((word) => {
    for (const frame of framesOf(word)) {
      if (word.address === four) responder.heardArp(word.at, port.index, frame)
      else responder.heardNdp(word.at, port.index, frame)
    }
    return responder.takeEffects().map((effect) => ({ ...effect, at: word.at }))
  })
}

const seen = { kind: 'two-owners', interface: 'eth0', isAnnounced: false }

test.each([four, six])('two that start together with %s are reported once', (address) => {
  expect(told(burst(a, 0, address), burst(b, 10, address))).toEqual([
    { ...seen, address, mac: a, beside: b, at: 2_200 },
  ])
})

test('two that send requests from the address, as kernels do when an interface has it', () => {
  const all = told(asking('question', a), asking('question', b))
  expect(all).toMatchObject([{ ...seen, address: four, mac: a, beside: b }])
})

test('two that start one after the other', () => {
  expect(told(burst(a, 0), burst(b, 1_000))).toMatchObject([{ mac: b, beside: a }])
})

test('it is reported again after a while if it continues', () => {
  const forLong = (mac: Mac, from: number): Word[] =>
    Array.from({ length: 25 }, (_, at) => ({ at: from + 1_000 * at, mac, address: four }))
  expect(told(forLong(a, 0), forLong(b, 500)).map(({ at }) => at)).toEqual([3_000, 13_000, 23_000])
})

const peaceful: [string, Word[][]][] = [
  ['an address that moves', [until(900, burst(a, 0)), burst(b, 1_000)]],
  ['both announce for a moment', [until(1_150, burst(a, 0)), burst(b, 1_000)]],
  [
    'an address that moves and moves back',
    [burst(a, 0), until(3_000, burst(b, 6_000)), burst(a, 9_000)],
  ],
  ['two interfaces of one node', [burst(a, 0), burst(a2, 10)]],
  ['a MAC that belongs to no node', [burst(a, 0), burst('02:00:00:00:00:99' as Mac, 10)]],
  ['two that probe for the address', [asking('probe', a), asking('probe', b)]],
  ['two addresses', [burst(a, 0), burst(b, 10, six)]],
]
test.each(peaceful)('not a conflict: %s', (_, words) => {
  expect(told(...words)).toEqual([])
})

test('with many conflicts at once, some are reported', () => {
  const responder = new Responder({ mayAnswer: () => true })
  const mac = '02:00:00:00:00:01' as Mac
  responder.ports(0, [{ index: 2, name: 'eth0', mac, families: ['IPv4'] }], [mac])
  responder.peers(
    0,
    new Map([
      [a, 'node-a'],
      [b, 'node-b'],
    ]),
  )
  const addresses = Array.from({ length: 4_200 }, (_, n) => `10.0.${n >> 8}.${n & 255}` as Ip)
  const frames = [a, b].flatMap((from) =>
    addresses.flatMap((address) => framesOf({ at: 0, mac: from, address }).slice(0, 1)),
  )
  for (const ms of burstMs) for (const frame of frames) responder.heardArp(ms, 2, frame)
  expect(responder.takeEffects()).toHaveLength(4_096)
})
