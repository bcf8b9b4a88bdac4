// How do decisions become writes? Made one by one in order, written many at a time: an address
// counts as held once it is decided; what the API refuses is taken back and decided again.
import { Bug } from '../../core/model/bug.ts'
import type { Key, ServiceView } from '../../core/model/service.ts'
import type { World } from '../../core/model/world.ts'
import type { Ip } from '../../core/net/ip.ts'
import { addressesWoken, decideAddress } from '../../core/policy/decideAddress.ts'
import { type Decision, decideService } from '../../core/policy/decideService.ts'
import { type Fault, faultFrom } from '../../edge/kube/api/fault.ts'
import type { WritePace } from '../../edge/kube/write/writePace.ts'
import type { Records } from './records.ts'

export type Said = { readonly service: Key; readonly events: Decision['events'] }

export type TurnParts = {
  readonly world: World
  readonly records: Pick<Records, 'claim' | 'record' | 'writeService' | 'readAgain'>
  readonly pace: WritePace
  /** False past the renew deadline: then nothing more is written. */
  readonly mayWrite: () => boolean
  /** Once it aborts nothing is tried again. */
  readonly signal: AbortSignal
  readonly sleep: (ms: number) => Promise<void>
  readonly say: (said: Said) => void
  readonly failed: (object: string, error: Fault | Bug) => void
}

/** From the decision until its last reply, or until what was refused has been read again. */
type Underway = {
  readonly view: ServiceView
  readonly decision: Decision
  /** What it held and what it is to hold. */
  readonly touched: readonly Ip[]
}

export class ServiceTurns {
  readonly #parts: TurnParts
  readonly #underway = new Map<Key, Underway>()
  readonly #again = new Set<Key>()
  /** Who is decided again once another's decision is no longer under way. */
  readonly #afterwards = new Map<Key, readonly Key[]>()
  /** Whose records have to be looked at again. */
  readonly #woken = new Set<Ip>()
  readonly #sweeping = new Set<Ip>()
  #writing = 0

  constructor(parts: TurnParts) {
    this.#parts = parts
    parts.world.listen((changed) => {
      for (const ip of addressesWoken(changed)) this.#woken.add(ip)
    })
  }

  get isQuiet(): boolean {
    const { turn } = this.#parts.world
    return this.#underway.size + this.#sweeping.size + turn.size + this.#woken.size === 0
  }

  /** Whether a request may be on its way. */
  get isWriting(): boolean {
    return this.#writing > 0
  }

  /** Whether some wait until others are written. */
  get isBusy(): boolean {
    return this.#isFull || this.#parts.world.turn.size > 0
  }

  /** Whether as much is on its way as may be. */
  get #isFull(): boolean {
    return this.#writing >= this.#parts.pace.most
  }

  isUnderway(key: Key): boolean {
    return this.#underway.has(key)
  }

  /** Decides all whose turn it is, as far as writes can go out. */
  pump(): void {
    const { world, mayWrite } = this.#parts
    this.restore()
    while (mayWrite() && !this.#isFull) {
      const key = world.turn.pop()
      if (key === undefined) break
      if (this.#underway.has(key)) this.#again.add(key)
      else this.#take(key)
    }
    this.#sweep()
  }

  /** A watch that is behind, or the claim itself, shows less than what has been decided. */
  restore(): void {
    const { world } = this.#parts
    for (const { view, decision } of this.#underway.values()) {
      const { intent } = decision
      // Nearly always: asked for all that is under way, and after every reply.
      if (areSame(world.holdingOf(view.key)?.ips ?? none, intent.ips)) continue
      const service = world.services.get(view.key)
      if (service?.uid !== view.uid || !world.isOurs(service)) continue
      world.apply({ type: 'intent', intent })
    }
  }

  #take(key: Key): void {
    const { world, say, failed } = this.#parts
    const view = world.services.get(key)
    if (view === undefined) return
    try {
      const before = world.holdingOf(key)?.ips ?? []
      const decision = decideService(world, key)
      const { intent, write, events } = decision
      const other = this.#contender(view, intent.ips)
      if (other !== undefined) {
        this.#afterwards.set(other, [...(this.#afterwards.get(other) ?? []), key])
        return
      }
      world.apply({ type: 'intent', intent })
      const claims = intent.ips.filter((ip) => isToClaim(world, view, ip))
      if (claims.length > 0 || write !== undefined) {
        const touched = [...new Set([...before, ...intent.ips])]
        void this.#carryOut(key, { view, decision, touched }, claims)
      } else if (events.length > 0) say({ service: key, events })
    } catch (error) {
      if (!(error instanceof Bug)) throw error
      // Parked: it is looked at again when something about it changes.
      failed(`Service ${key}`, error)
    }
  }

  /**
   * Who is about to claim what this Service shows and would let go. Another leader may have given
   * it: then that claim will be refused, and nothing is to move (P2).
   */
  #contender(view: ServiceView, kept: readonly Ip[]): Key | undefined {
    const lost = view.ingress.filter((ip) => !kept.includes(ip))
    if (lost.length === 0) return undefined
    for (const [key, { decision }] of this.#underway) {
      if (key !== view.key && decision.intent.ips.some((ip) => lost.includes(ip))) return key
    }
    return undefined
  }

  /** The one place where a failed write of a Service is met. */
  async #carryOut(key: Key, underway: Underway, claims: readonly Ip[]): Promise<void> {
    const { pace, world, failed } = this.#parts
    this.#underway.set(key, underway)
    this.#writing++
    try {
      await this.#write(key, underway, claims)
      this.#writing--
      pace.accepted(key)
      this.#settle(underway.touched)
    } catch (error) {
      this.#writing--
      if (error instanceof Bug) failed(`Service ${key}`, error)
      else await this.#recover(key, error, { key, ips: underway.touched })
    }
    if (this.#underway.get(key) === underway) this.#underway.delete(key)
    if (this.#again.delete(key)) world.wake(key)
    for (const waiter of this.#afterwards.get(key) ?? []) world.wake(waiter)
    this.#afterwards.delete(key)
    this.pump()
  }

  /** First the claim, then the status that shows it (R3.12). */
  async #write(key: Key, { view, decision, touched }: Underway, claims: readonly Ip[]) {
    const { world, records, say } = this.#parts
    const { write, events } = decision
    for (const ip of claims) await records.claim(ip, view)
    const current = world.services.get(key)
    // It has changed meanwhile, so that it is its turn again: this decision is out of date, and
    // another leader may have given it something else (P2).
    const isSame = current?.uid === view.uid && current.resourceVersion === view.resourceVersion
    if (!isSame) return this.#takeBack(key)
    if (write !== undefined) await records.writeService(view, write, touched)
    if (events.length > 0) say({ service: key, events })
  }

  /** Held as decided until everything has been read again; then decided again. */
  async #recover(object: string, error: unknown, what: { key?: Key; ips: readonly Ip[] }) {
    const { records, pace, signal, sleep, failed, mayWrite } = this.#parts
    const { key, ips } = what
    for (let met: unknown = error; !signal.aborted; ) {
      const fault = faultFrom(met, object)
      const waitMs = pace.refused(object, fault)
      if (mayWrite()) failed(object, fault)
      this.pump()
      if (waitMs > 0) await sleep(waitMs)
      try {
        await records.readAgain(key, ips)
        break
      } catch (unread) {
        met = unread
      }
    }
    if (key === undefined) for (const ip of ips) this.#woken.add(ip)
    else this.#takeBack(key)
  }

  /** Back to what the Service shows, or an Address says of it, and decided again from there. */
  #takeBack(key: Key): void {
    const { world, pace } = this.#parts
    this.#underway.delete(key)
    world.apply({ type: 'intent', intent: { service: key, ips: [], wait: undefined } })
    const view = world.services.get(key)
    if (view === undefined) pace.forget(key)
    else world.apply({ type: 'upsert', view })
  }

  /** What is right by now need not be looked at again: there would be one for each Service. */
  #settle(ips: readonly Ip[]): void {
    const { world } = this.#parts
    for (const ip of ips) {
      if (decideAddress(world, ip) === undefined) this.#woken.delete(ip)
    }
  }

  /** Records of addresses that nobody writes for a Service: the last holder left, or an edit. */
  #sweep(): void {
    const { world, mayWrite } = this.#parts
    const hasRoom = () => mayWrite() && !this.#isFull
    // There may be thousands, and this is asked after every reply: not even looked at in vain.
    if (this.#woken.size === 0 || !hasRoom()) return
    const busy = new Set([...this.#underway.values()].flatMap(({ touched }) => touched))
    for (const ip of this.#woken) {
      if (!hasRoom()) return
      if (busy.has(ip) || this.#sweeping.has(ip)) continue
      this.#woken.delete(ip)
      if (decideAddress(world, ip) !== undefined) void this.#recordAgain(ip)
    }
  }

  async #recordAgain(ip: Ip): Promise<void> {
    const { records, pace, failed } = this.#parts
    this.#sweeping.add(ip)
    this.#writing++
    try {
      await records.record(ip)
      this.#writing--
      pace.accepted(ip)
    } catch (error) {
      this.#writing--
      if (error instanceof Bug) failed(`Address ${ip}`, error)
      else await this.#recover(ip, error, { ips: [ip] })
    }
    this.#sweeping.delete(ip)
    this.pump()
  }
}

const none: readonly Ip[] = []

const areSame = (one: readonly Ip[], other: readonly Ip[]): boolean =>
  one.length === other.length && one.every((ip, at) => ip === other[at])

/** Wrongly recorded, or right but not shown yet: then the claim is unfinished (R3.12). */
const isToClaim = (world: World, view: ServiceView, ip: Ip): boolean =>
  !view.ingress.includes(ip) || decideAddress(world, ip)?.type === 'put'
