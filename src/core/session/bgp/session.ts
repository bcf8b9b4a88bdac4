// BGP session, RFC 4271 §8: an event in, the next state and effects out.
// Whoever performs the effects has the socket and the timers; nothing here waits.
import type { Family, Ip } from '../../net/ip.ts'
import { encodeKeepalive, type MessageType, mostBytes } from '../../wire/bgp/header.ts'
import { type Notice, notice, noticeText } from '../../wire/bgp/notice.ts'
import {
  decodeNotification,
  encodeNotification,
  hardReset,
  insideOf,
  shutdownText,
} from '../../wire/bgp/notification.ts'
import { decodeOpen, encodeOpen } from '../../wire/bgp/open.ts'
import { decodeRouteRefresh } from '../../wire/bgp/routeRefresh.ts'
import { decodeUpdate } from '../../wire/bgp/update.ts'
import { type Agreed, agree, keepaliveMsOf, type SessionOptions } from './agreed.ts'
import { type Effect, type Event, type Timer, timers } from './events.ts'

type State = 'Idle' | 'Active' | 'Connect' | 'OpenSent' | 'OpenConfirm' | 'Established'
export type Session = {
  readonly options: SessionOptions
  readonly state: State
  /** Since a session has lasted. */
  readonly failures: number
  readonly routerId: Ip | undefined
  readonly agreed: Agreed | undefined
  /** Since we were away, no session has come up. */
  readonly isRestarting: boolean
  /** Asked for while routes were told again less than a second ago; undefined: they were not. */
  readonly asked: readonly Family[] | undefined
  /** Why the last connection ended; '' before one has. */
  readonly lastError: string
  /** Who ended it. */
  readonly endedBy: Ender | undefined
}

/** `connection`: neither of the two. */
type Ender = 'node' | 'peer' | 'connection'

type Step = readonly [Session, readonly Effect[]]

/** As MetalLB's: connection and OPEN together. */
const answerMs = 10_000
const lastingMs = 60_000
const longestRetryMs = 30_000
/** RFC 9687 §3.2 */
const leastSendHoldMs = 480_000
/** Whoever asks without a pause does not have us send all routes without one. */
const refreshMs = 1000

/** `restarted`: the peer may have routes of an earlier session. */
export const newSession = (
  options: SessionOptions,
  begun: 'anew' | 'restarted' = 'anew',
): Session => ({
  options,
  state: 'Idle',
  failures: 0,
  routerId: undefined,
  agreed: undefined,
  isRestarting: begun === 'restarted',
  asked: undefined,
  lastError: '',
  endedBy: undefined,
})

export function step(session: Session, event: Event): Step {
  if (event.kind === 'retimed') return retimed(session, event.options)
  if (session.state === 'Idle' && event.kind !== 'start') return [session, []]
  switch (event.kind) {
    case 'start':
      return session.state === 'Idle' ? dial(session) : [session, []]
    case 'stop':
      return stopped(session, event.notice)
    case 'connected':
      return opened(session, event.routerId)
    case 'accepted':
      return accepted(session, event.routerId)
    case 'lost':
      return end(session, { why: event.why, by: 'connection' })
    case 'message':
      return heard(session, event.type, event.body)
    case 'garbage':
      return complain(session, event.notice)
    case 'timer':
      return ranOut(session, event.timer)
    case 'full':
      return [session, armSendHold(session)]
    case 'drained':
      return [session, [{ kind: 'disarm', timer: 'sendHold' }]]
    case 'bfdDown':
      return bfdDown(session, event.why)
  }
}

const stopped = (session: Session, given: Notice | undefined): Step =>
  end(session, {
    ...(given && { notice: withoutTrace(session, given) }),
    why: 'stopped',
    by: 'node',
    isOver: true,
  })

const dial = (session: Session): Step =>
  session.options.isPassive
    ? [{ ...session, state: 'Active' }, []]
    : [{ ...session, state: 'Connect' }, [{ kind: 'dial' }, armAnswer]]

const armAnswer: Effect = { kind: 'arm', timer: 'connect', ms: answerMs, isJittered: false }

/** Whoever has judged that it is the one to keep (`judgeIncoming`). */
function accepted(session: Session, routerId: Ip): Step {
  const { state, failures, lastError, endedBy } = session
  // A peer that restarts has forgotten the connection that it replaces.
  const told = state === 'Established' ? {} : { notice: notice(6, 7) }
  const why = 'the peer has opened another connection'
  const [, before] = end(session, { why, by: 'peer', isOver: true, ...told })
  const from = {
    ...session,
    agreed: undefined,
    asked: undefined,
    state: 'Connect',
    failures,
    lastError,
    endedBy,
  } as const
  const [after, effects] = opened(from, routerId)
  return [after, [...before, { kind: 'take' }, armAnswer, ...effects]]
}

function opened(session: Session, routerId: Ip): Step {
  if (session.state !== 'Connect') return [session, []]
  const { localAsn: asn, holdSeconds, families, restartSeconds: seconds } = session.options
  const { isRestarting } = session
  const { staleSeconds } = session.options
  const capabilities = {
    families,
    asn,
    canRefresh: true,
    canRefreshEnhanced: true,
    canExtend: true,
    ...(session.options.hopsBySix && { canHopBySix: true as const }),
    // What forwards packets is the kernel, which goes on.
    restart:
      seconds === undefined
        ? undefined
        : { isRestarting, survivesNotice: true, seconds, forwards: families },
    ...(staleSeconds !== undefined && { staleSeconds }),
  }
  const bytes = encodeOpen({ asn, holdSeconds, routerId, capabilities })
  return [{ ...session, state: 'OpenSent', routerId }, [{ kind: 'send', bytes }]]
}

function ranOut(session: Session, timer: Timer): Step {
  if (timer === 'retry') return session.state === 'Active' ? dial(session) : [session, []]
  if (timer === 'lasting') return [{ ...session, failures: 0 }, []]
  if (timer === 'refresh') return resend({ ...session, asked: undefined }, session.asked ?? [])
  if (timer === 'keepalive') return keepAlive(session)
  if (timer === 'hold') return complain(session, notice(4, 0), heldWords(session))
  if (timer === 'sendHold') return complain(session, notice(8, 0))
  const isSilent = session.state === 'Connect'
  const missing = session.state === 'OpenConfirm' ? 'KEEPALIVE' : 'OPEN'
  const what = isSilent ? 'no connection' : `connected, and no ${missing} came`
  const hint = isSilent ? silence : unheard
  const told = isSilent ? {} : { notice: notice(4, 0) }
  const by = isSilent ? 'connection' : 'node'
  return end(session, { why: `${what} within ${answerMs / 1000} s${hint}`, by, ...told })
}

/**
 * A peer that sends KEEPALIVEs but reads nothing would keep routes that are long gone (RFC 9687).
 */
function armSendHold({ agreed, state }: Session): readonly Effect[] {
  if (state !== 'Established' || agreed === undefined || agreed.holdMs === 0) return []
  const ms = Math.max(leastSendHoldMs, 2 * agreed.holdMs)
  return [{ kind: 'arm', timer: 'sendHold', ms, isJittered: false }]
}

/** What is told by no packet at all. */
const silence = ': no answer, as from a router that expects another password or TTL'

/** Some routers, as FRR, let the connection through before they look at the TTL. */
const unheard = ', as from a router that expects another TTL'

const heldWords = ({ state }: Session): string =>
  `${noticeText(notice(4, 0))}${state === 'OpenConfirm' ? `: no KEEPALIVE came${unheard}` : ''}`

function keepAlive(session: Session): Step {
  const { agreed, state } = session
  if (agreed === undefined || (state !== 'OpenConfirm' && state !== 'Established')) {
    return [session, []]
  }
  return [session, [{ kind: 'send', bytes: encodeKeepalive() }, ...armKeepalive(agreed)]]
}

function retimed(session: Session, options: SessionOptions): Step {
  const before = session.agreed
  if (before === undefined) return [{ ...session, options }, []]
  const agreed = { ...before, keepaliveMs: keepaliveMsOf(options, before.holdMs) }
  return [{ ...session, options, agreed }, armKeepalive(agreed)]
}

const armKeepalive = ({ keepaliveMs }: Agreed): readonly Effect[] =>
  keepaliveMs > 0 ? [{ kind: 'arm', timer: 'keepalive', ms: keepaliveMs, isJittered: true }] : []

const armHold = ({ holdMs }: Agreed): readonly Effect[] =>
  holdMs > 0 ? [{ kind: 'arm', timer: 'hold', ms: holdMs, isJittered: false }] : []

function heard(session: Session, type: MessageType, body: Uint8Array): Step {
  if (type === 'NOTIFICATION') return told(session, body)
  switch (session.state) {
    case 'OpenSent':
      return type === 'OPEN' ? heardOpen(session, body) : complain(session, notice(5, 1))
    case 'OpenConfirm':
      return type === 'KEEPALIVE' ? established(session) : complain(session, notice(5, 2))
    case 'Established':
      return heardRoutes(session, type, body)
    default:
      return [session, []]
  }
}

function heardOpen(session: Session, body: Uint8Array): Step {
  const open = decodeOpen(body)
  if (!open.ok) return complain(session, open.notice)
  const agreed = agree(session.options, session.routerId ?? open.value.routerId, open.value)
  if (!agreed.ok) {
    const { peerAsn, localAsn } = session.options
    const named = `the peer is in AS ${open.value.asn}, not ${peerAsn} (ours is ${localAsn})`
    const isAsn = agreed.notice.subcode === 2
    const why = isAsn ? named : `its router ID ${open.value.routerId} is ours too`
    return complain(session, agreed.notice, why)
  }
  return [
    { ...session, state: 'OpenConfirm', agreed: agreed.value },
    [
      { kind: 'send', bytes: encodeKeepalive() },
      ...armKeepalive(agreed.value),
      ...armHold(agreed.value),
    ],
  ]
}

function established(session: Session): Step {
  const { agreed } = session
  if (agreed === undefined) return [session, []]
  return [
    { ...session, state: 'Established', isRestarting: false },
    [
      { kind: 'disarm', timer: 'connect' },
      { kind: 'arm', timer: 'lasting', ms: lastingMs, isJittered: false },
      ...armHold(agreed),
      { kind: 'up', agreed },
    ],
  ]
}

function heardRoutes(session: Session, type: MessageType, body: Uint8Array): Step {
  const { agreed } = session
  if (agreed === undefined || type === 'OPEN') return complain(session, notice(5, 3))
  if (type === 'KEEPALIVE') return [session, armHold(agreed)]
  if (type === 'ROUTE-REFRESH') {
    const refresh = decodeRouteRefresh(body)
    if (!refresh.ok) return complain(session, refresh.notice)
    const { family, subtype } = refresh.value
    const isOurs = family !== undefined && agreed.families.includes(family)
    return isOurs && subtype === 'request' ? asked(session, family) : [session, []]
  }
  const update = decodeUpdate(body, agreed)
  if (!update.ok) return complain(session, update.notice)
  const errors = [...update.value.errors, ...update.value.discarded]
  return [
    session,
    [...armHold(agreed), ...(errors.length === 0 ? [] : [{ kind: 'tolerated', errors } as const])],
  ]
}

/** At once, and then once a second however often it asks. */
function asked(session: Session, family: Family): Step {
  const waiting = session.asked
  if (waiting === undefined) return resend(session, [family])
  return [waiting.includes(family) ? session : { ...session, asked: [...waiting, family] }, []]
}

function resend(session: Session, families: readonly Family[]): Step {
  if (families.length === 0) return [session, []]
  const again: Effect = { kind: 'arm', timer: 'refresh', ms: refreshMs, isJittered: false }
  const effects = families.map((family) => ({ kind: 'resend', family }) as const)
  return [{ ...session, asked: [] }, [...effects, again]]
}

function told(session: Session, body: Uint8Array): Step {
  const given = decodeNotification(body)
  const inner = insideOf(given)
  const words = [given, ...(inner ? [inner] : [])].map(noticeText).join(': ')
  const text = shutdownText(inner ?? given)
  const said = text === '' ? '' : `: ${JSON.stringify(text)}`
  return end(session, { why: `the peer ended it: ${words}${said}`, by: 'peer' })
}

const complain = (session: Session, given: Notice, why = noticeText(given)): Step =>
  end(session, { notice: given, why: `we ended it: ${why}`, by: 'node' })

/** RFC 9384; what is only being dialled goes on. */
function bfdDown(session: Session, why: string): Step {
  if (session.state === 'Active' || session.state === 'Connect') return [session, []]
  const given = notice(6, 10)
  return complain(session, withoutTrace(session, given), `${noticeText(given)}: ${why}`)
}

/** So that the peer keeps none of our routes, whatever was agreed. */
const withoutTrace = ({ agreed }: Session, given: Notice): Notice =>
  agreed?.needsHardReset ? hardReset(given) : given

type Ending = {
  readonly why: string
  readonly by: Ender
  readonly notice?: Notice
  readonly isOver?: true
}

/** What the peer is told goes out before the connection ends. */
function end(session: Session, { why, by, notice: given, isOver }: Ending): Step {
  const { state, options, failures } = session
  const isConnected = state !== 'Idle' && state !== 'Active' && state !== 'Connect'
  const retryMs = Math.min(longestRetryMs, 1000 * 2 ** Math.min(failures, 10))
  const effects: Effect[] = timers.map((timer) => ({ kind: 'disarm', timer }))
  if (isConnected && given) effects.push({ kind: 'send', bytes: encodeNotification(given) })
  if (state !== 'Active') effects.push({ kind: 'hangUp' })
  if (state === 'Established') effects.push({ kind: 'down', why })
  if (!isOver && !options.isPassive) {
    const ms = options.retrySeconds === undefined ? retryMs : options.retrySeconds * 1000
    effects.push({
      kind: 'arm',
      timer: 'retry',
      ms,
      isJittered: options.retrySeconds === undefined,
    })
  }
  const connection = { agreed: undefined, routerId: undefined, asked: undefined }
  const after = { ...connection, lastError: why, endedBy: by }
  return [
    { ...session, ...after, state: isOver ? 'Idle' : 'Active', failures: failures + 1 },
    effects,
  ]
}

/** How long a message may be that comes: whoever offers more must take it at once (RFC 8654 §4). */
export const mostBytesFor = ({ state }: Session): number =>
  state === 'Connect' || state === 'OpenSent' ? mostBytes.usual : mostBytes.extended
