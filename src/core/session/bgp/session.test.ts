import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Family, Ip } from '../../net/ip.ts'
import type { Restart } from '../../wire/bgp/capabilities.ts'
import {
  encodeKeepalive,
  encodeMessage,
  headerBytes,
  type MessageType,
} from '../../wire/bgp/header.ts'
import { notice, noticeText } from '../../wire/bgp/notice.ts'
import {
  decodeNotification,
  encodeNotification,
  shutdownNotice,
} from '../../wire/bgp/notification.ts'
import { encodeOpen } from '../../wire/bgp/open.ts'
import { encodeRouteRefresh } from '../../wire/bgp/routeRefresh.ts'
import type { SessionOptions } from './agreed.ts'
import type { Effect, Event } from './events.ts'
import { Inbox, type Incoming } from './inbox.ts'
import { newSession, type Session, step } from './session.ts'

const options: SessionOptions = {
  localAsn: 64512,
  peerAsn: 64513,
  families: ['IPv4', 'IPv6'],
  holdSeconds: 90,
  keepaliveSeconds: undefined,
  retrySeconds: undefined,
  restartSeconds: undefined,
}

type Theirs = {
  asn?: number
  holdSeconds?: number
  routerId?: string
  isOld?: boolean
  families?: readonly Family[]
  restart?: Restart
}

function theirOpen({ asn = 64513, holdSeconds = 90, ...rest }: Theirs = {}) {
  const { routerId = '10.0.0.1', isOld, restart, families = ['IPv4', 'IPv6'] } = rest
  const offered = {
    families: isOld ? [] : families,
    asn: isOld ? undefined : asn,
    canRefresh: true,
    canRefreshEnhanced: true,
    canExtend: !isOld,
    restart,
  }
  return heard(encodeOpen({ asn, holdSeconds, routerId: routerId as Ip, capabilities: offered }))
}

function heard(bytes: Uint8Array): Event {
  const types = ['', 'OPEN', 'UPDATE', 'NOTIFICATION', 'KEEPALIVE', 'ROUTE-REFRESH'] as const
  const type = types[bytes[18] ?? 0] as MessageType
  return { kind: 'message', type, body: bytes.subarray(headerBytes) }
}

const start: Event = { kind: 'start' }
const connected: Event = { kind: 'connected', routerId: '10.0.0.9' as Ip }
const keepalive = heard(encodeKeepalive())
const established = [start, connected, theirOpen(), keepalive]

/** What the last of the events did. */
function run(events: readonly Event[], asked: Partial<SessionOptions> = {}) {
  let session: Session = newSession({ ...options, ...asked })
  let effects: readonly Effect[] = []
  for (const event of events) [session, effects] = step(session, event)
  return { session, effects, said: effects.flatMap(textOf) }
}

/** Effects as short text; timers that are put out say nothing new. */
function textOf(effect: Effect): string[] {
  if (effect.kind === 'disarm') return []
  if (effect.kind === 'arm') return [`${effect.timer} ${effect.ms}`]
  if (effect.kind === 'down') return [`down: ${effect.why}`]
  if (effect.kind === 'resend') return [`resend ${effect.family}`]
  if (effect.kind !== 'send') return [effect.kind]
  const event = heard(effect.bytes)
  if (event.kind !== 'message') return []
  if (event.type !== 'NOTIFICATION') return [event.type]
  const { code, subcode } = decodeNotification(event.body)
  return [`NOTIFICATION ${code}/${subcode}`]
}

test('a session comes up: RFC 4271 section 8', () => {
  expect(run([start]).said).toEqual(['dial', 'connect 10000'])
  expect(run([start, connected]).said).toEqual(['OPEN'])
  const confirmed = run([start, connected, theirOpen()])
  expect(confirmed.said).toEqual(['KEEPALIVE', 'keepalive 30000', 'hold 90000'])
  expect(confirmed.session.state).toBe('OpenConfirm')
  const up = run(established)
  expect(up.said).toEqual(['lasting 60000', 'hold 90000', 'up'])
  expect(up.session.state).toBe('Established')
})

test.each([
  { what: 'the lower hold time counts', theirs: { holdSeconds: 30 }, said: ['10000', '30000'] },
  { what: 'zero on one side means none', theirs: { holdSeconds: 0 }, said: [] },
  { what: 'its own keepalive', asked: { keepaliveSeconds: 5 }, said: ['5000', '90000'] },
  { what: 'never above a third', asked: { keepaliveSeconds: 80 }, said: ['30000', '90000'] },
])('[M6.4] $what', ({ theirs = {}, asked = {}, said }) => {
  const text = run([start, connected, theirOpen(theirs)], asked).said.slice(1)
  expect(text.map((one) => one.split(' ')[1])).toEqual(said)
})

test.each([
  { what: 'another AS', theirs: { asn: 64999 }, code: '2/2', why: 'the peer is in AS 64999' },
  { what: 'ours from outside', asked: { peerAsn: 'external', localAsn: 64513 }, code: '2/2' },
  { what: 'another from inside', asked: { peerAsn: 'internal' }, code: '2/2' },
  {
    what: 'our router ID in our AS',
    theirs: { asn: 64512, routerId: '10.0.0.9' },
    asked: { peerAsn: 64512 },
    code: '2/3',
    why: 'its router ID 10.0.0.9 is ours too',
  },
  { what: 'hold time 1', theirs: { holdSeconds: 1 }, code: '2/6' },
] as const)('$what is refused with $code', (row) => {
  const { theirs = {}, asked = {}, why = '' } = { theirs: {}, asked: {}, why: '', ...row }
  const { said, session } = run([start, connected, theirOpen(theirs)], asked)
  expect(said).toEqual([`NOTIFICATION ${row.code}`, 'hangUp', 'retry 1000'])
  expect(session.lastError).toContain(why)
})

test('[RFC 6286] the same router ID in another AS is fine', () => {
  const { session } = run([start, connected, theirOpen({ routerId: '10.0.0.9' })])
  expect(session.state).toBe('OpenConfirm')
})

test('[M6.3] who offers nothing has IPv4, two octets and short messages', () => {
  const { session } = run([start, connected, theirOpen({ isOld: true })])
  expect(session.agreed).toMatchObject({ families: ['IPv4'], asSize: 2, mostBytes: 4096 })
})

test('a family that only one of them offers is none of the session', () => {
  const both = run([start, connected, theirOpen({ families: ['IPv6'] })])
  expect(both.session.agreed?.families).toEqual(['IPv6'])
  const none = run([start, connected, theirOpen({ families: ['IPv6'] })], { families: ['IPv4'] })
  expect(none.session.agreed?.families).toEqual([])
})

test('[RFC 9687] a router that reads nothing for long is given up', () => {
  const full: Event = { kind: 'full' }
  expect(run([...established, full]).said).toEqual(['sendHold 480000'])
  const patient = run([start, connected, theirOpen({ holdSeconds: 900 }), keepalive, full], {
    holdSeconds: 900,
  })
  expect(patient.said).toEqual(['sendHold 1800000'])
  const read: Event = { kind: 'drained' }
  expect(run([...established, full, read]).effects).toEqual([{ kind: 'disarm', timer: 'sendHold' }])
  const late: Event = { kind: 'timer', timer: 'sendHold' }
  const { said, session } = run([...established, full, late])
  expect(said.slice(0, 2)).toEqual(['NOTIFICATION 8/0', 'hangUp'])
  expect(session.lastError).toBe('we ended it: Send Hold Timer Expired (8/0)')
})

test.each([
  ['the hold timer', { kind: 'timer', timer: 'hold' }, 'NOTIFICATION 4/0', 'Hold Timer Expired'],
  ['garbage', { kind: 'garbage', notice: notice(1, 1) }, 'NOTIFICATION 1/1', 'Not Synchronized'],
  ['an OPEN', theirOpen(), 'NOTIFICATION 5/3', 'Unexpected Message in Established'],
  [
    'a bad UPDATE',
    heard(encodeMessage('UPDATE', Uint8Array.of(0, 9, 0, 0))),
    'NOTIFICATION 3/1',
    '',
  ],
  ['a closed connection', { kind: 'lost', why: 'ECONNRESET' }, 'hangUp', 'ECONNRESET'],
  [
    'a shutdown with words',
    heard(encodeNotification(shutdownNotice('maintenance'))),
    'hangUp',
    'the peer ended it: Cease/Administrative Shutdown (6/2): "maintenance"',
  ],
] as const)('%s ends it, and it is tried again', (_, event, first, why) => {
  const { said, session } = run([...established, event])
  expect(said[0]).toBe(first)
  expect(said.at(-2)).toContain('down: ')
  expect(said.at(-1)).toBe('retry 1000')
  expect([session.state, session.agreed]).toEqual(['Active', undefined])
  expect(session.lastError).toContain(why)
})

test('what is tolerated ends nothing, and the peer counts as alive', () => {
  const noOrigin = Uint8Array.of(0, 0, 0, 0, 32, 10, 0, 0, 1)
  const { effects, session } = run([...established, heard(encodeMessage('UPDATE', noOrigin))])
  expect(effects.map(({ kind }) => kind)).toEqual(['arm', 'tolerated'])
  expect(session.state).toBe('Established')
})

test('[RFC 2918] routes are sent again when they are asked for, of an agreed family', () => {
  const ask = (family: 'IPv4' | 'IPv6') => heard(encodeRouteRefresh(family, 'request'))
  expect(run([...established, ask('IPv6')]).said).toEqual(['resend IPv6', 'refresh 1000'])
  expect(run([...established, ask('IPv6')], { families: ['IPv4'] }).said).toEqual([])
})

test('[R8.7] a router that asks without a pause is answered once a second', () => {
  const ask = (family: 'IPv4' | 'IPv6') => heard(encodeRouteRefresh(family, 'request'))
  const storm = Array<Event>(1000).fill(ask('IPv4'))
  const second: Event = { kind: 'timer', timer: 'refresh' }
  const begun = [...established, ask('IPv4')]
  expect(run([...begun, ...storm]).said).toEqual([])
  expect(run([...begun, ...storm, ask('IPv6'), second]).said).toEqual([
    ...['resend IPv4', 'resend IPv6', 'refresh 1000'],
  ])
  expect(run([...begun, ...storm, second, second]).said).toEqual([])
  expect(run([...begun, second, ask('IPv4')]).said).toEqual(['resend IPv4', 'refresh 1000'])
  // What an earlier session asked for is not told the next.
  const next = [refused, retry, connected, theirOpen(), keepalive, ask('IPv6')]
  expect(run([...begun, ...storm, ...next]).said).toEqual(['resend IPv6', 'refresh 1000'])
})

const refused = { kind: 'lost', why: 'ECONNREFUSED' } as const
const retry = { kind: 'timer', timer: 'retry' } as const
const lasted = { kind: 'timer', timer: 'lasting' } as const
const again = [retry, connected, theirOpen(), keepalive]

test.each([
  { what: 'the first failure', events: [start, refused], ms: 1000 },
  { what: 'the third', events: [start, refused, retry, refused, retry, refused], ms: 4000 },
  {
    what: 'the twentieth',
    events: [start, ...Array(20).fill([refused, retry]).flat()].slice(0, -1),
    ms: 30000,
  },
  {
    what: 'sessions that end at once',
    events: [...established, refused, ...again, refused],
    ms: 2000,
  },
  {
    what: 'one that has lasted',
    events: [...established, refused, ...again, lasted, refused],
    ms: 1000,
  },
])('[R8.9] back-off after $what: $ms ms', ({ events, ms }) => {
  expect(run(events).said).toContain(`retry ${ms}`)
})

test('[R8.9] connectTime is a fixed pause', () => {
  const { effects } = run([start, refused, retry, refused], { retrySeconds: 7 })
  expect(effects.at(-1)).toEqual({ kind: 'arm', timer: 'retry', ms: 7000, isJittered: false })
})

test.each([
  {
    events: [start],
    said: ['hangUp', 'retry 1000'],
    why: 'no connection within 10 s: no answer, as from a router that expects another password or TTL',
  },
  {
    events: [start, connected],
    said: ['NOTIFICATION 4/0', 'hangUp', 'retry 1000'],
    why: 'connected, and no OPEN came within 10 s, as from a router that expects another TTL',
  },
  {
    events: [start, connected, theirOpen()],
    said: ['NOTIFICATION 4/0', 'hangUp', 'retry 1000'],
    why: 'connected, and no KEEPALIVE came within 10 s, as from a router that expects another TTL',
  },
])('a silent peer: $why', ({ events, said, why }) => {
  const after = run([...events, { kind: 'timer', timer: 'connect' }])
  expect([after.said, after.session.lastError]).toEqual([said, why])
})

test.each([
  [
    'OPEN',
    [start, connected, theirOpen()],
    ': no KEEPALIVE came, as from a router that expects another TTL',
  ],
  ['KEEPALIVE', established, ''],
] as const)('the hold time is over after their %s: what it may come from', (_, events, hint) => {
  const { session } = run([...events, { kind: 'timer', timer: 'hold' }])
  expect(session.lastError).toBe(`we ended it: Hold Timer Expired (4/0)${hint}`)
})

test('one that is stopped says why, and stays so', () => {
  const stop = { kind: 'stop', notice: shutdownNotice('bye') } as const
  expect(run([...established, stop]).said).toEqual(['NOTIFICATION 6/2', 'hangUp', 'down: stopped'])
  expect(run([...established, stop, retry]).said).toEqual([])
  expect(run([start, stop]).said).toEqual(['hangUp'])
})

test('messages are found however they are cut, and garbage ends it', () => {
  const stream = Uint8Array.from([
    ...encodeKeepalive(),
    ...encodeNotification(shutdownNotice('x')),
    ...encodeKeepalive(),
  ])
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 80 }), (cuts) => {
      const found: Incoming[] = []
      const inbox = new Inbox({ mostBytes: () => 4096, deliver: (one) => found.push(one) })
      let at = 0
      for (const size of [...cuts, stream.length]) {
        inbox.take(stream.slice(at, at + size))
        at += size
      }
      expect(found.map((one) => (one.kind === 'message' ? one.type : ''))).toEqual([
        ...['KEEPALIVE', 'NOTIFICATION', 'KEEPALIVE'],
      ])
      inbox.take(new Uint8Array(40))
      inbox.take(stream)
      expect(found.at(-1)).toMatchObject({ kind: 'garbage', notice: notice(1, 1) })
      expect(found).toHaveLength(4)
    }),
  )
})

test('no events, in whatever order, throw or leave a timer that nobody ends', () => {
  const anyBody = fc.uint8Array({ maxLength: 60 })
  const anyType = fc.constantFrom('OPEN', 'UPDATE', 'NOTIFICATION', 'KEEPALIVE', 'ROUTE-REFRESH')
  const anyEvent: fc.Arbitrary<Event> = fc.oneof(
    fc.record({ kind: fc.constant('message'), type: anyType, body: anyBody }),
    fc.constantFrom(...established, refused, retry, lasted),
    fc
      .constantFrom('connect', 'hold', 'keepalive')
      .map((timer) => ({ kind: 'timer', timer }) as const),
  )
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      let session = newSession(options)
      const armed = new Set<string>()
      for (const event of [start, ...events]) {
        if (event.kind === 'timer' && !armed.delete(event.timer)) continue
        const [after, effects] = step(session, event)
        session = after
        for (const effect of effects) {
          if (effect.kind === 'arm') armed.add(effect.timer)
          if (effect.kind === 'disarm') armed.delete(effect.timer)
        }
        const isWaiting = session.state !== 'Active' || armed.has('retry')
        expect(isWaiting, noticeText(notice(5, 0))).toBe(true)
      }
    }),
  )
})
