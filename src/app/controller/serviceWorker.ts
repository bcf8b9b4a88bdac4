// How do decisions become writes? Made one by one in order, written many at a time. A decision
// counts until its writes are done or refused; then what the API shows does, and is decided again.
import { Bug } from '../../core/model/bug.ts'
import type { Key, ServiceView } from '../../core/model/service.ts'
import type { World } from '../../core/model/world.ts'
import type { Ip } from '../../core/net/ip.ts'
import type { Decision } from '../../core/policy/claims.ts'
import type { Claims } from '../../core/policy/deciders.ts'
import { type Fault, faultFrom } from '../../edge/kube/api/fault.ts'
import { Outdated, type WritePace } from '../../edge/kube/write/writePace.ts'
import { AwaitedNotes } from './awaitedNotes.ts'
import type { Records } from './records.ts'

type Said = { readonly service: Key; readonly events: Decision['events'] }

type WorkerParts = {
  readonly world: World
  readonly deciders: Claims
  readonly records: Pick<Records, 'claim' | 'record' | 'writeService' | 'readAgain'>
  readonly pace: WritePace
  /** False past the renew deadline: then nothing more is written. */
  readonly mayWrite: () => boolean
  /** Once it aborts nothing is tried again. */
  readonly signal: AbortSignal
  readonly sleep: (ms: number) => Promise<void>
  readonly say: (said: Said) => void
  readonly failed: (object: string, error: Fault | Bug) => void
  /** It was decided without one. */
  readonly decided: (object: string) => void
}

/** What a decision asks for, in this order. */
type Work = {
  readonly view: ServiceView
  readonly claims: readonly Ip[]
  readonly decision: Decision
  readonly releases: readonly Ip[]
  /** What it shows or held, and what it is to hold. */
  readonly touched: readonly Ip[]
}

export class ServiceWorker {
  readonly #parts: WorkerParts
  /** From the decision until its last reply, or until what was refused has been read again. */
  readonly #underway = new Map<Key, Work>()
  readonly #again = new Set<Key>()
  /** Addresses whose record may be wrong: a holder came or went, or somebody edited it. */
  readonly #woken = new Set<Ip>()
  /** Those of them whose record is being written. */
  readonly #sweeping = new Set<Ip>()
  /** Holds back Services without an address while a deleted pool is not noted yet (R3.16). */
  readonly #notes: AwaitedNotes
  #writing = 0

  constructor(parts: WorkerParts) {
    this.#parts = parts
    const { world, sleep, deciders } = parts
    this.#notes = new AwaitedNotes({ lost: world.lost, sleep, overdue: () => this.pump() })
    world.listen((changed) => {
      for (const ip of deciders.records.wakes(changed, world)) this.#woken.add(ip)
    })
  }

  get isQuiet(): boolean {
    const { queue } = this.#parts.world
    return this.#underway.size + this.#sweeping.size + queue.size + this.#woken.size === 0
  }

  /** Whether a request may be on its way. */
  get isWriting(): boolean {
    return this.#writing > 0
  }

  /** Whether some wait until others are written. */
  get isBusy(): boolean {
    return this.#isFull || this.#parts.world.queue.size > 0
  }

  /** Whether as much is on its way as may be. */
  get #isFull(): boolean {
    return this.#writing >= this.#parts.pace.most
  }

  /** Decides all that are queued, as far as writes can go out. */
  pump(): void {
    const { world, mayWrite } = this.#parts
    while (mayWrite() && !this.#isFull) {
      const key = world.queue.pop(this.#notes.areDue ? 'holders' : 'all')
      if (key === undefined) break
      if (this.#underway.has(key)) this.#again.add(key)
      else this.#take(key)
    }
    this.#sweep()
  }

  #take(key: Key): void {
    const { world, say, failed, decided } = this.#parts
    const view = world.services.get(key)
    if (view === undefined) return
    // It had nothing to write, and the Service has changed since, perhaps by another leader.
    const isStale = (world.pendingOf(key)?.version ?? view.resourceVersion) !== view.resourceVersion
    if (isStale) {
      world.apply({ type: 'drop', service: key })
      world.queue.forget(key)
    }
    try {
      const work = this.#decide(view)
      if (work === undefined) return
      const { claims, decision, releases } = work
      const { write, events } = decision
      if (claims.length + releases.length > 0 || write !== undefined) void this.#carryOut(key, work)
      else if (events.length > 0) say({ service: key, events })
      decided(`Service ${key}`)
    } catch (error) {
      // Parked: it is looked at again when something about it changes.
      failed(`Service ${key}`, bugFrom(error))
    }
  }

  #decide(view: ServiceView): Work | undefined {
    const { world, deciders } = this.#parts
    const before = world.holdingOf(view.key)?.ips ?? []
    const decision = deciders.holders.claim(world, view.key)
    const { intent } = decision
    // One that moves to any address lets those that ask for a specific one go first (R2.4).
    if (world.putsOff(intent)) return undefined
    world.apply({ type: 'intent', intent })
    return {
      view,
      claims: intent.ips.filter((ip) => this.#isToClaim(view, ip)),
      decision,
      releases: before.filter((ip) => !intent.ips.includes(ip)),
      touched: [...new Set([...view.ingress, ...before, ...intent.ips])],
    }
  }

  /** Wrongly recorded, or right but not shown yet: then the claim is unfinished (R3.12). */
  #isToClaim(view: ServiceView, ip: Ip): boolean {
    const { world, deciders } = this.#parts
    return !view.ingress.includes(ip) || deciders.records.record(world, ip)?.type === 'put'
  }

  /** The one place where a failed write of a Service is met. */
  async #carryOut(key: Key, work: Work): Promise<void> {
    const { pace, world, failed } = this.#parts
    let isParked = false
    this.#underway.set(key, work)
    this.#writing++
    try {
      await this.#write(key, work)
      this.#writing--
      pace.accepted(key)
    } catch (error) {
      this.#writing--
      isParked = error instanceof Bug
      if (error instanceof Bug) failed(`Service ${key}`, error)
      else await this.#recover(key, error, { key, ips: work.touched })
    }
    this.#underway.delete(key)
    this.#settle(work.touched)
    if (!isParked) world.apply({ type: 'drop', service: key })
    if (this.#again.delete(key)) world.wake(key)
    if (!world.services.has(key)) pace.forget(key)
    this.pump()
  }

  /** First the claim, then the status that shows it; what it leaves is released last (R3.12). */
  async #write(key: Key, work: Work): Promise<void> {
    const { world, records, say } = this.#parts
    const { view, claims, decision, releases, touched } = work
    const { write, events } = decision
    await this.#verify(work)
    for (const ip of claims) await records.claim(ip, view)
    const current = world.services.get(key)
    // It has changed meanwhile, so that it is queued again: this decision is out of date, and
    // another leader may have given it something else (P2).
    if (current?.uid !== view.uid || current.resourceVersion !== view.resourceVersion) return
    if (write !== undefined) await records.writeService(view, write, touched)
    if (events.length > 0) say({ service: key, events })
    for (const ip of releases) await records.record(ip)
  }

  /** No address is taken from a status because the watch has not told of its record yet. */
  async #verify({ view, decision: { intent, write } }: Work): Promise<void> {
    const { world, records } = this.#parts
    const isLost = (ip: Ip) => !intent.ips.includes(ip) && !world.recordOf(ip, view)
    const lost = write?.ips === undefined ? [] : view.ingress.filter(isLost)
    await records.readAgain(undefined, lost)
    if (!lost.every(isLost)) throw new Outdated(`Service ${view.key}: its Address is there`)
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
    else this.#again.add(key)
  }

  /** What is right by now need not be looked at again: there would be one for each Service. */
  #settle(ips: readonly Ip[]): void {
    for (const ip of ips) {
      if (this.#isRight(ip)) this.#woken.delete(ip)
    }
  }

  /** Records of addresses that nobody writes for a Service: the last holder left, or an edit. */
  #sweep(): void {
    const { mayWrite } = this.#parts
    const hasRoom = () => mayWrite() && !this.#isFull
    // There may be thousands, and this runs after every reply: none is looked at for nothing.
    if (this.#woken.size === 0 || !hasRoom()) return
    const busy = new Set([...this.#underway.values()].flatMap(({ touched }) => touched))
    for (const ip of this.#woken) {
      if (!hasRoom()) return
      if (busy.has(ip) || this.#sweeping.has(ip)) continue
      this.#woken.delete(ip)
      if (!this.#isRight(ip)) void this.#recordAgain(ip)
    }
  }

  /** Whether its record is as it should be, or cannot be decided: that is parked. */
  #isRight(ip: Ip): boolean {
    const { world, deciders, failed } = this.#parts
    try {
      return deciders.records.record(world, ip) === undefined
    } catch (error) {
      failed(`Address ${ip}`, bugFrom(error))
      return true
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

/** Whatever a decision throws is our mistake. */
const bugFrom = (error: unknown): Bug =>
  error instanceof Bug ? error : new Bug(String(error), { cause: error })
