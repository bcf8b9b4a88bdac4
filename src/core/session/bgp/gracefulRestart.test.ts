// Proves what a session says so that routers keep its routes, or do not (RFC 4724, 8538).
import { expect, test } from 'vitest'
import type { Ip } from '../../net/ip.ts'
import type { Capabilities } from '../../wire/bgp/capabilities.ts'
import { encodeKeepalive, headerBytes } from '../../wire/bgp/header.ts'
import {
  decodeNotification,
  encodeNotification,
  hardReset,
  insideOf,
  shutdownNotice,
} from '../../wire/bgp/notification.ts'
import { decodeOpen, encodeOpen } from '../../wire/bgp/open.ts'
import type { SessionOptions } from './agreed.ts'
import type { Effect, Event } from './events.ts'
import { newSession, step } from './session.ts'

const options: SessionOptions = {
  ...{ localAsn: 64512, peerAsn: 64513, families: ['IPv4', 'IPv6'], holdSeconds: 90 },
  ...{ keepaliveSeconds: undefined, retrySeconds: undefined, restartSeconds: 120 },
}
const helper = { isRestarting: false, survivesNotice: true, seconds: 120, forwards: [] }
const unaware = { ...helper, survivesNotice: false }

function theirOpen(restart: Capabilities['restart'], more: { staleSeconds?: number } = {}): Event {
  const can = { canRefresh: true, canRefreshEnhanced: false, canExtend: false }
  const families = ['IPv4', 'IPv6'] as const
  const capabilities = { families, asn: 64513, ...can, restart, ...more }
  const open = { asn: 64513, holdSeconds: 90, routerId: '10.0.0.1' as Ip, capabilities }
  return { kind: 'message', type: 'OPEN', body: encodeOpen(open).subarray(headerBytes) }
}
const start: Event = { kind: 'start' }
const connected: Event = { kind: 'connected', routerId: '10.0.0.9' as Ip }
const keepalive: Event = {
  ...{ kind: 'message', type: 'KEEPALIVE' },
  body: encodeKeepalive().subarray(headerBytes),
}
const stop: Event = { kind: 'stop', notice: shutdownNotice('bye') }

/** What the last event made it send. */
function sentAfter(events: readonly Event[], asked: Partial<SessionOptions> = {}) {
  let session = newSession({ ...options, ...asked }, 'restarted')
  let effects: readonly Effect[] = []
  for (const event of events) [session, effects] = step(session, event)
  const bodies = effects.flatMap((one) =>
    one.kind === 'send' ? [one.bytes.subarray(headerBytes)] : [],
  )
  return { session, bodies, kinds: effects.map(({ kind }) => kind) }
}

function restartIn(body: Uint8Array | undefined) {
  const open = decodeOpen(body ?? new Uint8Array())
  return open.ok ? open.value.capabilities.restart : undefined
}

const ours = { survivesNotice: true, seconds: 120, forwards: ['IPv4', 'IPv6'] }

test('[R8.12] the first OPEN after a restart says so, one after a session does not', () => {
  const first = [start, connected]
  expect(restartIn(sentAfter(first).bodies[0])).toEqual({ ...ours, isRestarting: true })
  const lost: Event = { kind: 'lost', why: 'ECONNRESET' }
  const retry: Event = { kind: 'timer', timer: 'retry' }
  const refused = sentAfter([...first, lost, retry, connected])
  expect(restartIn(refused.bodies[0])).toEqual({ ...ours, isRestarting: true })
  const again = [...first, theirOpen(helper), keepalive, lost, retry, connected]
  expect(restartIn(sentAfter(again).bodies[0])).toEqual({ ...ours, isRestarting: false })
  expect(restartIn(sentAfter(first, { restartSeconds: undefined }).bodies[0])).toBeUndefined()
})

test.each([
  { what: 'both', theirs: helper, keeps: [true, true] },
  { what: 'a router that forgets after a NOTIFICATION', theirs: unaware, keeps: [true, false] },
  { what: 'a router that knows nothing of it', theirs: undefined, keeps: [false, false] },
  { what: 'a peer without the field', theirs: helper, seconds: undefined, keeps: [false, false] },
])('[R8.12] agreed with $what', ({ theirs, keeps, ...row }) => {
  const restartSeconds = 'seconds' in row ? row.seconds : 120
  const { session } = sentAfter([start, connected, theirOpen(theirs)], { restartSeconds })
  expect([session.agreed?.keepsRoutes, session.agreed?.needsHardReset]).toEqual(keeps)
})

test.each([
  { what: 'a router that offers it', theirs: { staleSeconds: 0 }, asked: 3600, keeps: true },
  { what: 'one that does not', theirs: {}, asked: 3600, keeps: undefined },
  { what: 'one, and nobody asks', theirs: { staleSeconds: 9 }, asked: undefined, keeps: undefined },
])('[R8.22] to be kept longer is agreed with $what', ({ theirs, asked, keeps }) => {
  const options = asked === undefined ? {} : { staleSeconds: asked }
  const { bodies } = sentAfter([start, connected], options)
  const open = decodeOpen(bodies[0] ?? new Uint8Array())
  expect(open.ok && open.value.capabilities.staleSeconds).toBe(asked)
  const { session } = sentAfter([start, connected, theirOpen(helper, theirs)], options)
  expect(session.agreed?.keepsLonger).toBe(keeps)
  const without = sentAfter([start, connected, theirOpen(undefined, theirs)], options)
  expect(without.session.agreed?.keepsLonger).toBeUndefined()
})

const bfdDown: Event = { kind: 'bfdDown', why: 'nothing heard' }
test.each([
  { what: 'stopped', event: stop, theirs: helper, said: '6/9', inside: '6/2' },
  { what: 'stopped', event: stop, theirs: unaware, said: '6/2', inside: '' },
  { what: 'ended by BFD', event: bfdDown, theirs: helper, said: '6/9', inside: '6/10' },
  {
    ...{ what: 'ended by the hold timer, which leaves routes', theirs: helper },
    ...{ event: { kind: 'timer', timer: 'hold' } as const, said: '4/0', inside: '' },
  },
])('[R8.12] one that is $what says $said $inside', ({ event, theirs, said, inside }) => {
  const { bodies } = sentAfter([start, connected, theirOpen(theirs), keepalive, event])
  const given = decodeNotification(bodies[0] ?? new Uint8Array())
  const inner = insideOf(given)
  expect(`${given.code}/${given.subcode}`).toBe(said)
  expect(inner ? `${inner.code}/${inner.subcode}` : '').toBe(inside)
})

test('[R8.12] without a notice the connection ends, and nothing is said', () => {
  const events = [start, connected, theirOpen(helper), keepalive]
  const { bodies, kinds } = sentAfter([...events, { kind: 'stop', notice: undefined }])
  expect(bodies).toEqual([])
  expect(kinds).toContain('hangUp')
})

test('[R8.12] a Hard Reset of the peer is told with what is in it', () => {
  const body = encodeNotification(hardReset(shutdownNotice('upgrade'))).subarray(headerBytes)
  const told: Event = { kind: 'message', type: 'NOTIFICATION', body }
  const { session } = sentAfter([start, connected, theirOpen(helper), keepalive, told])
  expect(session.lastError).toBe(
    'the peer ended it: Cease/Hard Reset (6/9): Cease/Administrative Shutdown (6/2): "upgrade"',
  )
})

test('[R8.9] another keepalive time and pause apply to the session that is there', () => {
  const slow = { ...options, keepaliveSeconds: 7, retrySeconds: 3 }
  const up = [start, connected, theirOpen(undefined), keepalive]
  const { session, kinds } = sentAfter([...up, { kind: 'retimed', options: slow }])
  expect([session.state, session.agreed?.keepaliveMs, kinds]).toEqual([
    ...['Established', 7_000, ['arm']],
  ])
  const [, effects] = step(session, { kind: 'lost', why: 'ECONNRESET' })
  expect(effects.at(-1)).toMatchObject({ kind: 'arm', timer: 'retry', ms: 3_000 })
})
