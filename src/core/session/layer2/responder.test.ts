// Proves what is answered and announced, when, and where.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  announcement,
  client,
  eth0,
  eth1,
  four,
  other,
  ours,
  question,
  Stand,
  saying,
  six,
  solicitation,
} from '../../../../test/build/respondingStand.ts'
import type { Ip } from '../../net/ip.ts'
import { ipOctets } from '../../net/octets.ts'
import { decodeArp } from '../../wire/arp.ts'
import { decodeNdp, solicitedNode, unspecified } from '../../wire/ndp.ts'
import type { Counted } from './announcement.ts'

test('[M5.5] it answers for announced addresses on the interface that received the request', () => {
  const stand = new Stand()
  stand.ports(eth0, eth1)
  stand.announce(announcement(four, { interfaces: ['eth0'] }))
  const answer = stand.hears(question(four))
  expect(decodeArp(answer ?? new Uint8Array())).toMatchObject({
    value: { operation: 'reply', senderMac: ours, senderIp: four, destination: client },
  })
  expect(stand.hears(question(four), eth1.index)).toBeUndefined()
  expect(stand.hears(question('192.0.2.2' as Ip))).toBeUndefined()
  stand.responder.withdraw([four])
  expect(stand.hears(question(four))).toBeUndefined()
})

test('[M12.2] a solicitation without a link-layer address is answered, and overrides', () => {
  const stand = new Stand()
  stand.announce(announcement(six))
  const answer = decodeNdp(stand.hears(solicitation(six)) ?? new Uint8Array())
  expect(answer).toMatchObject({
    value: { destinationMac: client, isSolicited: true, isOverride: true, linkLayer: ours },
  })
  const toAll = decodeNdp(stand.hears(solicitation(six, unspecified)) ?? new Uint8Array())
  expect(toAll).toMatchObject({ value: { destination: 'ff02::1', isSolicited: false } })
})

test('[M12.2] first announcements go out before repeats', () => {
  const stand = new Stand()
  stand.announce(announcement(four))
  stand.runTo(50)
  const before = stand.sent.length
  // The first address's second round is already due.
  stand.now = 150
  const late = '192.0.2.2' as Ip
  stand.announce(announcement(late))
  stand.runTo(150)
  const said = stand.sent.slice(before).map(({ frame }) => decodeArp(frame))
  const order = said.flatMap((arp) => (arp.ok ? arp.value.senderIp : []))
  expect(order).toEqual([late, late, four, four])
})

test('[M12.2] bursts are at 0, 0.1, 0.5, 1.1, 2.2 and 4.4 s, in both forms', () => {
  const stand = new Stand()
  stand.announce(announcement(four))
  stand.runTo(60_000)
  const rounds = [0, 100, 500, 1_100, 2_200, 4_400]
  expect(stand.times).toEqual(rounds.flatMap((at) => [at, at]))
  const operations = stand.sent.map(({ frame }) => decodeArp(frame))
  expect(operations[0]).toMatchObject({ value: { operation: 'request' } })
  expect(operations[1]).toMatchObject({ value: { operation: 'reply' } })
  expect(stand.told).toEqual([{ kind: 'started', address: four, interface: 'eth0' }])
})

test('[M12.2] the same announcement again announces nothing', () => {
  const stand = new Stand()
  stand.announce(announcement(four))
  stand.runTo(10_000)
  const before = stand.sent.length
  stand.announce(announcement(four), announcement(four, { start: 'probe' }))
  stand.runTo(20_000)
  expect(stand.sent).toHaveLength(before)
})

test('[M12.2] with a refresh interval it announces again', () => {
  const stand = new Stand({ refreshMs: 30_000 })
  stand.announce(announcement(six))
  stand.runTo(64_400)
  expect(stand.times.slice(6)).toEqual([34_400, 64_400])
})

test('an announcement on more interfaces announces only on the new ones', () => {
  const stand = new Stand()
  stand.ports(eth0, eth1)
  stand.announce(announcement(four, { interfaces: ['eth0'] }))
  stand.runTo(10_000)
  stand.sent.length = 0
  stand.announce(announcement(four, { interfaces: ['eth0', 'eth1'] }))
  stand.runTo(20_000)
  expect(stand.sent).toHaveLength(12)
  expect(new Set(stand.sent.map(({ port }) => port))).toEqual(new Set([eth1.index]))
})

test('[M12.2] an interface that appears later answers and joins its groups', () => {
  const stand = new Stand()
  stand.ports()
  stand.announce(announcement(four), announcement(six))
  expect(stand.hears(question(four))).toBeUndefined()
  stand.ports(eth0)
  expect(stand.hears(question(four))).toBeDefined()
  expect(stand.kinds().toSorted()).toEqual(['join', 'started', 'started'])
  const join = { kind: 'join', port: eth0.index, group: ipOctets(solicitedNode(six)) }
  expect(stand.told).toContainEqual(join)
  stand.ports()
  expect(stand.kinds()).toContain('leave')
  expect(stand.responder.nextAt).toBeUndefined()
})

test('an interface whose MAC changes answers with the new one and announces it', () => {
  const stand = new Stand()
  stand.announce(announcement(four))
  stand.runTo(10_000)
  stand.sent.length = 0
  stand.ports({ ...eth0, mac: other })
  const answer = stand.hears(question(four)) ?? new Uint8Array()
  expect(decodeArp(answer)).toMatchObject({ value: { senderMac: other } })
  stand.runTo(20_000)
  expect(stand.sent).toHaveLength(12)
  expect(stand.kinds()).toEqual(['started'])
})

test('an interface renamed out of the list stops answering', () => {
  const stand = new Stand()
  stand.announce(announcement(four, { interfaces: ['eth0'] }))
  stand.ports({ ...eth0, name: 'lan0' })
  expect(stand.hears(question(four))).toBeUndefined()
  stand.ports(eth0)
  expect(stand.hears(question(four))).toBeDefined()
})

test('past its deadline it neither answers nor announces; later the burst continues', () => {
  const stand = new Stand()
  stand.announce(announcement(four))
  stand.runTo(50)
  stand.mayAnswer = false
  expect(stand.hears(question(four))).toBeUndefined()
  stand.runTo(5_000)
  expect(stand.times).toEqual([0, 0])
  stand.mayAnswer = true
  stand.runTo(20_000)
  // With the original pauses between rounds.
  expect(stand.times.slice(2)).toEqual(
    [5_000, 5_400, 6_000, 7_100, 9_300].flatMap((at) => [at, at]),
  )
})

test('[M7.1] requests, answers and announcements are counted by address', () => {
  const stand = new Stand()
  stand.announce(announcement(four), announcement(six))
  stand.runTo(10_000)
  for (let n = 0; n < 3; n++) stand.hears(question(four))
  stand.mayAnswer = false
  stand.hears(question(four))
  const byAddress = (one: Counted, two: Counted): number => (one.address < two.address ? -1 : 1)
  expect([...stand.responder.takeCounts()].sort(byAddress)).toEqual([
    { address: four, requests: 4, responses: 3, gratuitous: 6 },
    { address: six, requests: 0, responses: 0, gratuitous: 6 },
  ])
  expect(stand.responder.takeCounts()).toEqual([])
})

test('all of 1,000 moving addresses are announced, in slices', () => {
  const stand = new Stand()
  const all = Array.from({ length: 1_000 }, (_, n) => `10.0.${n >> 8}.${n & 255}` as Ip)
  stand.announce(...all.map((address) => announcement(address)))
  stand.responder.tick(0)
  const first = stand.responder.takeEffects().length
  expect(first).toBeLessThan(600)
  stand.runTo(50)
  expect(stand.sent.length + first).toBe(2_000)
})

test('[P5] no frame throws, and only requests for our addresses are answered', () => {
  const stand = new Stand()
  stand.announce(announcement(four), announcement(six, { start: 'probe' }))
  const heads = fc.constantFrom(question(four), solicitation(six), saying(other), Uint8Array.of())
  fc.assert(
    fc.property(heads, fc.nat(90), fc.uint8Array({ maxLength: 200 }), (head, at, tail) => {
      const frame = Uint8Array.of(...head.subarray(0, at), ...tail)
      stand.responder.heardArp(stand.now, eth0.index, frame)
      stand.responder.heardNdp(stand.now, eth0.index, frame)
      stand.responder.heardArp(stand.now, 77, frame)
    }),
  )
})
