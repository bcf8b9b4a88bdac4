// How does one decider live? In a loop of its own: at most one round a second, each key that fails
// backed off by itself, so that neither a bad object nor another decider holds it up.
import { Bug } from '../../core/model/bug.ts'
import type { World } from '../../core/model/world.ts'
import type { Write } from '../../core/model/write.ts'
import type { KeptDecider } from '../../core/policy/decider.ts'
import { WorkQueue } from '../../core/policy/workQueue.ts'
import type { Clock } from '../../edge/kube/api/clock.ts'
import { faultFrom } from '../../edge/kube/api/fault.ts'
import type { About, EventText } from '../../edge/kube/write/events.ts'
import type { Keeper } from '../../edge/kube/write/keeper.ts'
import { WritePace } from '../../edge/kube/write/writePace.ts'
import type { Troubles } from './troubles.ts'

type LoopParts = {
  readonly decider: KeptDecider
  readonly world: World
  readonly keeper: Pick<Keeper, 'keep' | 'about'>
  readonly clock: Clock
  readonly random: () => number
  readonly mayWrite: () => boolean
  readonly say: (about: About, events: readonly EventText[]) => void
  readonly troubles: Troubles
}

type Decided = ReturnType<KeptDecider['decide']>

const roundMs = 1_000

export class DeciderLoop {
  readonly #parts: LoopParts
  readonly #queue: WorkQueue
  readonly #pace: WritePace
  /** When what failed is tried again. */
  readonly #failed = new Map<string, number>()
  readonly #again = new Map<string, number>()
  #isWriting = false
  #pause = new AbortController()

  constructor(parts: LoopParts) {
    this.#parts = parts
    this.#queue = new WorkQueue(parts.world, { ...parts.decider, wakes: guarded(parts) })
    this.#pace = new WritePace(parts.random)
  }

  get isQuiet(): boolean {
    return !this.#isWriting && this.#queue.size + this.#failed.size === 0
  }

  /** What may be put off for a second is done at once. */
  hurry(): void {
    this.#pause.abort()
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
    for (const due of [this.#failed, this.#again]) {
      for (const [key, atMs] of due) if (atMs <= nowMs) this.#queue.add(key)
    }
    for (const key of this.#queue.take()) {
      // Past the renew deadline the rest waits, and is not even read.
      if (!mayWrite()) this.#queue.add(key)
      else if ((this.#failed.get(key) ?? nowMs) <= nowMs) await this.#decide(key)
    }
    this.#isWriting = false
  }

  async #decide(key: string): Promise<void> {
    this.#failed.delete(key)
    this.#again.delete(key)
    const decided = this.#decided(key)
    if (decided !== undefined) await this.#carryOut(key, decided)
  }

  /** What is thrown in a decision is our mistake: the key is parked until something changes. */
  #decided(key: string): Decided | undefined {
    const { decider, world, troubles } = this.#parts
    try {
      return decider.decide(world, key)
    } catch (error) {
      troubles.park(decider.name, `${decider.kind} ${key}`, error)
      return undefined
    }
  }

  /** One that is refused does not hold up the rest; the first refusal counts. */
  async #keepAll(writes: readonly Write[]): Promise<void> {
    const refusals: unknown[] = []
    for (const write of writes) {
      await this.#parts.keeper.keep(write).catch((error: unknown) => refusals.push(error))
    }
    if (refusals.length > 0) throw refusals[0]
  }

  async #carryOut(key: string, { writes, events = [], againInS }: Decided): Promise<void> {
    const { decider, keeper, clock, mayWrite, say, troubles } = this.#parts
    const object = `${decider.kind} ${key}`
    try {
      await this.#keepAll(writes)
      const about = events.length === 0 ? undefined : await keeper.about(decider.kind, key)
      if (about !== undefined) say(about, events)
      if (againInS !== undefined) this.#again.set(key, clock.nowMs() + 1_000 * againInS)
      this.#pace.accepted(key)
      troubles.over(decider.name, object)
    } catch (error) {
      if (error instanceof Bug) {
        troubles.park(decider.name, object, error)
        return
      }
      const fault = faultFrom(error, object)
      this.#failed.set(key, clock.nowMs() + this.#pace.refused(key, fault))
      if (mayWrite()) troubles.failed(decider.name, object, fault)
    }
  }
}

/**
 * The keys that a change wakes. What is thrown there is our mistake too: it must not reach whoever
 * reports the change, and is shown until such a change is heard without it.
 */
const guarded =
  ({ decider, troubles }: LoopParts): KeptDecider['wakes'] =>
  (changed, world) => {
    const object = `a change of ${changed.kind} ${changed.key}`
    try {
      const keys = [...decider.wakes(changed, world)]
      troubles.over(decider.name, object)
      return keys
    } catch (error) {
      troubles.park(decider.name, object, error)
      return []
    }
  }
