// Proves what happens when another machine has the address: probed before use, defended in use.
import { expect, test } from 'vitest'
import {
  announcement,
  four,
  other,
  ours,
  peer,
  question,
  Stand,
  saying,
  six,
  solicitation,
} from '../../../../test/build/respondingStand.ts'
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { decodeArp, encodeArp, noIp } from '../../wire/arp.ts'
import { arpProbe } from '../../wire/arpAnswers.ts'
import { encodeNdp } from '../../wire/ndp.ts'
import { ndpAnnouncement, ndpProbe } from '../../wire/ndpAnswers.ts'

test('before first use it probes three times in 300 ms without answering, then announces', () => {
  const stand = new Stand()
  stand.announce(announcement(four, { start: 'probe' }), announcement(six, { start: 'probe' }))
  stand.runTo(299)
  expect(stand.times).toEqual([0, 0, 100, 100, 200, 200])
  for (const { frame } of stand.sent.filter(({ frame }) => frame[12] === 8)) {
    expect(decodeArp(frame)).toMatchObject({ value: { senderIp: noIp, targetIp: four } })
  }
  expect(stand.hears(question(four))).toBeUndefined()
  expect(stand.hears(solicitation(six))).toBeUndefined()
  expect(stand.kinds()).toEqual(['join'])
  stand.runTo(300)
  expect(stand.hears(question(four))).toBeDefined()
  expect(stand.kinds()).toEqual(['join', 'started', 'started'])
})

const conflicts: [string, Uint8Array][] = [
  ['an answer', saying(other)],
  ['a probe of its own', encodeArp(arpProbe(four, other))],
  ['an advertisement', encodeNdp(ndpAnnouncement(six, other))],
  ['duplicate address detection', encodeNdp(ndpProbe(six, other))],
]

test.each(conflicts)(
  'another machine has it, seen by %s: not announced, probed every 30 s',
  (_, frame) => {
    const stand = new Stand()
    const address = frame[12] === 8 ? four : six
    stand.announce(announcement(address, { start: 'probe' }))
    stand.runTo(150)
    stand.hears(frame)
    const sighting = { kind: 'foreign-owner', address, interface: 'eth0', mac: other }
    expect(stand.told.at(-1)).toEqual({ ...sighting, isAnnounced: false })
    stand.runTo(30_149)
    expect(stand.times).toEqual([0, 100])
    expect(stand.hears(address === four ? question(four) : solicitation(six))).toBeUndefined()
    stand.runTo(30_500)
    expect(stand.times.slice(2, 5)).toEqual([30_150, 30_250, 30_350])
    expect(stand.kinds().at(-1)).toBe('started')
  },
)

test('with announce-anyway it reports the conflict and announces', () => {
  const stand = new Stand()
  const wanted = announcement(four, { start: 'probe', shouldAnnounceAnyway: true })
  stand.announce(wanted)
  stand.runTo(50)
  stand.hears(saying(other))
  expect(stand.told.at(-1)).toMatchObject({ kind: 'foreign-owner', isAnnounced: true })
  stand.runTo(300)
  expect(stand.hears(question(four))).toBeDefined()
})

test('a refused address starts once announce-anyway is set', () => {
  const stand = new Stand()
  stand.announce(announcement(four, { start: 'probe' }))
  stand.hears(saying(other))
  expect(stand.hears(question(four))).toBeUndefined()
  stand.announce(announcement(four, { start: 'probe', shouldAnnounceAnyway: true }))
  expect(stand.hears(question(four))).toBeDefined()
})

test('our own MACs and those of peers are not a conflict', () => {
  const stand = new Stand()
  stand.responder.peers(stand.now, new Map([[peer, 'node-2']]))
  stand.announce(announcement(four, { start: 'probe' }))
  for (const mac of [ours, peer, '02:00:00:00:00:77' as Mac]) stand.hears(saying(mac))
  stand.runTo(300)
  expect(stand.kinds()).toEqual(['started'])
})

test('an address refused because of a peer is probed again once the peer is known', () => {
  const stand = new Stand()
  const another = '192.0.2.2' as Ip
  stand.announce(announcement(four, { start: 'probe' }), announcement(another, { start: 'probe' }))
  stand.hears(saying(peer))
  stand.hears(saying(other, another))
  stand.runTo(1_000)
  stand.responder.peers(stand.now, new Map([[peer, 'node-2']]))
  stand.runTo(1_300)
  expect(stand.hears(question(four))).toBeDefined()
  expect(stand.hears(question(another))).toBeUndefined()
})

test('with unknown peers, another owner during the 2 s of a handover is not reported', () => {
  const stand = new Stand({ hasUnknownPeers: true })
  stand.announce(announcement(four))
  stand.runTo(10_000)
  stand.sent.length = 0
  for (const at of [10_000, 10_500, 11_900]) {
    stand.runTo(at)
    stand.hears(saying(other))
  }
  expect([stand.kinds(), stand.sent]).toEqual([['started'], []])
  stand.runTo(12_100)
  stand.hears(saying(other))
  expect(stand.kinds()).toEqual(['started', 'foreign-owner'])
  expect(stand.times).toEqual([12_100, 12_100])
})

test('with unknown peers, an address that another machine has is still not announced', () => {
  const stand = new Stand({ hasUnknownPeers: true })
  stand.announce(announcement(four, { start: 'probe' }))
  stand.hears(saying(other))
  expect(stand.told.at(-1)).toMatchObject({ kind: 'foreign-owner', isAnnounced: false })
})

test('in use, it is defended and reported at most once in 10 s', () => {
  const stand = new Stand()
  stand.announce(announcement(four))
  stand.runTo(5_000)
  stand.sent.length = 0
  for (let at = 5_000; at < 25_000; at += 100) {
    stand.runTo(at)
    stand.hears(saying(other))
  }
  expect(stand.times).toEqual([5_000, 5_000, 15_000, 15_000])
  const seen = stand.told.filter(({ kind }) => kind === 'foreign-owner')
  expect(seen).toHaveLength(2)
  expect(seen[0]).toMatchObject({ mac: other, isAnnounced: true })
})

test('a peer may also answer for 2 s of a handover; after that there are two owners', () => {
  const stand = new Stand()
  stand.responder.peers(stand.now, new Map([[peer, 'node-2']]))
  stand.announce(announcement(four))
  const hearAt = (...times: readonly number[]): readonly string[] => {
    for (const at of times) {
      stand.runTo(at)
      stand.hears(saying(peer))
    }
    return stand.kinds().filter((kind) => kind !== 'started')
  }
  expect(hearAt(1_000, 2_000, 3_000)).toEqual([])
  expect(hearAt(20_000, 22_000), 'much later, a new handover').toEqual([])
  expect(hearAt(22_100)).toEqual(['two-owners'])
  expect(hearAt(23_000)).toEqual(['two-owners'])
})

test('an address that a peer announced by mistake is announced again after the peer gives up', () => {
  const stand = new Stand()
  stand.responder.peers(stand.now, new Map([[peer, 'node-b']]))
  stand.announce(announcement(four))
  stand.runTo(10_000)
  stand.sent.length = 0
  for (const at of [10_000, 10_100, 10_500]) {
    stand.runTo(at)
    stand.hears(saying(peer))
  }
  stand.runTo(11_900)
  expect(stand.sent).toEqual([])
  stand.runTo(20_000)
  const rounds = [...new Set(stand.sent.map(({ at }) => at - 12_000))]
  expect(rounds).toEqual([0, 100, 500, 1_100, 2_200, 4_400])
})

test('an address that we give up ourselves is not announced again', () => {
  const stand = new Stand()
  stand.responder.peers(stand.now, new Map([[peer, 'node-b']]))
  stand.announce(announcement(four))
  stand.runTo(10_000)
  stand.sent.length = 0
  stand.hears(saying(peer))
  stand.responder.withdraw([four])
  stand.runTo(20_000)
  expect(stand.sent).toEqual([])
})

test('many forged senders do not exhaust memory', () => {
  const stand = new Stand()
  stand.announce(announcement(four))
  for (let n = 0; n < 1_000; n++) {
    const mac = `02:00:00:00:${(n >> 8).toString(16).padStart(2, '0')}:${(n & 255)
      .toString(16)
      .padStart(2, '0')}`
    stand.hears(saying(mac as Mac))
  }
  expect(stand.kinds().filter((kind) => kind === 'foreign-owner')).toHaveLength(1)
})
