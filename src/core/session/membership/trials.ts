// What follows from what members say of each other? A death, a dead link, or nothing.
import type { Ground } from './ground.ts'
import { watchersOf } from './ring.ts'
import type { Peer } from './roster.ts'
import { Trial } from './trial.ts'
import { voiceMs } from './watching.ts'

/** A word about a link counts this long; who said it repeats it every second while it holds. */
const linkVoiceMs = 3500

export class Trials {
  readonly #ground: Ground
  readonly #open = new Set<Peer>()
  readonly #openLinks = new Set<Peer>()

  constructor(ground: Ground) {
    this.#ground = ground
  }

  open(peer: Peer): void {
    this.#open.add(peer)
    this.#ground.roster.touch()
  }

  /** What another says of a member. */
  hear(now: number, peer: Peer, { by, isHeard }: Word): void {
    const lasts = voiceMs(this.#ground.timing)
    if (isHeard) peer.trial.contradict(by, now, lasts)
    else {
      peer.trial.accuse(by, now, lasts)
      this.open(peer)
    }
  }

  /** What somebody, we among them, says of a member's link. */
  hearOfLink(now: number, peer: Peer, { by, link, isHeard }: Word & { link: string }): void {
    if (!peer.facts.links.some(({ name }) => name === link)) return
    const trial = peer.linkTrials.get(link) ?? new Trial()
    if (isHeard) trial.contradict(by, now, linkVoiceMs)
    else {
      trial.accuse(by, now, linkVoiceMs)
      peer.linkTrials.set(link, trial)
    }
    this.#openLinks.add(peer)
  }

  judge(now: number): void {
    for (const peer of this.#open) this.#judge(now, peer)
    for (const peer of this.#openLinks) this.#judgeLinks(now, peer)
  }

  delay(now: number, lateMs: number): void {
    for (const { trial } of this.#open) trial.delay(now, lateMs)
    for (const { linkTrials } of this.#openLinks) {
      for (const trial of linkTrials.values()) trial.delay(now, lateMs)
    }
  }

  nextAt(now: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const peer of this.#open) next = Math.min(next, this.#deadAt(now, peer) ?? next)
    return next
  }

  #deadAt(now: number, { facts, trial }: Peer): number | undefined {
    const { roster, timing } = this.#ground
    return trial.deadAt(now, watchersOf(roster.ring, facts.node).length, timing)
  }

  #judge(now: number, peer: Peer): void {
    const { roster, outbox } = this.#ground
    const deadAt = this.#deadAt(now, peer)
    if (deadAt !== undefined && now >= deadAt) {
      roster.bury(peer, now)
      outbox.changed()
    }
    if (peer.trial.isOpen) return
    this.#open.delete(peer)
    roster.touch()
  }

  #judgeLinks(now: number, peer: Peer): void {
    const silent: string[] = []
    for (const [link, trial] of peer.linkTrials) {
      const deadAt = trial.linkDeadAt(now, this.#ground.timing)
      if (deadAt !== undefined && now >= deadAt) silent.push(link)
      if (!trial.isOpen) peer.linkTrials.delete(link)
    }
    if (peer.linkTrials.size === 0) this.#openLinks.delete(peer)
    const isSame = silent.length === peer.silentLinks.size
    if (isSame && silent.every((link) => peer.silentLinks.has(link))) return
    peer.silentLinks = new Set(silent)
    this.#ground.outbox.changed()
  }
}

type Word = { readonly by: string; readonly isHeard: boolean }
