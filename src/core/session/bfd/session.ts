// BFD session, RFC 5880 §6.8, asynchronous mode with echo packets: an event in, the next state and
// effects out. Whoever performs them has the sockets, the timers and the dice; nothing here waits.
import { type Control, diagnostics, type State } from '../../wire/bfd.ts'
import type { BfdEffect, BfdEvent, BfdTimer, BfdTimers } from './events.ts'
import { type BfdSession, detectMs, echoMs, offered, slowMicros, transmitMs } from './intervals.ts'

type Step = readonly [BfdSession, readonly BfdEffect[]]

const [expired, echoFailed, signaled, administrative] = [1, 2, 3, 7] as const

/** next[ours][theirs] is the whole state machine; absent means stay. */
const next: Readonly<Record<State, Partial<Record<State, State>>>> = {
  AdminDown: {},
  Down: { Down: 'Init', Init: 'Up' },
  Init: { AdminDown: 'Down', Init: 'Up', Up: 'Up' },
  Up: { AdminDown: 'Down', Down: 'Down' },
}

export const newBfdSession = (timers: BfdTimers, discriminator: number): BfdSession => ({
  timers,
  state: 'Down',
  diagnostic: 0,
  discriminator,
  remote: undefined,
  poll: 'none',
  settled: { txMicros: slowMicros, rxMicros: timers.rxMicros },
})

export function stepBfd(session: BfdSession, event: BfdEvent): Step {
  if (session.state === 'AdminDown') return [session, []]
  const [after, effects] = stepped(session, event)
  return [after, [...effects, ...echoEffects(session, after)]]
}

function stepped(session: BfdSession, event: BfdEvent): Step {
  switch (event.kind) {
    case 'start':
      return [session, transmit(session)]
    case 'heard':
      return heard(session, event.packet)
    case 'timer':
      return ranOut(session, event.timer)
    case 'echoed':
      return [session, armEchoDetect(session)]
    case 'retimed':
      return retimed(session, event.timers)
    case 'stop':
      return stopped(session)
  }
}

function ranOut(session: BfdSession, timer: BfdTimer): Step {
  if (timer === 'detect') return silence(session)
  if (timer === 'transmit') return [session, transmit(session)]
  if (timer === 'echo') return [session, sendEcho(session)]
  const ms = Math.round((echoMs(session) ?? 0) * session.timers.multiplier)
  const why = `no echo packet came back for ${ms} ms`
  return down(session, echoFailed, { kind: 'down', cause: 'failure', why })
}

/** They begin once both sides are up, and end with that. */
function echoEffects(before: BfdSession, after: BfdSession): readonly BfdEffect[] {
  const [was, is] = [echoMs(before), echoMs(after)]
  if (was === is) return []
  if (is !== undefined) return [...sendEcho(after), ...armEchoDetect(after)]
  return [
    { kind: 'disarm', timer: 'echo' },
    { kind: 'disarm', timer: 'echoDetect' },
  ]
}

function sendEcho(session: BfdSession): readonly BfdEffect[] {
  const ms = echoMs(session)
  if (ms === undefined) return []
  return [{ kind: 'sendEcho' }, jittered('echo', session, ms)]
}

function armEchoDetect(session: BfdSession): readonly BfdEffect[] {
  const ms = echoMs(session)
  if (ms === undefined) return []
  return [{ kind: 'arm', timer: 'echoDetect', ms: ms * session.timers.multiplier }]
}

function heard(session: BfdSession, packet: Control): Step {
  if (packet.yours !== 0 && packet.yours !== session.discriminator) return [session, []]
  const before = transmitMs(session)
  const told = confirmed({ ...session, remote: packet }, packet)
  const state = next[session.state][packet.state] ?? session.state
  const [after, effects] = state === session.state ? [told, []] : enter(told, state, packet)
  const isRetimed = effects.length === 0 && before !== transmitMs(after)
  return [
    after,
    [
      ...(packet.isPoll ? [answer(after)] : []),
      { kind: 'arm', timer: 'detect', ms: detectMs(after) },
      ...effects,
      ...(isRetimed ? armTransmit(after) : []),
    ],
  ]
}

/** A Final bit ends the Poll Sequence; what it told then counts. */
function confirmed(session: BfdSession, { isFinal }: Control): BfdSession {
  if (!isFinal || session.poll === 'none') return session
  if (session.poll === 'again') return { ...session, poll: 'once' }
  return { ...session, poll: 'none', settled: offered(session) }
}

function enter(session: BfdSession, state: State, { state: theirs, diagnostic }: Control): Step {
  if (state === 'Up') return up(session)
  if (state !== 'Down') return changed({ ...session, state })
  const cause = theirs === 'AdminDown' ? 'admin' : 'failure'
  const reason = diagnostics[diagnostic] ?? `diagnostic ${diagnostic}`
  const why = cause === 'admin' ? 'the peer ended BFD' : `the peer says Down: ${reason}`
  return down(session, signaled, { kind: 'down', cause, why })
}

/** From here on fast: the peer confirms the new interval by a Poll Sequence. */
function up(session: BfdSession): Step {
  const settled = { txMicros: slowMicros, rxMicros: session.timers.rxMicros }
  const isOther = session.timers.txMicros !== slowMicros
  const poll = isOther ? 'once' : 'none'
  return changed({ ...session, state: 'Up', diagnostic: 0, poll, settled }, { kind: 'up' })
}

function down(session: BfdSession, diagnostic: number, news: BfdEffect): Step {
  const wasUp = session.state === 'Up'
  const after = { ...session, state: 'Down', diagnostic, poll: 'none' } as const
  return changed(after, ...(wasUp ? [news] : []))
}

/** What changed is told at once. */
const changed = (session: BfdSession, ...news: readonly BfdEffect[]): Step => [
  session,
  [...news, ...transmit(session)],
]

function silence(session: BfdSession): Step {
  const ms = detectMs(session)
  const after = { ...session, remote: undefined }
  if (session.state === 'Down') return [after, []]
  const why = `nothing heard for ${Math.round(ms)} ms`
  return down(after, expired, { kind: 'down', cause: 'failure', why })
}

function retimed(session: BfdSession, timers: BfdTimers): Step {
  const after = { ...session, timers }
  const [was, is] = [offered(session), offered(after)]
  const isSame = was.txMicros === is.txMicros && was.rxMicros === is.rxMicros
  if (session.state !== 'Up' || isSame) return [after, transmit(after)]
  const { settled } = session
  const polling: BfdSession = {
    ...after,
    poll: session.poll === 'none' ? 'once' : 'again',
    settled: {
      txMicros: Math.min(settled.txMicros, was.txMicros),
      rxMicros: Math.max(settled.rxMicros, was.rxMicros),
    },
  }
  return [polling, transmit(polling)]
}

function stopped(session: BfdSession): Step {
  const after = { ...session, state: 'AdminDown', diagnostic: administrative } as const
  return [
    { ...after, poll: 'none' },
    [
      { kind: 'disarm', timer: 'detect' },
      { kind: 'disarm', timer: 'transmit' },
      { kind: 'send', packet: packetOf({ ...after, poll: 'none' }) },
    ],
  ]
}

function transmit(session: BfdSession): readonly BfdEffect[] {
  if (transmitMs(session) === undefined) return armTransmit(session)
  return [{ kind: 'send', packet: packetOf(session) }, ...armTransmit(session)]
}

function armTransmit(session: BfdSession): readonly BfdEffect[] {
  const ms = transmitMs(session)
  if (ms === undefined) return [{ kind: 'disarm', timer: 'transmit' }]
  return [jittered('transmit', session, ms)]
}

function jittered(timer: 'transmit' | 'echo', { timers }: BfdSession, ms: number): BfdEffect {
  const most = timers.multiplier === 1 ? 0.9 : 1
  return { kind: 'armJittered', timer, leastMs: ms * 0.75, mostMs: ms * most }
}

const answer = (session: BfdSession): BfdEffect => ({
  kind: 'send',
  packet: { ...packetOf(session), isPoll: false, isFinal: true },
})

const packetOf = (session: BfdSession): Control => ({
  diagnostic: session.diagnostic,
  state: session.state,
  isPoll: session.poll !== 'none',
  isFinal: false,
  isDemand: false,
  multiplier: session.timers.multiplier,
  mine: session.discriminator,
  yours: session.remote?.mine ?? 0,
  minTxMicros: offered(session).txMicros,
  minRxMicros: offered(session).rxMicros,
  minEchoRxMicros: session.timers.echoRxMicros,
})
