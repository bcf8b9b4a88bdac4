// Who is alive? Events in, effects out; time and chance are handed in.
//
// Every member beats to at most four watchers. One that has heard nothing for the timeout accuses,
// to all at once; when more watchers accuse than hear the member, it counts as dead. It objects to
// all, with a higher incarnation, and lives again. Whoever slept itself gives all others that time.
import type { Endpoint, Message } from '../../wire/gossip/message.ts'
import { firstIncarnation } from './life.ts'
import type { Effect, Member, OwnFacts, Via } from './member.ts'
import type { NodeAddresses } from './origins.ts'
import { Outbox } from './outbox.ts'
import { type Parts, partsOn } from './parts.ts'
import { Reading, silentBeats } from './reading.ts'
import { type Peer, Roster } from './roster.ts'
import { carried } from './self.ts'
import { defaultTiming, type Timing } from './timing.ts'

type MembershipOptions = {
  readonly node: string
  /** The wall clock when the process started, ms since 1970: the newer of two processes wins. */
  readonly bornMs: number
  readonly own: OwnFacts
  /** Monotonic, ms; every later `now` is of the same clock. */
  readonly now: number
  /** Uniform in [0, 1). */
  readonly random: () => number
  readonly timing?: Partial<Timing>
}

export class Membership {
  readonly #parts: Parts
  readonly #reading: Reading
  #nextTickAt: number
  /** Up to when lateness has been allowed for. */
  #awakeAt: number
  #revision = -1

  constructor({ node, bornMs, own, now, random, timing }: MembershipOptions) {
    const incarnation = firstIncarnation(bornMs)
    const facts = { node, incarnation, version: 1, isLeaving: false, ...carried(own) }
    const roster = new Roster(facts, now)
    const ground = { timing: { ...defaultTiming, ...timing }, roster, outbox: new Outbox(roster) }
    this.#parts = partsOn(ground, { now, bornMs, random })
    this.#parts.candidates.refresh(now)
    this.#reading = new Reading(this.#parts)
    this.#nextTickAt = now
    this.#awakeAt = now
  }

  /** When `tick` is due. Any call may bring it nearer. */
  get nextTickAt(): number {
    return this.#nextTickAt
  }

  /** Whether a newer process speaks for this node: this one beats no more and must own nothing. */
  get isSuperseded(): boolean {
    return this.#parts.self.isSuperseded
  }

  /** Whether the address is that of the node; what else claims to be from it does not count. */
  speaksFor(node: string, { address }: Endpoint): boolean {
    return this.#parts.origins.speaksFor(node, address)
  }

  /** What is disregarded: said in another node's name, or far ahead of our clock. */
  get refused(): { readonly origin: number; readonly ahead: number } {
    const { origins, horizon } = this.#parts
    return { origin: origins.refused, ahead: horizon.refused }
  }

  /** What is true of the own node now; told to all when it differs. */
  update(now: number, own: OwnFacts): readonly Effect[] {
    this.#parts.calm.disturb(now)
    this.#parts.self.update(now, own)
    return this.#done(now)
  }

  /** Where others may be, known members among them; each call replaces the list. */
  seeds(
    now: number,
    endpoints: readonly Endpoint[],
    places: readonly NodeAddresses[] = [],
  ): readonly Effect[] {
    this.#parts.calm.disturb(now)
    this.#parts.origins.list(places)
    this.#parts.exchange.seeds(endpoints)
    return this.#done(now)
  }

  heard(now: number, via: Via, message: Message): readonly Effect[] {
    this.#wake(now)
    if (via.kind === 'link') this.#reading.readOnLink(now, via, message)
    else this.#reading.read(now, via.endpoint, message)
    const effects = this.#done(now)
    if (isNews(message, effects)) this.#parts.calm.disturb(now)
    return effects
  }

  /** Early or late: what is due by now is done. */
  tick(now: number): readonly Effect[] {
    const { self, beats, watching, trials, links, exchange, rollCall, calm } = this.#parts
    this.#wake(now)
    this.#refresh(now)
    if (this.isSuperseded) beats.rest(now)
    else {
      beats.tick(now)
      calm.tick(now)
      links.send(now, beats.targets)
      const accused = watching.tick(now)
      for (const peer of accused) trials.open(peer)
      rollCall.tick(now, accused)
      for (const word of links.words(now, this.#heardDirectly(now))) this.#reading.say(now, word)
    }
    self.tick(now)
    exchange.tick(now)
    trials.judge(now)
    this.#nextTickAt = Math.min(beats.dueAt, watching.nextAt(now))
    return this.#done(now)
  }

  /** Tells all that this node is no candidate any more; beats go on until the driver stops. */
  leave(now: number): readonly Effect[] {
    this.#parts.calm.disturb(now)
    this.#parts.self.leave(now)
    return this.#done(now)
  }

  /** All that are known, the own node among them, by name. The same array until it changes. */
  members(): readonly Member[] {
    return this.#parts.ground.roster.members
  }

  /** Those that still count as alive, but do not answer while many fall silent at once (R8.3). */
  get missing(): ReadonlySet<string> {
    return this.#parts.rollCall.missing
  }

  /** Asks all whether they are there: a node that is late itself cannot tell by unread packets. */
  callRoll(now: number): void {
    this.#parts.rollCall.hold(now)
  }

  /** More has come than can be read at once. */
  disturb(now: number): void {
    this.#parts.calm.disturb(now)
  }

  /** Whether messages may wait until the next tick, which handles them first. */
  isCalm(now: number): boolean {
    return this.#parts.calm.isCalm(now)
  }

  /** The nodes that may own addresses (R8.2). */
  candidates(): ReadonlySet<string> {
    return this.#parts.candidates.nodes
  }

  /** We slept, so beats and objections may lie unread: everybody gets that time. */
  #wake(now: number): void {
    const { ground, beats, watching, trials, links, rollCall } = this.#parts
    const lateMs = now - Math.max(this.#nextTickAt, this.#awakeAt)
    if (lateMs <= ground.timing.beatMs / 2) return
    this.#awakeAt = now
    beats.hurry()
    watching.delay(lateMs)
    links.delay(lateMs)
    rollCall.delay(lateMs)
    trials.delay(now, lateMs)
  }

  /** Once a tick: when many join at once, each is no reason to place all anew. */
  #refresh(now: number): void {
    const { ground, beats, watching, links } = this.#parts
    if (this.#revision === ground.roster.revision) return
    this.#revision = ground.roster.revision
    beats.refresh(now)
    watching.refresh(now)
    links.refresh(now, watching.watched)
  }

  #done(now: number): readonly Effect[] {
    const { ground, trials, candidates } = this.#parts
    this.#nextTickAt = Math.min(this.#nextTickAt, Math.max(now, trials.nextAt(now)))
    if (ground.outbox.hasChanged || candidates.isDue(now)) candidates.refresh(now)
    return ground.outbox.take()
  }

  /** Of the others a silent link says nothing: they are silent themselves. */
  #heardDirectly(now: number): readonly Peer[] {
    const { ground, watching } = this.#parts
    const lately = silentBeats * ground.timing.beatMs
    const heard: Peer[] = []
    for (const node of watching.watched) {
      const peer = ground.roster.get(node)
      if (peer !== undefined && watching.silenceMs(now, node) < lately) heard.push(peer)
    }
    return heard
  }
}

/** Neither a beat nor a digest, or there is more to say to it than another digest. */
function isNews(heard: Message, effects: readonly Effect[]): boolean {
  if (heard.kind !== 'beat' && heard.kind !== 'digest') return true
  const isAnswered = heard.kind === 'digest' && heard.wantsReply
  return effects.some((effect) => {
    if (effect.kind === 'changed') return true
    const { kind } = effect.message
    return kind !== 'beat' && !(kind === 'digest' && isAnswered)
  })
}
