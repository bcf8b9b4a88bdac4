import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { parsePrefix } from '../../net/range.ts'
import { encodeMessage } from '../../wire/gossip/encodeMessage.ts'
import type { Body, Facts, Message } from '../../wire/gossip/message.ts'
import type { Effect, OwnFacts, Via } from './member.ts'
import { Membership } from './membership.ts'

const endpoint = (number: number) => ({ address: `10.0.0.${number}` as Ip, port: 7947 })
const up = { isUp: true, isUsed: true } as const
const own = (number: number): OwnFacts => ({
  ...{ endpoint: endpoint(number), isReady: true, hasApi: true },
  links: [{ name: 'eth0', mac: `02:00:00:00:00:0${number}` as Mac, ...up, subnets: [] }],
})
const via = (number: number): Via => ({ kind: 'udp', endpoint: endpoint(number) })

const started = (node: string, number: number, bornMs = 1000) =>
  new Membership({ node, bornMs, own: own(number), now: 0, random: () => 0.5 })

const factsOf = (node: string, number: number, change: Partial<Facts> = {}): Facts => ({
  ...{ node, incarnation: 1_000_000, version: 1, isLeaving: false, ...own(number), ...change },
})
const say = (from: string, body: Body, incarnation = 1_000_000): Message => ({
  ...{ from, incarnation, ...body },
})

/** `a` at 1, which has heard of `b` at 2 and `c` at 3. */
function ofThree(): Membership {
  const membership = started('a', 1)
  const say2 = say('b', { kind: 'facts', facts: [factsOf('b', 2)] })
  const say3 = say('c', { kind: 'facts', facts: [factsOf('c', 3)] })
  membership.heard(0, via(2), say2)
  membership.heard(0, via(3), say3)
  membership.tick(0)
  return membership
}

const sends = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.kind === 'send' ? [effect] : []))
const told = (effects: readonly Effect[], kind: Body['kind']) =>
  sends(effects).filter(({ message }) => message.kind === kind)
const stateOf = (membership: Membership, node: string) =>
  membership.members().find((member) => member.node === node)?.state

const silent = (node: string, incarnation = 1_000_000) =>
  ({ kind: 'reports', reports: [{ node, incarnation, link: undefined, isHeard: false }] }) as const

test('who is accused objects to all, in a higher incarnation, three times', () => {
  const membership = ofThree()
  const effects = membership.heard(10, via(2), say('b', silent('a')))
  expect(told(effects, 'facts')).toMatchObject([
    { to: [endpoint(2), endpoint(3)], message: { facts: [{ incarnation: 1_000_001 }] } },
  ])
  const later = Array.from({ length: 10 }, (_, at) => membership.tick(40 * (at + 1)))
  const again = later.flatMap((one) => told(one, 'facts'))
  expect(again).toHaveLength(2)
  expect(told(membership.heard(400, via(3), say('c', silent('a'))), 'facts')).toMatchObject([
    { to: [endpoint(3)] },
  ])
})

test('one that is accused by one and heard by us lives, and all are told so', () => {
  const membership = ofThree()
  const beat = { kind: 'beat', sequence: 1, link: undefined } as const
  membership.heard(5, via(2), say('b', beat))
  const effects = membership.heard(10, via(3), say('c', silent('b')))
  expect(told(effects, 'reports')).toMatchObject([
    { message: { reports: [{ node: 'b', isHeard: true }] } },
  ])
  expect(stateOf(membership, 'b')).toBe('accused')
  membership.tick(60)
  expect(stateOf(membership, 'b')).toBe('accused')
})

test('an accusation that nobody contradicts is a death one beat later', () => {
  const membership = ofThree()
  membership.heard(10, via(3), say('c', silent('b')))
  membership.tick(40)
  expect(stateOf(membership, 'b')).toBe('accused')
  expect(membership.nextTickAt).toBe(50)
  expect(membership.tick(50)).toContainEqual({ kind: 'changed' })
  expect(stateOf(membership, 'b')).toBe('dead')
})

test('what the dead say of others does not count, but they are told that they are dead', () => {
  const membership = ofThree()
  membership.heard(10, via(3), say('c', silent('b')))
  for (const now of [40, 50]) membership.tick(now)
  const effects = membership.heard(60, via(2), say('b', silent('c')))
  expect(stateOf(membership, 'c')).toBe('alive')
  expect(told(effects, 'digest')).toMatchObject([
    { to: [endpoint(2)], message: { peerStates: [{ node: 'b', state: 'dead' }] } },
  ])
})

test('of two processes of one node the newer one speaks, the older one when that is dead', () => {
  const older = started('a', 1, 1000)
  const endpoint4 = { ...endpoint(1), port: 7948 }
  const newer = started('a', 1, 2000)
  newer.update(0, { ...own(1), endpoint: endpoint4 })
  const greeting = say('a', { kind: 'facts', facts: [...newer.members()].map((one) => one.facts) })
  const via4: Via = { kind: 'udp', endpoint: endpoint4 }
  expect(older.heard(1, via4, { ...greeting, incarnation: 2_000_000 })).toContainEqual({
    kind: 'changed',
  })
  expect(older.isSuperseded).toBe(true)
  expect(older.tick(40).filter(({ kind }) => kind !== 'send')).toEqual([])
  const [answer] = told(newer.heard(1, via(1), say('a', silent('b'))), 'digest')
  expect(answer).toMatchObject({ to: [endpoint(1)], message: { peerStates: [{ node: 'a' }] } })
  const dead = { node: 'a', incarnation: 2_000_000, version: 1, state: 'dead' } as const
  older.heard(50, via(2), say('b', { kind: 'digest', wantsReply: false, peerStates: [dead] }))
  expect(older.isSuperseded).toBe(false)
  expect(older.members()[0]?.facts.incarnation).toBeGreaterThan(2_000_000)
})

test('one that was superseded does not run its timer all the time', () => {
  const older = started('a', 1, 1000)
  older.heard(1, via(1), say('a', { kind: 'want', nodes: [] }, 2_000_000))
  older.tick(40)
  expect(older.nextTickAt).toBeGreaterThan(40)
})

test('facts that say nothing new are not told', () => {
  const membership = ofThree()
  expect(membership.update(10, own(1))).toEqual([])
  expect(told(membership.update(20, { ...own(1), hasApi: false }), 'facts')).toMatchObject([
    { message: { facts: [{ version: 2, hasApi: false }] } },
  ])
})

test('what a message cannot carry is left out of the own facts', () => {
  const membership = started('a', 1)
  const prefix = parsePrefix('192.0.2.0/24')
  const subnets = Array.from({ length: 40 }, () => prefix).flatMap((one) =>
    one.ok ? one.value : [],
  )
  const [link] = own(1).links
  const links = ['eth0', 'ü', 'a-name-of-16-char'].flatMap((name) =>
    link === undefined ? [] : { ...link, name, subnets },
  )
  membership.update(1, { ...own(1), links })
  const carried = membership.members()[0]?.facts.links ?? []
  expect(carried.map(({ name }) => name)).toEqual(['eth0'])
  expect(carried[0]?.subnets).toHaveLength(16)
})

test('a digest of many members goes out in datagrams that fit', () => {
  const membership = started('a', 1)
  for (const facts of Array.from({ length: 300 }, (_, at) => factsOf(`node-${at}.example.net`, 2)))
    membership.heard(0, via(2), say(facts.node, { kind: 'facts', facts: [facts] }))
  const sent = sends(membership.tick(1))
  expect(told(sent, 'digest').length).toBeGreaterThan(3)
  for (const { message } of sent) {
    expect(encodeMessage(message).length).toBeLessThanOrEqual(1200)
  }
})

test('beats are the same message for all, to four at most', () => {
  const membership = started('a', 1)
  for (const at of Array.from({ length: 30 }, (_, at) => at)) {
    const facts = [factsOf(`node-${at}`, at + 2)]
    membership.heard(0, via(at + 2), say(`node-${at}`, { kind: 'facts', facts }))
  }
  const beats = told(membership.tick(0), 'beat')
  expect(beats).toHaveLength(1)
  expect(beats[0]?.to).toHaveLength(4)
})

const node = fc.constantFrom('a', 'b', 'c', 'd')
const incarnation = fc.constantFrom(0, 1_000_000, 1_000_001, 9_000_000)
const version = fc.nat(3)
const link = fc.constantFrom(undefined, 'eth0', 'eth1')
const state = fc.constantFrom('alive' as const, 'dead' as const, 'left' as const)
const facts = fc
  .record({ node, incarnation, version, isReady: fc.boolean(), isLeaving: fc.boolean() })
  .map((change) => factsOf(change.node, 5, change))
const bodies: fc.Arbitrary<Body> = fc.oneof(
  fc.record({
    ...{ kind: fc.constant('beat' as const), sequence: fc.nat(9), link: fc.constant(undefined) },
  }),
  fc.record({
    ...{ kind: fc.constant('beat' as const), sequence: fc.nat(9), seen: fc.nat(9) },
    ...{ link: fc.constantFrom('eth0', 'eth1') },
  }),
  fc.record({ kind: fc.constant('facts' as const), facts: fc.array(facts) }),
  fc.record({
    kind: fc.constant('reports' as const),
    reports: fc.array(fc.record({ node, incarnation, link, isHeard: fc.boolean() })),
  }),
  fc.record({
    kind: fc.constant('digest' as const),
    wantsReply: fc.boolean(),
    peerStates: fc.array(fc.record({ node, incarnation, version, state })),
  }),
  fc.record({ kind: fc.constant('want' as const), nodes: fc.array(node) }),
)
const heard = fc.record({
  message: fc.tuple(node, incarnation, bodies).map(([from, life, body]) => say(from, body, life)),
  via: fc.constantFrom<Via>(via(2), via(3), {
    ...{ kind: 'link', link: 'eth0', mac: '02:00:00:00:00:02' as Mac },
  }),
  afterMs: fc.nat(400),
})

test('whatever is heard, it goes on: it beats, its timer moves, its own node lives', () => {
  const goesOn = (events: { message: Message; via: Via; afterMs: number }[]) => {
    const membership = ofThree()
    let now = 0
    for (const { message, via: how, afterMs } of events) {
      now += afterMs
      membership.heard(now, how, message)
      membership.tick(now)
      expect(membership.nextTickAt).toBeGreaterThan(now)
      expect(stateOf(membership, 'a')).toBe('alive')
      for (const { facts: known } of membership.members()) {
        expect(Number.isSafeInteger(known.incarnation)).toBe(true)
      }
    }
  }
  fc.assert(fc.property(fc.array(heard, { maxLength: 40 }), goesOn), { numRuns: 300 })
})
