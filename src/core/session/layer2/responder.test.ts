import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { ipOctets } from '../../net/octets.ts'
import { decodeArp, encodeArp, noIp, noMac } from '../../wire/arp.ts'
import { arpAnnouncements, arpProbe } from '../../wire/arpAnswers.ts'
import { decodeNdp, encodeNdp, solicitedNode, unspecified } from '../../wire/ndp.ts'
import { ndpAnnouncement, ndpProbe } from '../../wire/ndpAnswers.ts'
import type { Claimed, Counted, Effect } from './claim.ts'
import type { Port } from './port.ts'
import { Responder, type ResponderOptions } from './responder.ts'

const [ours, other, fellow, client] = [1, 2, 3, 9].map((n) => `02:00:00:00:00:0${n}` as Mac) as [
  Mac,
  Mac,
  Mac,
  Mac,
]
const [four, six] = ['192.0.2.1' as Ip, 'fd00::1' as Ip]
const eth0: Port = { index: 2, name: 'eth0', mac: ours, families: ['IPv4', 'IPv6'] }
const eth1: Port = { index: 3, name: 'eth1', mac: '02:00:00:00:01:01' as Mac, families: ['IPv4'] }

const claim = (address: Ip, more: Partial<Claimed> = {}): Claimed => ({
  address,
  interfaces: 'all',
  start: 'burst',
  ...more,
})
const broadcast = 'ff:ff:ff:ff:ff:ff' as Mac
const question = (target: Ip): Uint8Array =>
  encodeArp({
    destination: broadcast,
    source: client,
    operation: 'request',
    senderMac: client,
    senderIp: '192.0.2.9' as Ip,
    targetMac: noMac,
    targetIp: target,
  })
const solicitation = (target: Ip, source = 'fd00::9' as Ip): Uint8Array =>
  encodeNdp({
    kind: 'solicitation',
    destinationMac: '33:33:ff:00:00:01' as Mac,
    sourceMac: client,
    destination: solicitedNode(target),
    source,
    target,
    linkLayer: undefined,
  })
/** What a machine says that has the address. */
const saying = (mac: Mac, address = four): Uint8Array => {
  const [, reply] = arpAnnouncements(address, mac)
  if (reply === undefined) throw new Error('no reply')
  return encodeArp(reply)
}

/** Time goes on as far as it is told to. */
class Stand {
  now = 0
  mayAnswer = true
  readonly sent: { readonly at: number; readonly port: number; readonly frame: Uint8Array }[] = []
  readonly told: Effect[] = []
  readonly responder: Responder

  constructor(options: Omit<ResponderOptions, 'mayAnswer'> = {}) {
    this.responder = new Responder({ ...options, mayAnswer: () => this.mayAnswer })
    this.ports(eth0)
  }

  ports(...ports: readonly Port[]): void {
    const macs = [...ports.map(({ mac }) => mac), '02:00:00:00:00:77' as Mac]
    this.responder.ports(this.now, ports, macs)
    this.#collect()
  }

  claim(...claims: readonly Claimed[]): void {
    this.responder.claim(this.now, claims)
    this.#collect()
  }

  hears(frame: Uint8Array, port = eth0.index): Uint8Array | undefined {
    const isArp = frame[12] === 8
    const answer = isArp
      ? this.responder.heardArp(this.now, port, frame)
      : this.responder.heardNdp(this.now, port, frame)
    this.#collect()
    return answer
  }

  runTo(end: number): void {
    for (;;) {
      const { nextAt } = this.responder
      if (nextAt === undefined || nextAt > end) break
      this.now = Math.max(this.now, nextAt)
      this.responder.tick(this.now)
      this.#collect()
      if (!this.mayAnswer) break
    }
    this.now = end
  }

  get times(): readonly number[] {
    return this.sent.map(({ at }) => at)
  }

  kinds(): readonly string[] {
    return this.told.map(({ kind }) => kind)
  }

  #collect(): void {
    for (const effect of this.responder.takeEffects()) {
      if (effect.kind === 'send') this.sent.push({ at: this.now, ...effect })
      else this.told.push(effect)
    }
  }
}

test('[M5.5] it answers for what it announces, on the interface where it was asked', () => {
  const stand = new Stand()
  stand.ports(eth0, eth1)
  stand.claim(claim(four, { interfaces: ['eth0'] }))
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
  stand.claim(claim(six))
  const answer = decodeNdp(stand.hears(solicitation(six)) ?? new Uint8Array())
  expect(answer).toMatchObject({
    value: { destinationMac: client, isSolicited: true, isOverride: true, linkLayer: ours },
  })
  const toAll = decodeNdp(stand.hears(solicitation(six, unspecified)) ?? new Uint8Array())
  expect(toAll).toMatchObject({ value: { destination: 'ff02::1', isSolicited: false } })
})

test('[M12.2] bursts are at 0, 0.1, 0.5, 1.1, 2.2 and 4.4 s, in both forms', () => {
  const stand = new Stand()
  stand.claim(claim(four))
  stand.runTo(60_000)
  const rounds = [0, 100, 500, 1_100, 2_200, 4_400]
  expect(stand.times).toEqual(rounds.flatMap((at) => [at, at]))
  const operations = stand.sent.map(({ frame }) => decodeArp(frame))
  expect(operations[0]).toMatchObject({ value: { operation: 'request' } })
  expect(operations[1]).toMatchObject({ value: { operation: 'reply' } })
  expect(stand.told).toEqual([{ kind: 'started', address: four, interface: 'eth0' }])
})

test('[M12.2] the same claim again announces nothing', () => {
  const stand = new Stand()
  stand.claim(claim(four))
  stand.runTo(10_000)
  const before = stand.sent.length
  stand.claim(claim(four), claim(four, { start: 'probe' }))
  stand.runTo(20_000)
  expect(stand.sent).toHaveLength(before)
})

test('[M12.2] where wanted it is announced again from time to time', () => {
  const stand = new Stand({ refreshMs: 30_000 })
  stand.claim(claim(six))
  stand.runTo(64_400)
  expect(stand.times.slice(6)).toEqual([34_400, 64_400])
})

test('a claim on more interfaces announces only on the new ones', () => {
  const stand = new Stand()
  stand.ports(eth0, eth1)
  stand.claim(claim(four, { interfaces: ['eth0'] }))
  stand.runTo(10_000)
  stand.sent.length = 0
  stand.claim(claim(four, { interfaces: ['eth0', 'eth1'] }))
  stand.runTo(20_000)
  expect(stand.sent).toHaveLength(12)
  expect(new Set(stand.sent.map(({ port }) => port))).toEqual(new Set([eth1.index]))
})

test('[M12.2] an interface that comes later answers, and its groups are joined', () => {
  const stand = new Stand()
  stand.ports()
  stand.claim(claim(four), claim(six))
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

test('an interface with another MAC answers with it and announces it', () => {
  const stand = new Stand()
  stand.claim(claim(four))
  stand.runTo(10_000)
  stand.sent.length = 0
  stand.ports({ ...eth0, mac: other })
  const answer = stand.hears(question(four)) ?? new Uint8Array()
  expect(decodeArp(answer)).toMatchObject({ value: { senderMac: other } })
  stand.runTo(20_000)
  expect(stand.sent).toHaveLength(12)
  expect(stand.kinds()).toEqual(['started'])
})

test('a name decides: who is renamed away answers no more', () => {
  const stand = new Stand()
  stand.claim(claim(four, { interfaces: ['eth0'] }))
  stand.ports({ ...eth0, name: 'lan0' })
  expect(stand.hears(question(four))).toBeUndefined()
  stand.ports(eth0)
  expect(stand.hears(question(four))).toBeDefined()
})

test('past its deadline it neither answers nor announces; later the burst goes on', () => {
  const stand = new Stand()
  stand.claim(claim(four))
  stand.runTo(50)
  stand.mayAnswer = false
  expect(stand.hears(question(four))).toBeUndefined()
  stand.runTo(5_000)
  expect(stand.times).toEqual([0, 0])
  stand.mayAnswer = true
  stand.runTo(20_000)
  // With the pauses that it would have had.
  expect(stand.times.slice(2)).toEqual(
    [5_000, 5_400, 6_000, 7_100, 9_300].flatMap((at) => [at, at]),
  )
})

test('the first time it asks three times within 300 ms, silent, and then announces', () => {
  const stand = new Stand()
  stand.claim(claim(four, { start: 'probe' }), claim(six, { start: 'probe' }))
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
  ['a question of its own', encodeArp(arpProbe(four, other))],
  ['an advertisement', encodeNdp(ndpAnnouncement(six, other))],
  ['duplicate address detection', encodeNdp(ndpProbe(six, other))],
]

test.each(conflicts)(
  'a machine that has it, by %s: not announced, tried every 30 s',
  (_, frame) => {
    const stand = new Stand()
    const address = frame[12] === 8 ? four : six
    stand.claim(claim(address, { start: 'probe' }))
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

test('who is to announce anyway says so and announces', () => {
  const stand = new Stand()
  const wanted = claim(four, { start: 'probe', shouldAnnounceAnyway: true })
  stand.claim(wanted)
  stand.runTo(50)
  stand.hears(saying(other))
  expect(stand.told.at(-1)).toMatchObject({ kind: 'foreign-owner', isAnnounced: true })
  stand.runTo(300)
  expect(stand.hears(question(four))).toBeDefined()
})

test('an address that was refused starts when it is to be announced anyway', () => {
  const stand = new Stand()
  stand.claim(claim(four, { start: 'probe' }))
  stand.hears(saying(other))
  expect(stand.hears(question(four))).toBeUndefined()
  stand.claim(claim(four, { start: 'probe', shouldAnnounceAnyway: true }))
  expect(stand.hears(question(four))).toBeDefined()
})

test('our own MACs and those of fellows are no conflict', () => {
  const stand = new Stand()
  stand.responder.fellows(stand.now, new Map([[fellow, 'node-2']]))
  stand.claim(claim(four, { start: 'probe' }))
  for (const mac of [ours, fellow, '02:00:00:00:00:77' as Mac]) stand.hears(saying(mac))
  stand.runTo(300)
  expect(stand.kinds()).toEqual(['started'])
})

test('what was refused for a fellow that was not known yet is asked for again at once', () => {
  const stand = new Stand()
  const another = '192.0.2.2' as Ip
  stand.claim(claim(four, { start: 'probe' }), claim(another, { start: 'probe' }))
  stand.hears(saying(fellow))
  stand.hears(saying(other, another))
  stand.runTo(1_000)
  stand.responder.fellows(stand.now, new Map([[fellow, 'node-2']]))
  stand.runTo(1_300)
  expect(stand.hears(question(four))).toBeDefined()
  expect(stand.hears(question(another))).toBeUndefined()
})

test('where fellows are not known, whoever has it for 2 s of a handover is not told', () => {
  const stand = new Stand({ hasUnknownFellows: true })
  stand.claim(claim(four))
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

test('where fellows are not known, an address that another has is not begun with all the same', () => {
  const stand = new Stand({ hasUnknownFellows: true })
  stand.claim(claim(four, { start: 'probe' }))
  stand.hears(saying(other))
  expect(stand.told.at(-1)).toMatchObject({ kind: 'foreign-owner', isAnnounced: false })
})

test('while in use it is defended once in 10 s, and told as often', () => {
  const stand = new Stand()
  stand.claim(claim(four))
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

test('a fellow may answer too for 2 s of a handover; then there are two owners', () => {
  const stand = new Stand()
  stand.responder.fellows(stand.now, new Map([[fellow, 'node-2']]))
  stand.claim(claim(four))
  const hearAt = (...times: readonly number[]): readonly string[] => {
    for (const at of times) {
      stand.runTo(at)
      stand.hears(saying(fellow))
    }
    return stand.kinds().filter((kind) => kind !== 'started')
  }
  expect(hearAt(1_000, 2_000, 3_000)).toEqual([])
  expect(hearAt(20_000, 22_000), 'long after, a handover again').toEqual([])
  expect(hearAt(22_100)).toEqual(['two-owners'])
  expect(hearAt(23_000)).toEqual(['two-owners'])
})

test('what a fellow announced by mistake is announced anew when he has given it up', () => {
  const stand = new Stand()
  stand.responder.fellows(stand.now, new Map([[fellow, 'node-b']]))
  stand.claim(claim(four))
  stand.runTo(10_000)
  stand.sent.length = 0
  for (const at of [10_000, 10_100, 10_500]) {
    stand.runTo(at)
    stand.hears(saying(fellow))
  }
  stand.runTo(11_900)
  expect(stand.sent).toEqual([])
  stand.runTo(20_000)
  const rounds = [...new Set(stand.sent.map(({ at }) => at - 12_000))]
  expect(rounds).toEqual([0, 100, 500, 1_100, 2_200, 4_400])
})

test('what we give up ourselves is not announced anew', () => {
  const stand = new Stand()
  stand.responder.fellows(stand.now, new Map([[fellow, 'node-b']]))
  stand.claim(claim(four))
  stand.runTo(10_000)
  stand.sent.length = 0
  stand.hears(saying(fellow))
  stand.responder.withdraw([four])
  stand.runTo(20_000)
  expect(stand.sent).toEqual([])
})

test('many senders under many names do not fill it', () => {
  const stand = new Stand()
  stand.claim(claim(four))
  for (let n = 0; n < 1_000; n++) {
    const mac = `02:00:00:00:${(n >> 8).toString(16).padStart(2, '0')}:${(n & 255)
      .toString(16)
      .padStart(2, '0')}`
    stand.hears(saying(mac as Mac))
  }
  expect(stand.kinds().filter((kind) => kind === 'foreign-owner')).toHaveLength(1)
})

test('[M7.1] what was asked, answered and announced is counted by address', () => {
  const stand = new Stand()
  stand.claim(claim(four), claim(six))
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

test('of 1,000 addresses that move each is announced, in slices', () => {
  const stand = new Stand()
  const all = Array.from({ length: 1_000 }, (_, n) => `10.0.${n >> 8}.${n & 255}` as Ip)
  stand.claim(...all.map((address) => claim(address)))
  stand.responder.tick(0)
  const first = stand.responder.takeEffects().length
  expect(first).toBeLessThan(600)
  stand.runTo(50)
  expect(stand.sent.length + first).toBe(2_000)
})

test('[P5] no bytes throw, and none is answered that is not about us', () => {
  const stand = new Stand()
  stand.claim(claim(four), claim(six, { start: 'probe' }))
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
