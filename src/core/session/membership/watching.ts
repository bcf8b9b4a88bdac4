// Whom do we watch, and whom do we accuse? Those before us in the ring, once they are silent.
import type { Ground } from './ground.ts'
import { watchedBy } from './ring.ts'
import type { Peer } from './roster.ts'
import { Watch } from './watch.ts'

type Accusation = { readonly incarnation: number; repeatAt: number; left: number }

/** How often an accusation is repeated after it led to a death: whoever missed it learns of it. */
const afterwards = 2

export class Watching {
  readonly #ground: Ground
  readonly #watches = new Map<string, Watch>()
  readonly #accusations = new Map<string, Accusation>()
  #watched: readonly string[] = []
  #revision = -1

  constructor(ground: Ground) {
    this.#ground = ground
  }

  /** The nodes that are to beat to us. */
  get watched(): readonly string[] {
    return this.#watched
  }

  isHeard(now: number, node: string): boolean {
    return this.#watches.get(node)?.isHeard(now) ?? false
  }

  /** How long nothing came from it. */
  silenceMs(now: number, node: string): number {
    return now - (this.#watches.get(node)?.heardAt ?? Number.NEGATIVE_INFINITY)
  }

  beat(now: number, peer: Peer, count: { incarnation: number; sequence: number }): void {
    const { timing } = this.#ground
    const { node } = peer.facts
    const watch = this.#watches.get(node) ?? new Watch(now)
    this.#watches.set(node, watch)
    if (!watch.beat(now, count, timing) || peer.state !== 'alive') return
    const isOurs = this.#accusations.delete(node)
    if (isOurs) watch.regret(now)
    const { trial } = peer
    const isSaid = trial.isContradictedBy(this.#ground.roster.own.node)
    if (isOurs || (trial.isOpen && !isSaid)) this.contradict(now, peer)
  }

  /** We hear it, whatever others say. */
  contradict(now: number, peer: Peer): void {
    const { outbox, roster, timing } = this.#ground
    const { node, incarnation } = peer.facts
    peer.trial.contradict(roster.own.node, now, voiceMs(timing))
    outbox.report({ node, incarnation, link: undefined, isHeard: true })
  }

  /** It lives, in a new incarnation: what was said of the one before is void. */
  refuted(now: number, node: string, wasWronged: boolean): void {
    const watch = this.#watches.get(node)
    const isOurs = this.#accusations.delete(node)
    if (isOurs || wasWronged) watch?.refuted(now, this.#ground.timing)
    else watch?.begin(now + this.#ground.timing.timeoutMs)
  }

  /** Whether one is late. */
  isUneasy(now: number): boolean {
    const { timing } = this.#ground
    return this.#watched.some((node) => this.#watches.get(node)?.isLate(now, timing))
  }

  /** After every change of who lives. */
  refresh(now: number): void {
    const { roster, timing } = this.#ground
    if (this.#revision === roster.revision) return
    this.#revision = roster.revision
    const before = new Set(this.#watched)
    this.#watched = watchedBy(roster.ring, roster.own.node)
    const beginsBy = now + timing.timeoutMs + 2 * timing.beatMs
    for (const node of this.#watched) {
      if (before.has(node)) continue
      const watch = this.#watches.get(node)
      if (watch === undefined) this.#watches.set(node, new Watch(beginsBy))
      else watch.begin(beginsBy)
    }
    for (const node of this.#watches.keys()) {
      // Of the dead too it is known how often they were accused wrongly.
      if (roster.get(node) === undefined) this.#watches.delete(node)
    }
  }

  /** Those that we accuse, each time that we say it. */
  tick(now: number): readonly Peer[] {
    const { roster } = this.#ground
    for (const node of this.#watched) {
      const watch = this.#watches.get(node)
      if (watch === undefined || now < watch.deadline || this.#accusations.has(node)) continue
      const peer = roster.get(node)
      if (peer?.state !== 'alive') continue
      const { incarnation } = peer.facts
      this.#accusations.set(node, { incarnation, repeatAt: now, left: afterwards })
    }
    if (this.#accusations.size === 0) return []
    const due = [...this.#accusations].filter(([, { repeatAt }]) => now >= repeatAt)
    return due.flatMap(([node, accusation]) => this.#accuse(now, node, accusation))
  }

  delay(lateMs: number): void {
    for (const watch of this.#watches.values()) watch.delay(lateMs)
  }

  /** When the first of the watched will have been silent for too long. */
  nextAt(now: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const node of this.#watched) {
      const deadline = this.#watches.get(node)?.deadline ?? next
      if (deadline > now && deadline < next) next = deadline
    }
    return next
  }

  #accuse(now: number, node: string, accusation: Accusation): Peer | [] {
    const { outbox, roster, timing } = this.#ground
    const peer = roster.get(node)
    const isMoot = peer === undefined || peer.facts.incarnation !== accusation.incarnation
    if (isMoot || (peer.state !== 'alive' && accusation.left-- === 0)) {
      this.#accusations.delete(node)
      return []
    }
    accusation.repeatAt = now + 2 * timing.beatMs
    outbox.report({ node, incarnation: accusation.incarnation, link: undefined, isHeard: false })
    if (peer.state !== 'alive') return []
    peer.trial.accuse(roster.own.node, now, voiceMs(timing))
    return peer
  }
}

/** How long a word about a member counts; it is repeated more often as long as it holds. */
export const voiceMs = ({ beatMs }: { readonly beatMs: number }): number => 5 * beatMs
