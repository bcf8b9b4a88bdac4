// How does one session run? It performs the effects of core/session/bgp: the socket, the timers,
// and what is sent whenever there is room for it.
import { isSame } from '../../../core/model/sameView.ts'
import { counted } from '../../../core/net/counted.ts'
import type { Ip } from '../../../core/net/ip.ts'
import { AdjRibOut } from '../../../core/session/bgp/adjRibOut.ts'
import type { Agreed } from '../../../core/session/bgp/agreed.ts'
import type { Encodings, Outlet } from '../../../core/session/bgp/encodings.ts'
import type { Effect, Event, Timer } from '../../../core/session/bgp/events.ts'
import { Inbox } from '../../../core/session/bgp/inbox.ts'
import type { Style } from '../../../core/session/bgp/routeAttributes.ts'
import type { PeerRoutes, Route } from '../../../core/session/bgp/routes.ts'
import { mostBytesFor, newSession, type Session, step } from '../../../core/session/bgp/session.ts'
import type { Notice } from '../../../core/wire/bgp/notice.ts'
import type { OwnAddress } from '../../../edge/host/ownAddresses.ts'
import type { TcpConnection, TcpHandlers, TcpTarget } from '../../../edge/host/tcp/dialTcp.ts'
import { Alarms } from '../alarms.ts'
import { MessageCounts } from './messageCounts.ts'
import { type NextHops, nextHopsOf } from './nextHops.ts'
import type { PeerPlan } from './peerPlan.ts'
import { routerIdOf } from './routerId.ts'

export type Means = {
  readonly style: Style
  readonly node: string
  readonly nowMs: () => number
  readonly random: () => number
  /** Wall-clock time as RFC 3339. */
  readonly timestamp: () => string
  readonly dial: (target: TcpTarget, handlers: TcpHandlers) => TcpConnection
  readonly ownAddresses: () => readonly OwnAddress[]
  /** The password, as it is now or was a moment ago; throws where it cannot be read. */
  readonly keyOf: (plan: PeerPlan, when: 'now' | 'recently') => Promise<Uint8Array | undefined>
  readonly log: (level: 'info' | 'warn', message: string) => void
}

type PeerParts = {
  readonly plan: PeerPlan
  readonly routes: PeerRoutes
  readonly means: Means
  /** Whether the router may have routes of an earlier process. */
  readonly begun: 'anew' | 'restarted'
  /** Shared by all sessions. */
  readonly encodings: Encodings
}

/** Where it has come in, and the password that it is signed with. */
type Accepted = { readonly local: Ip; readonly key: Uint8Array | undefined }
type Arriving = { readonly connection: TcpConnection; readonly key: Uint8Array | undefined }

export class PeerSession {
  readonly counts = new MessageCounts()
  readonly #routes: PeerRoutes
  readonly #means: Means
  readonly #encodings: Encodings
  readonly #alarms: Alarms<Timer>
  #plan: PeerPlan
  #session: Session
  #attempts = 0
  #connection: TcpConnection | undefined
  /** Opened by the peer, and not yet that of the session. */
  #arriving: Arriving | undefined
  #wasAccepted = false
  /** That of the connection, or of the last attempt. */
  #key: Uint8Array | undefined
  #inbox: Inbox
  #hops: NextHops = {}
  #local: Ip | undefined
  #since: string
  #out: AdjRibOut | undefined
  #mayAnnounce = false
  #isPumping = false
  #hasRoom = true
  #ending: Promise<void> | undefined
  /** UPDATEs with errors that no line of the log speaks of yet, and when one may. */
  #untold = 0
  #tellAgainMs = Number.NEGATIVE_INFINITY

  constructor({ plan, routes, means, begun, encodings }: PeerParts) {
    this.#plan = plan
    this.#routes = routes
    this.#means = means
    this.#encodings = encodings
    this.#session = newSession(plan.options, begun)
    this.#since = means.timestamp()
    this.#inbox = this.#newInbox()
    this.#alarms = new Alarms(means.nowMs, (timer) => this.#handle({ kind: 'timer', timer }))
    this.#handle({ kind: 'start' })
  }

  get plan(): PeerPlan {
    return this.#plan
  }

  get session(): Session {
    return this.#session
  }

  get nextHops(): NextHops {
    return this.#hops
  }

  /** Ours, of the last connection. */
  get localAddress(): Ip | undefined {
    return this.#local
  }

  /** When the session came up, or went down. */
  get since(): string {
    return this.#since
  }

  /** How many routes the peer has been told, and how many changes it has not. */
  get told(): { readonly sent: number; readonly pending: number } {
    return { sent: this.#out?.sent ?? 0, pending: this.#out?.pending ?? this.#routes.size }
  }

  /** What the peer has been told, by prefix. */
  get sentRoutes(): readonly Route[] {
    return this.#out?.routes ?? []
  }

  /** Prefixes that it cannot be told: their attributes are longer than a message. */
  get tooLong(): readonly string[] {
    return this.#out?.tooLong ?? []
  }

  has(prefix: string): boolean {
    return this.#out?.has(prefix) ?? false
  }

  /** Every Service has been decided once: before that the peer would lose routes it still has. */
  begin(): void {
    this.#mayAnnounce = true
    this.#open()
  }

  flush(): void {
    if (!this.#isPumping && this.#hasRoom) this.#pump()
  }

  /** For a plan that needs no new session. */
  replan(plan: PeerPlan): void {
    if (isSame(plan, this.#plan)) return
    this.#plan = plan
    this.#handle({ kind: 'retimed', options: plan.options })
    void this.rekey()
  }

  /** A live session stays if the router has the new password too within the hold time. */
  async rekey(): Promise<void> {
    if (this.#plan.password === 'none') return
    const connection = this.#connection
    // One that cannot be read is the next attempt's concern.
    const key = await this.#means.keyOf(this.#plan, 'recently').catch(() => undefined)
    const isOther = key !== undefined && !isEqual(key, this.#key)
    if (!isOther || connection !== this.#connection) return
    if (connection === undefined) {
      // With this one nobody has failed yet: it does not wait for the next attempt.
      this.#handle({ kind: 'timer', timer: 'retry' })
      return
    }
    this.#key = key
    const why = connection.rekey(key)
    if (why === '') this.#means.log('info', 'the new password is in use')
    else this.#means.log('warn', `the new password is not in use: ${why}`)
  }

  /** Whether the peer has opened the connection that the session is on. */
  get wasAccepted(): boolean {
    return this.#wasAccepted
  }

  /** The session goes on with a connection that the peer has opened; who heard it passes on. */
  accept(connection: TcpConnection, { local, key }: Accepted): TcpHandlers {
    this.#arriving = { connection, key }
    this.#handle({ kind: 'accepted', routerId: this.#placedAt(local) })
    return this.#handlers
  }

  /** BFD has found the path broken: the hold time is not waited for. */
  bfdDown(why: string): void {
    this.#handle({ kind: 'bfdDown', why })
  }

  /** Ends once the peer has been told, or after a second. */
  async stop(why: Notice): Promise<void> {
    this.#send(this.#out?.withdrawAll())
    this.#handle({ kind: 'stop', notice: why })
    await this.#ending
  }

  /** Where the peer keeps our routes until we are back, they stay; otherwise as `stop`. */
  async pause(why: Notice): Promise<void> {
    if (this.#session.agreed?.keepsRoutes !== true) return this.stop(why)
    this.#handle({ kind: 'stop', notice: undefined })
    await this.#ending
  }

  #handle(event: Event): void {
    const [session, effects] = step(this.#session, event)
    if (isUp(session) !== isUp(this.#session)) this.#since = this.#means.timestamp()
    this.#session = session
    for (const effect of effects) this.#perform(effect)
  }

  #perform(effect: Effect): void {
    switch (effect.kind) {
      case 'dial':
        void this.#dial()
        break
      case 'take':
        this.#take()
        break
      case 'hangUp':
        this.#hangUp()
        break
      case 'send':
        this.#send(effect.bytes)
        break
      case 'arm':
        this.#alarms.arm(effect.timer, effect.isJittered ? this.#jittered(effect.ms) : effect.ms)
        break
      case 'disarm':
        this.#alarms.disarm(effect.timer)
        break
      case 'up':
        this.#up(effect.agreed)
        break
      case 'down':
        this.#means.log('warn', `session down: ${effect.why}`)
        break
      case 'resend':
        for (const bytes of this.#out?.resend(effect.family) ?? []) this.#send(bytes)
        this.flush()
        break
      case 'tolerated':
        this.#tolerate(effect.errors)
        break
    }
  }

  /** A whole table may arrive with errors: one log line a minute is enough. */
  #tolerate(errors: readonly string[]): void {
    this.counts.countMalformed()
    this.#untold++
    if (this.#means.nowMs() < this.#tellAgainMs) return
    const some = `${counted(this.#untold, 'UPDATE')} with errors`
    this.#means.log('warn', `${some}, as ${errors.slice(0, 5).join('; ')}`)
    this.#untold = 0
    this.#tellAgainMs = this.#means.nowMs() + tellAgainMs
  }

  /** Three quarters to all of it (RFC 4271 §10): many that lost a router do not return as one. */
  #jittered(ms: number): number {
    return ms * (0.75 + this.#means.random() / 4)
  }

  async #dial(): Promise<void> {
    const attempt = ++this.#attempts
    const { address, port, source, ttl, leastTtl, vrf, link } = this.#plan
    let key: Uint8Array | undefined
    try {
      key = await this.#means.keyOf(this.#plan, 'now')
    } catch (error) {
      if (attempt !== this.#attempts) return
      const text = error instanceof Error ? error.message : String(error)
      this.#key = undefined
      this.#handle({ kind: 'lost', why: `no password: ${text}` })
      return
    }
    if (attempt !== this.#attempts || this.#session.state !== 'Connect') return
    this.#inbox = this.#newInbox()
    this.#hasRoom = true
    this.#key = key
    this.#wasAccepted = false
    const target = { address, port, source, ttl, leastTtl, device: link || vrf, key }
    this.#connection = this.#means.dial(target, this.#handlers)
  }

  #take(): void {
    // The connection being dialled is no longer needed.
    this.#attempts++
    this.#inbox = this.#newInbox()
    this.#hasRoom = true
    this.#key = this.#arriving?.key
    this.#wasAccepted = true
    this.#connection = this.#arriving?.connection
    this.#arriving = undefined
  }

  get #handlers(): TcpHandlers {
    return {
      connected: (local) => this.#handle({ kind: 'connected', routerId: this.#placedAt(local) }),
      received: (bytes) => this.#inbox.take(bytes),
      drained: () => {
        this.#hasRoom = true
        this.#handle({ kind: 'drained' })
        this.flush()
      },
      ended: (why) => this.#handle({ kind: 'lost', why }),
    }
  }

  #newInbox(): Inbox {
    return new Inbox({
      mostBytes: () => mostBytesFor(this.#session),
      deliver: (incoming) => {
        if (incoming.kind === 'message') this.counts.countReceived(incoming.type)
        this.#handle(incoming)
      },
    })
  }

  /** The router ID of a connection from there. */
  #placedAt(local: Ip): Ip {
    const { address, routerId: configured } = this.#plan
    const own = this.#means.ownAddresses()
    this.#local = local
    this.#hops = nextHopsOf(local, address, own)
    return routerIdOf({ configured, local, own, node: this.#means.node })
  }

  #hangUp(): void {
    const connection = this.#connection
    this.#attempts++
    this.#connection = undefined
    if (this.#out !== undefined) this.#routes.endTelling()
    this.#out = undefined
    this.#ending = connection?.hangUp()
  }

  #up({ peerAsn, peerRouterId, families, holdMs, hopsBySix }: Agreed): void {
    const about = `AS ${peerAsn}, router ID ${peerRouterId}, ${families.join(' and ')}`
    this.#means.log('info', `session up: ${about}, hold time ${holdMs / 1000} s`)
    const { IPv6: six } = this.#hops
    if (hopsBySix && six !== undefined) this.#hops = { IPv4: six, IPv6: six }
    this.#open()
  }

  #open(): void {
    const { agreed, state } = this.#session
    if (!this.#mayAnnounce || state !== 'Established' || agreed === undefined) return
    const { localAsn } = this.#plan.options
    const { style } = this.#means
    const outlet: Outlet = { agreed, localAsn, style, nextHops: this.#hops }
    this.#out ??= new AdjRibOut(this.#routes, outlet, this.#encodings)
    this.flush()
  }

  /** Messages, one behind the other; nothing where there is none. */
  #send(bytes: Uint8Array = nothing): void {
    if (bytes.length === 0) return
    this.counts.countSent(bytes)
    const hadRoom = this.#hasRoom
    this.#hasRoom = this.#connection?.write(bytes) ?? false
    if (hadRoom && !this.#hasRoom) this.#handle({ kind: 'full' })
  }

  /** While there is room, a piece at a time: `drained` goes on where there was none. */
  #pump(): void {
    this.#isPumping = false
    this.#send(this.#out?.next())
    if (!this.#hasRoom || this.#out === undefined || this.#out.isDone) return
    this.#isPumping = true
    setImmediate(() => this.#pump())
  }
}

const nothing = new Uint8Array()
const tellAgainMs = 60_000

const isEqual = (one: Uint8Array, other: Uint8Array | undefined): boolean =>
  other !== undefined && Buffer.compare(one, other) === 0

const isUp = ({ state }: Session): boolean => state === 'Established'
