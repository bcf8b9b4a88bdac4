// What happens between the start and the end of a protocol? The speaker asks what each changed
// Service wants, a few milliseconds at a time, and applies only the differences.
import { isSame } from '../../core/model/sameView.ts'
import type { Key } from '../../core/model/service.ts'
import type { Ip } from '../../core/net/ip.ts'
import { Due } from './due.ts'
import type { Protocol, ProtocolEntry, ProtocolHost, WantQueue } from './protocol.ts'

export type LifeParts<Want> = Omit<ProtocolHost<Want>, 'wanted' | 'queue'> & {
  /** Whether everything that all protocols need is known. */
  readonly isReady: () => boolean
  /** Runs after pending timers and sockets. */
  readonly soon: (act: () => void) => void
}

/** Short, because layer-2 membership sends a heartbeat every 40 ms on the same thread. */
const sliceMs = 4
const askAgainMs = 20
/** The DaemonSet's grace period is this for all protocols together, and a little more. */
const leaveAtMostMs = 2_000

export class ProtocolLife<Want> implements WantQueue {
  readonly protocol: Protocol<Want>
  readonly #parts: LifeParts<Want>
  readonly #wanted = new Map<Key, Want>()
  readonly #due = new Due()
  /** All Services are due after the urgent ones. A flag, because queueing thousands takes time. */
  #areAllDue = false
  #isScheduled = false
  #state: 'waiting' | 'deciding' | 'announcing' | 'leaving' = 'waiting'
  #fail: (error: unknown) => void = () => undefined
  readonly #failed: Promise<never>

  constructor(entry: ProtocolEntry<Want>, parts: LifeParts<Want>) {
    this.#parts = parts
    this.#failed = new Promise<never>((_, reject) => {
      this.#fail = reject
    })
    this.#failed.catch(() => undefined)
    this.protocol = entry.start({ ...parts, wanted: this.wanted, queue: this })
    this.protocol.ended.catch(() => undefined)
  }

  /** Whether every Service has been decided once. */
  get isAnnouncing(): boolean {
    return this.#state === 'announcing'
  }

  /** The wants applied last, by Service. */
  get wanted(): ReadonlyMap<Key, Want> {
    return this.#wanted
  }

  get isQuiet(): boolean {
    return this.#due.size === 0 && !this.#areAllDue
  }

  /** Runs until aborted; throws if the protocol cannot continue. */
  async run(signal: AbortSignal): Promise<void> {
    const over = new Promise<void>((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    await Promise.race([over, this.protocol.ended, this.#failed, this.#whenReady(signal, over)])
  }

  /** Called once everything needed to decide is known. */
  begin(): void {
    if (this.#state === 'waiting') this.#state = 'deciding'
    this.wakeAll()
    this.pump()
  }

  /** The Service, or one that shares an address with it, has changed. */
  serviceChanged(service: Key): void {
    this.#safely(() => this.protocol.worldChanged('services'))
    this.#due.add(service)
  }

  configurationChanged(): void {
    this.#safely(() => this.protocol.worldChanged('configuration'))
    this.#areAllDue = true
  }

  stateChanged(): void {
    this.#safely(() => this.protocol.stateChanged())
  }

  released(addresses: readonly Ip[]): void {
    this.#safely(() => this.protocol.released?.(addresses))
  }

  urge(service: Key): void {
    this.#due.urge(service)
  }

  wakeAll(): void {
    this.#areAllDue = true
  }

  pump(): void {
    if (!this.#isScheduled) this.#safely(() => this.#decideSome())
  }

  /** Announcements stay up until the protocol has handed over. */
  async leave(): Promise<void> {
    this.#state = 'leaving'
    const atMostMs = leaveAtMostMs + (this.protocol.leaveMs ?? 0)
    const late = this.#parts.clock.sleep(atMostMs, new AbortController().signal)
    await Promise.race([this.protocol.leave(), late])
  }

  async #whenReady(signal: AbortSignal, over: Promise<void>): Promise<void> {
    const { clock, isReady } = this.#parts
    const isWaiting = () => !isReady() || this.protocol.missing.length > 0
    while (isWaiting() && !signal.aborted) await clock.sleep(askAgainMs, signal)
    this.begin()
    await over
  }

  #decideSome(): void {
    if (this.#state !== 'deciding' && this.#state !== 'announcing') return
    const { clock, soon } = this.#parts
    const until = clock.nowMs() + sliceMs
    for (let at = 1; ; at++) {
      const service = this.#take()
      if (service === undefined) break
      this.#decide(service)
      if (at % 16 === 0 && clock.nowMs() >= until) break
    }
    this.protocol.flush()
    if (this.isQuiet) {
      this.#state = 'announcing'
      this.protocol.settled()
      return
    }
    this.#isScheduled = true
    soon(() => {
      this.#isScheduled = false
      this.pump()
    })
  }

  #take(): Key | undefined {
    if (this.#areAllDue && !this.#due.hasUrgent) {
      this.#areAllDue = false
      for (const service of this.#wanted.keys()) this.#due.add(service)
      for (const service of this.#parts.world.services.keys()) this.#due.add(service)
    }
    return this.#due.take()
  }

  /** If a Service cannot be decided, it stays as it was until it changes; the others go on. */
  #decide(service: Key): void {
    const before = this.#wanted.get(service)
    try {
      const after = this.protocol.wants(service)
      if (isSame(before, after)) return
      this.#keep(service, after)
      this.protocol.apply({ service, before, after })
    } catch (error) {
      this.#keep(service, before)
      const object = `Service/${service}`
      this.#parts.log({ level: 'error', object, message: stackOf(error) })
    }
  }

  #keep(service: Key, want: Want | undefined): void {
    if (want === undefined) this.#wanted.delete(service)
    else this.#wanted.set(service, want)
  }

  /** An exception from one protocol ends that protocol only. */
  #safely(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#fail(error)
    }
  }
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
