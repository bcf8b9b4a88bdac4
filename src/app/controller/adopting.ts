// May what a Service shows be taken over without a record of it? Once, from who gave addresses
// before us: until then the Lease says `begun`, afterwards `done` (R3.15).
import type { World } from '../../core/model/world.ts'
import type { Leader } from './leader.ts'

type AdoptingParts = {
  readonly world: World
  readonly leader: Pick<Leader, 'adoption' | 'isMarked' | 'mark'>
  /** Whether we lead, everything has been listed, and we know whether MetalLB runs. */
  readonly mayDecide: () => boolean
  /** Whether MetalLB gives addresses in our place. */
  readonly isGivenByOthers: () => boolean
  /** Whether every Service that was queued has been decided, and whether that is written too. */
  readonly isDecided: () => boolean
  readonly isWritten: () => boolean
  /** From now on Services may be decided. */
  readonly changed: () => void
}

/** A Service whose status cannot be written must not keep it open for ever. */
const patienceRounds = 60

export class Adopting {
  readonly #parts: AdoptingParts
  #state: 'unknown' | 'marking' | 'adopting' | 'over' = 'unknown'
  #rounds = 0

  constructor(parts: AdoptingParts) {
    this.#parts = parts
  }

  /** Whether it is known how to decide about what is shown. */
  get isKnown(): boolean {
    return this.#state === 'adopting' || this.#state === 'over'
  }

  /** Whether it is over, and the Lease says so. */
  get isOver(): boolean {
    return this.#state === 'over' && this.#parts.leader.isMarked
  }

  /** Whether what others gave may still have to be taken over. */
  get isPending(): boolean {
    const { world, leader } = this.#parts
    const { adoption } = leader
    // An earlier version of us left records and no mark.
    const wasOver = adoption === 'done' || (adoption === undefined && world.hasRecords())
    return this.#state !== 'over' && !wasOver
  }

  /** Called whenever one of the parts may have changed. */
  look(): void {
    const { mayDecide, isGivenByOthers, leader } = this.#parts
    if (!mayDecide()) {
      this.#state = 'unknown'
      return
    }
    if (isGivenByOthers()) {
      // What MetalLB gives meanwhile is taken over when it is gone.
      this.#state = 'unknown'
      if (leader.adoption === 'done') void leader.mark('begun')
    } else if (this.#state === 'unknown') this.#begin()
  }

  /** Called about once a second. */
  tick(): void {
    const { leader, isDecided } = this.#parts
    if (this.#state === 'adopting' && isDecided()) this.#rounds++
    // Somebody has deleted the Lease.
    if (this.#state === 'over' && leader.adoption !== 'done') void leader.mark('done')
    this.end()
  }

  /** Called whenever somebody waits for us. */
  end(): void {
    const { isDecided, isWritten } = this.#parts
    this.#isMarked()
    if (this.#state !== 'adopting' || !isDecided()) return
    if (isWritten() || this.#rounds > patienceRounds) this.#over()
  }

  #begin(): void {
    const { world, leader } = this.#parts
    if (!this.isPending || !showsAny(world)) {
      this.#over()
      return
    }
    world.apply({ type: 'adoption', isOver: false })
    this.#rounds = 0
    this.#state = 'marking'
    if (leader.adoption === 'begun' && leader.isMarked) this.#state = 'adopting'
    else void leader.mark('begun').then(() => this.#isMarked())
  }

  /** It is written before the first record: half of the records would look like all of them. */
  #isMarked(): void {
    if (this.#state !== 'marking' || !this.#parts.leader.isMarked) return
    this.#state = 'adopting'
    this.#parts.changed()
  }

  #over(): void {
    const { world, leader } = this.#parts
    this.#state = 'over'
    world.apply({ type: 'adoption', isOver: true })
    if (leader.adoption !== 'done') void leader.mark('done')
  }
}

function showsAny(world: World): boolean {
  for (const view of world.services.values()) {
    if (view.ingress.length > 0 && world.isOurs(view)) return true
  }
  return false
}
