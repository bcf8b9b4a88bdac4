// How does one decider live? In a loop of its own: at most one round a second, each key that fails
// backed off by itself, so that neither a bad object nor another decider holds it up.
import { Bug } from '../../core/model/bug.ts'
import { ownerOf } from '../../core/model/made.ts'
import { refOf } from '../../core/model/ref.ts'
import type { World } from '../../core/model/world.ts'
import type { Write } from '../../core/model/write.ts'
import type { Decided } from '../../core/policy/decided.ts'
import type { KeptDecider } from '../../core/policy/decider.ts'
import { WorkQueue } from '../../core/policy/workQueue.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { ApiError, faultFrom } from '../../edge/kube/api/fault.ts'
import type { About, EventText } from '../../edge/kube/write/events.ts'
import { type Keeper, NotMade } from '../../edge/kube/write/keeper.ts'
import { WritePace } from '../../edge/kube/write/writePace.ts'
import { type GuardedDecider, guardedDecider } from './guardedDecider.ts'
import type { Troubles } from './troubles.ts'

type Apply = Extract<Write, { type: 'apply' }>

type LoopParts = {
  readonly decider: KeptDecider
  readonly world: World
  readonly keeper: Pick<Keeper, 'keep' | 'about'>
  readonly clock: Clock
  /** The machine's time as RFC 3339. */
  readonly timestamp: () => string
  readonly random: () => number
  readonly mayWrite: () => boolean
  readonly say: (about: About, events: readonly EventText[]) => void
  readonly troubles: Troubles
}

const roundMs = 1_000
/** Then other work of the process goes on: thousands of keys may need nothing written. */
const mostAtOnceMs = 10
const unstopped = new AbortController().signal
/** Of one namespace: the thousands of one keep those of others waiting for no more than a round. */
const mostInRound = 16

/** Its place among the keys of its namespace; 0 for what is in none. */
function placeInNamespace(key: string, counts: Map<string, number>): number {
  const namespace = key.slice(0, Math.max(0, key.indexOf('/')))
  const place = namespace === '' ? 0 : (counts.get(namespace) ?? 0) + 1
  counts.set(namespace, place)
  return place
}

/** In their order: neighbours of one kind together, at most so many. */
function inGroups(writes: readonly Write[], most: number): readonly (readonly Write[])[] {
  const groups: Write[][] = []
  for (const write of writes) {
    const last = groups.at(-1)
    const isNext = last !== undefined && last.length < most && kindOf(last[0]) === kindOf(write)
    if (isNext && kindOf(write) !== '') last.push(write)
    else groups.push([write])
  }
  return groups
}

/** Empty for what is not made: its place among the others counts. */
const kindOf = (write: Write | undefined): string =>
  write?.type === 'apply' ? refOf(write.object).kind : ''

/** The API's own no: it could be asked, and nobody else was faster. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && [400, 403, 404, 422].includes(error.code)

export class DeciderLoop {
  readonly #parts: LoopParts
  readonly #decider: GuardedDecider
  readonly #queue: WorkQueue
  readonly #pace: WritePace
  /** When what failed is tried again. */
  readonly #failed = new Map<string, number>()
  /** When what asks for it is looked at again, and how long that is after the last time. */
  readonly #again = new Map<string, { readonly atMs: number; readonly waitMs: number }>()
  /** What was said last of each key, where events tell how things stand. */
  readonly #said = new Map<string, string>()
  /** What stands when we begin is no news: whoever led before us has told it. */
  #hasCaughtUp = false
  /** What was too much for the last round, and goes first in the next. */
  #left = new Set<string>()
  #isWriting = false
  #pause = new AbortController()

  constructor(parts: LoopParts) {
    this.#parts = parts
    this.#decider = guardedDecider(parts.decider, parts.troubles)
    this.#queue = new WorkQueue(parts.world, this.#decider)
    this.#pace = new WritePace(parts.random)
  }

  /** Whether nothing is left that is ours to write. */
  get isQuiet(): boolean {
    const left = this.#queue.size + this.#left.size + this.#failed.size
    return !this.#isWriting && (left === 0 || !this.#parts.mayWrite())
  }

  /** What may be put off for a second is done at once. */
  hurry(): void {
    this.#pause.abort()
  }

  /** Something may have changed. */
  hear(): void {
    if (this.#parts.decider.isPrompt === true && this.#queue.size > 0) this.hurry()
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, mayWrite } = this.#parts
    while (!signal.aborted) {
      if (mayWrite()) await this.round()
      await clock.sleep(roundMs, AbortSignal.any([signal, this.#pause.signal]))
      this.#pause = new AbortController()
    }
  }

  async round(): Promise<void> {
    const { clock, mayWrite } = this.#parts
    const nowMs = clock.nowMs()
    this.#isWriting = true
    for (const [key, atMs] of this.#failed) if (atMs <= nowMs) this.#queue.add(key)
    for (const [key, { atMs }] of this.#again) {
      // Woken by a change, it waits anew.
      if (this.#queue.has(key)) this.#again.delete(key)
      else if (atMs <= nowMs) this.#queue.add(key)
    }
    const counts = new Map<string, number>()
    const left = this.#left
    this.#left = new Set()
    const most = this.#parts.decider.keysAtOnce ?? 1
    const underWay = new Set<Promise<void>>()
    let sinceMs = nowMs
    for (const key of this.#queue.take(left)) {
      if (underWay.size >= most) await Promise.race(underWay)
      if (clock.nowMs() - sinceMs > mostAtOnceMs) {
        await clock.sleep(0, unstopped)
        sinceMs = clock.nowMs()
      }
      const place = placeInNamespace(key, counts)
      // Past the renew deadline the rest waits, and is not even read.
      if (!mayWrite()) this.#queue.add(key)
      else if (place > mostInRound) {
        this.#left.add(key)
        this.hurry()
      } else if ((this.#failed.get(key) ?? nowMs) <= nowMs) {
        const one = this.#decide(key).finally(() => underWay.delete(one))
        underWay.add(one)
      }
    }
    await Promise.all(underWay)
    this.#hasCaughtUp ||= this.#queue.size + this.#left.size === 0
    this.#isWriting = false
  }

  async #decide(key: string): Promise<void> {
    this.#failed.delete(key)
    const { waitMs = 0 } = this.#again.get(key) ?? {}
    this.#again.delete(key)
    const decided = this.#decider.decide(this.#parts.world, key, this.#parts.timestamp())
    if (decided !== undefined && (await this.#carryOut(key, decided))) {
      this.#lookAgain(key, decided, waitMs)
    }
  }

  #lookAgain(key: string, { againInS, againWithinS = againInS }: Decided, waitedMs: number): void {
    if (againInS === undefined || againWithinS === undefined) return
    const waitMs = Math.min(Math.max(2 * waitedMs, 1_000 * againInS), 1_000 * againWithinS)
    this.#again.set(key, { atMs: this.#parts.clock.nowMs() + waitMs, waitMs })
  }

  #isSaid(key: string, events: readonly EventText[]): boolean {
    return this.#said.get(key) === JSON.stringify(events)
  }

  #remember(key: string, events: readonly EventText[]): void {
    if (events.length === 0) this.#said.delete(key)
    else this.#said.set(key, JSON.stringify(events))
  }

  /** One that is refused does not hold up the rest; the first refusal counts. */
  async #keepAll(writes: readonly Write[]): Promise<void> {
    const refusals: unknown[] = []
    for (const some of inGroups(writes, this.#parts.decider.atOnce ?? 1)) {
      refusals.push(...(await Promise.all(some.map((write) => this.#keepOne(write)))).flat())
    }
    if (refusals.length > 0) throw refusals[0]
  }

  /** Answers what went wrong. */
  async #keepOne(write: Write): Promise<readonly unknown[]> {
    const { keeper, world } = this.#parts
    try {
      await keeper.keep(write)
      if (write.type === 'apply') world.apply({ type: 'written', of: refOf(write.object) })
      return []
    } catch (error) {
      if (write.type === 'apply' && error instanceof NotMade) {
        // It is told, and its decider hears what changes that: there is nothing to back off from.
        this.#note(write, error.message)
        return []
      }
      if (write.type === 'apply' && isRefusal(error)) this.#note(write, error.message)
      return [error]
    }
  }

  /** For the status of what it is made from. */
  #note({ object, maker = ownerOf(object) }: Apply, why: string): void {
    if (maker === undefined) return
    this.#parts.world.apply({ type: 'refused', of: refOf(object), maker, why })
  }

  /** What the API refused is told at once, not when it is tried again. */
  async #tellRefusal(key: string): Promise<void> {
    const decided = this.#decider.decide(this.#parts.world, key, this.#parts.timestamp())
    const told = decided?.writes.filter(({ type }) => type === 'status') ?? []
    const { decider, keeper, troubles } = this.#parts
    const object = `${decider.kind} ${key}`
    for (const write of told) {
      await keeper.keep(write).catch((error: unknown) => {
        troubles.failed(decider.name, object, faultFrom(error, object))
      })
    }
  }

  /** Answers whether all of it is written. */
  async #carryOut(key: string, { writes, events = [] }: Decided): Promise<boolean> {
    const { decider, keeper, clock, mayWrite, say, troubles } = this.#parts
    const object = `${decider.kind} ${key}`
    try {
      await this.#keepAll(writes)
      const isOld = decider.tellsState === true && !this.#hasCaughtUp
      const isSaid = events.length === 0 || isOld || this.#isSaid(key, events)
      const about = isSaid ? undefined : await keeper.about(decider.kind, key)
      if (about !== undefined) say(about, events)
      if (decider.tellsState === true) this.#remember(key, events)
      this.#pace.accepted(key)
      troubles.over(decider.name, object)
      return true
    } catch (error) {
      if (error instanceof Bug) {
        troubles.park(decider.name, object, error)
        return false
      }
      const fault = faultFrom(error, object)
      this.#failed.set(key, clock.nowMs() + this.#pace.refused(key, fault))
      if (mayWrite()) troubles.failed(decider.name, object, fault)
      if (isRefusal(error)) await this.#tellRefusal(key)
      return false
    }
  }
}
