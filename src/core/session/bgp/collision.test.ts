import { expect, test } from 'vitest'
import type { Ip } from '../../net/ip.ts'
import { encodeKeepalive, headerBytes } from '../../wire/bgp/header.ts'
import { notice } from '../../wire/bgp/notice.ts'
import { decodeNotification } from '../../wire/bgp/notification.ts'
import { decodeOpen, encodeOpen } from '../../wire/bgp/open.ts'
import type { SessionOptions } from './agreed.ts'
import { judgeIncoming } from './collision.ts'
import type { Effect, Event } from './events.ts'
import { newSession, type Session, step } from './session.ts'

const options: SessionOptions = {
  ...{ localAsn: 64512, peerAsn: 64513, families: ['IPv4'], holdSeconds: 90 },
  ...{ keepaliveSeconds: undefined, retrySeconds: undefined, restartSeconds: undefined },
}

type Theirs = { readonly routerId?: string; readonly asn?: number; readonly keeps?: true }

function openBytes({ routerId = '10.0.0.1', asn = 64513, keeps }: Theirs): Uint8Array {
  const restart = {
    ...{ isRestarting: false, survivesNotice: true, seconds: 120 },
    forwards: ['IPv4'] as const,
  }
  const capabilities = {
    ...{ families: ['IPv4'] as const, asn, canRefresh: true },
    ...{ canRefreshEnhanced: true, canExtend: false, restart: keeps ? restart : undefined },
  }
  return encodeOpen({ asn, holdSeconds: 90, routerId: routerId as Ip, capabilities })
}

function openOf(theirs: Theirs) {
  const open = decodeOpen(openBytes(theirs).subarray(headerBytes))
  if (!open.ok) throw new Error('it is an OPEN')
  return open.value
}

const ours = '10.0.0.9' as Ip
const start: Event = { kind: 'start' }
const accepted: Event = { kind: 'accepted', routerId: ours }
const connected: Event = { kind: 'connected', routerId: ours }
const heardOpen = (theirs: Theirs = {}): Event => {
  return { kind: 'message', type: 'OPEN', body: openBytes(theirs).subarray(headerBytes) }
}
const keepalive: Event = {
  ...{ kind: 'message', type: 'KEEPALIVE' },
  body: encodeKeepalive().subarray(headerBytes),
}

function after(events: readonly Event[], asked: Partial<SessionOptions> = {}): Session {
  let session = newSession({ ...options, ...asked })
  for (const event of events) [session] = step(session, event)
  return session
}

const up = [start, connected, heardOpen(), keepalive]

test.each([
  { state: 'Idle', events: [], theirs: {}, answer: 'refuse' },
  { state: 'Connect', events: [start], theirs: {}, answer: 'keep' },
  { state: 'Active', events: [start, { kind: 'lost', why: '' }], theirs: {}, answer: 'keep' },
  { state: 'OpenSent', events: [start, connected], theirs: {}, answer: 'refuse' },
  {
    ...{ state: 'OpenSent', events: [start, connected], answer: 'keep' },
    theirs: { routerId: '10.0.0.200' },
  },
  // Compared as numbers, not as texts.
  {
    ...{ state: 'OpenSent', events: [start, connected], answer: 'keep' },
    theirs: { routerId: '10.0.0.10' },
  },
  { state: 'OpenConfirm', events: up.slice(0, 3), theirs: {}, answer: 'refuse' },
  {
    ...{ state: 'OpenConfirm', events: up.slice(0, 3), answer: 'keep' },
    theirs: { routerId: '10.0.1.0' },
  },
  // RFC 6286: with equal router IDs, the higher AS number.
  {
    ...{ state: 'OpenSent', events: [start, connected], answer: 'keep' },
    theirs: { routerId: ours },
  },
  { state: 'Established', events: up, theirs: { routerId: '10.0.0.200' }, answer: 'refuse' },
] satisfies readonly {
  state: Session['state']
  events: readonly Event[]
  theirs: Theirs
  answer: string
}[])(
  '[R8.20] in $state, a peer $theirs opens one: $answer',
  ({ state, events, theirs, answer }) => {
    const session = after(events)
    expect(session.state).toBe(state)
    expect(judgeIncoming(session, openOf(theirs), true)).toEqual(
      answer === 'keep' ? undefined : notice(6, 7),
    )
  },
)

test.each([
  ['a peer of our AS', { peerAsn: 64512 }, { asn: 64512 }],
  ['a router of another AS', {}, { asn: 64999 }],
])('[R8.20] in Idle, %s is not told that its OPEN is wrong', (_, asked, theirs) => {
  expect(judgeIncoming(after([], asked), openOf(theirs), true)).toEqual(notice(6, 7))
})

test('[R8.20] of two that the peer opened the later one counts', () => {
  expect(judgeIncoming(after([start, connected]), openOf({}), false)).toBeUndefined()
})

test('[R8.20] a peer that keeps our routes and comes again has restarted', () => {
  const events = [start, connected, heardOpen({ keeps: true }), keepalive]
  const session = after(events, { restartSeconds: 120 })
  expect(judgeIncoming(session, openOf({}), true)).toBeUndefined()
})

test.each([
  ['a session with graceful restart', [start, connected, heardOpen({ keeps: true }), keepalive]],
  ['one that waits for an OPEN', [start, connected]],
  ['one that waits for a KEEPALIVE', [start, connected, heardOpen()]],
])('[R8.20] another router at the address of the peer does not replace %s', (_, events) => {
  const session = after(events, { restartSeconds: 120 })
  const stranger = openOf({ asn: 64999, routerId: '10.0.0.200' })
  expect(judgeIncoming(session, stranger, true)).toEqual(notice(2, 2))
  expect(judgeIncoming(session, stranger, false)).toEqual(notice(2, 2))
})

test('[R8.20] where nothing ends for it, the session says what is wrong with an OPEN', () => {
  const waiting = after([start], { isPassive: true })
  expect(judgeIncoming(waiting, openOf({ asn: 64999 }), true)).toBeUndefined()
  const [session] = step(step(waiting, accepted)[0], heardOpen({ asn: 64999 }))
  expect(session.lastError).toContain('AS 64999, not 64513')
})

const kinds = (effects: readonly Effect[]) => {
  return effects.map((one) => ('timer' in one ? `${one.kind} ${one.timer}` : one.kind))
}

test('[R8.20] the one that was dialled ends with Cease 6/7, and the other begins', () => {
  const [session, effects] = step(after([start, connected]), accepted)
  expect(session).toMatchObject({ state: 'OpenSent', failures: 0, lastError: '' })
  const last = ['send', 'hangUp', 'take', 'arm connect', 'send']
  expect(kinds(effects).slice(-last.length)).toEqual(last)
  const told = effects.find((one) => one.kind === 'send')
  const bytes = told?.kind === 'send' ? told.bytes.subarray(headerBytes) : new Uint8Array()
  expect(decodeNotification(bytes)).toMatchObject({ code: 6, subcode: 7 })
  expect(kinds(effects)).not.toContain('arm retry')
})

test('[R8.20] a passive session waits, and goes on to wait after it ended', () => {
  const passive = { isPassive: true } as const
  expect(after([start], passive).state).toBe('Active')
  const there = after([start, accepted, heardOpen(), keepalive], passive)
  expect(there.state).toBe('Established')
  const [ended, effects] = step(there, { kind: 'lost', why: 'gone' })
  expect(ended).toMatchObject({ state: 'Active', lastError: 'gone' })
  expect(kinds(effects)).not.toContain('arm retry')
})
