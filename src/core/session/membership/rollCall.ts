// Do we see more than half of the others, or do we only believe so? (R8.3)
//
// Each node is watched by four others. Of the nodes beyond a cut, our side at first misses only
// those that some of us watch, and the rest one timeout after another: meanwhile it might believe
// that it is the larger part. But a cut shows in four nodes at once: the last ones before it in the
// ring. So a node that misses one, or hears that two are missed (a watcher may be late), calls all
// that it considers alive; those that do not answer are not seen. With five nodes or fewer each
// watches all others, and there is no call.
import type { Ground } from './ground.ts'
import { watchersOfOne } from './ring.ts'
import type { Peer } from './roster.ts'

/** A node that died longer ago has nothing to do with it; a call lasts no longer than this. */
const lastsMs = 2000
const leastMissed = 2
/** A call, or its answer, may get lost: there is another one before anybody counts as not seen. */
const [callBeats, answerBeats, againBeats, silentBeats] = [3, 4, 6, 12]
const none: ReadonlySet<string> = new Set()

export class RollCall {
  readonly #ground: Ground
  readonly #heardAt = new Map<string, number>()
  #since = Number.POSITIVE_INFINITY
  #until = Number.NEGATIVE_INFINITY
  #callAt = 0
  /** Whether it goes on when all have answered. */
  #isHeld = false
  /** Of those that somebody misses, for whom it was called. */
  #causes = none
  #missing = none

  constructor(ground: Ground) {
    this.#ground = ground
  }

  /** Those that are held for alive and did not answer. The same set until it changes. */
  get missing(): ReadonlySet<string> {
    return this.#missing
  }

  heard(now: number, node: string): void {
    if (now < this.#until) this.#heardAt.set(node, now)
  }

  /** For a while, also when all answer. */
  hold(now: number): void {
    this.#isHeld = true
    this.#call(now)
  }

  /** `accused` are those that we miss ourselves. */
  tick(now: number, accused: readonly Peer[]): void {
    const { roster, outbox, timing } = this.#ground
    if (this.#isCause(now, accused.length > 0 ? 1 : leastMissed)) this.#call(now)
    if (now < this.#until && now >= this.#callAt) {
      this.#callAt = now + callBeats * timing.beatMs
      const silent = this.#silentSince(now - againBeats * timing.beatMs)
      const to = silent.map(({ facts }) => facts.endpoint)
      // Whoever is asked for us answers, and be it that we are dead.
      outbox.send(to, { kind: 'want', nodes: [roster.own.node] })
    }
    const missing = this.#unanswered(now)
    if (missing === this.#missing) return
    if (!isSame(missing, this.#missing)) outbox.changed()
    this.#missing = missing
  }

  /** We slept: answers may lie unread. */
  delay(lateMs: number): void {
    this.#since += lateMs
    for (const [node, at] of this.#heardAt) this.#heardAt.set(node, at + lateMs)
  }

  #call(now: number): void {
    if (this.#isSmall) return
    if (now >= this.#until) {
      this.#since = now
      this.#callAt = now
      this.#heardAt.clear()
    }
    this.#until = now + lastsMs
  }

  get #isSmall(): boolean {
    return this.#ground.roster.size <= watchersOfOne + 1
  }

  /** As many are missed, and one of them is new. */
  #isCause(now: number, least: number): boolean {
    if (this.#isSmall) return false
    const before = this.#causes
    const missed: string[] = []
    for (const peer of this.#ground.roster.peers) if (isMissed(peer, now)) missed.push(peer.node)
    const isNew = missed.length >= least && missed.some((node) => !before.has(node))
    this.#causes = new Set(isNew ? missed : missed.filter((node) => before.has(node)))
    return isNew
  }

  #unanswered(now: number): ReadonlySet<string> {
    const { beatMs } = this.#ground.timing
    if (now >= this.#until || now < this.#since + answerBeats * beatMs) return none
    const silent = this.#silentSince(now - silentBeats * beatMs)
    if (silent.length === 0 && !this.#isHeld) this.#until = now
    this.#isHeld = false
    return new Set(silent.map(({ node }) => node))
  }

  #silentSince(lately: number): readonly Peer[] {
    const heardAt = (node: string) => this.#heardAt.get(node) ?? Number.NEGATIVE_INFINITY
    return [...this.#ground.roster.peers].filter(
      ({ node, state }) => state === 'alive' && heardAt(node) < lately,
    )
  }
}

const isMissed = ({ state, since, trial }: Peer, now: number): boolean =>
  state === 'alive' ? trial.isOpen : state === 'dead' && since > now - lastsMs

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((node) => other.has(node))
