// Whom do we know, and what of them? The newest facts of each node, and whether it lives.
import type { Ip } from '../../net/ip.ts'
import type { Endpoint, Facts, PeerState } from '../../wire/gossip/message.ts'
import { isSameLife } from './life.ts'
import type { Member } from './member.ts'
import { placeOf, ringOf } from './ring.ts'
import { Trial } from './trial.ts'

export type Peer = {
  readonly node: string
  /** In the ring. */
  readonly place: number
  facts: Facts
  /** The address that its facts came from. */
  heardFrom: Ip
  /** Somebody says that it went by itself: it is so if it proves to be gone. */
  isSaidToLeave: boolean
  state: 'alive' | 'dead' | 'left'
  since: number
  readonly trial: Trial
  readonly linkTrials: Map<string, Trial>
  silentLinks: ReadonlySet<string>
  /** When it was last told how it stands here. */
  toldAt: number
}

type Learnt = 'joined' | 'revived' | 'changed' | 'nothing'

/** Far more than there are nodes in a cluster; a bound all the same. */
const mostPeers = 10_000
const none: ReadonlySet<string> = new Set()

export class Roster {
  readonly own: Peer
  readonly #peers = new Map<string, Peer>()
  #members: readonly Member[] | undefined
  #ring: readonly string[] | undefined
  #liveEndpoints: readonly Endpoint[] | undefined
  #revision = 0

  constructor(own: Facts, now: number) {
    this.own = peerOf({ facts: own, now, from: own.endpoint.address })
  }

  /** All but the own node. */
  get peers(): Iterable<Peer> {
    return this.#peers.values()
  }

  /** Of all that are known, the own node among them. */
  get size(): number {
    return 1 + this.#peers.size
  }

  /** Another number whenever a peer's facts or state are other ones. */
  get revision(): number {
    return this.#revision
  }

  get(node: string): Peer | undefined {
    return node === this.own.node ? this.own : this.#peers.get(node)
  }

  /** Of those that live, the own node among them. The same array until that changes. */
  get ring(): readonly string[] {
    this.#ring ??= ringOf([this.own, ...this.#live()])
    return this.#ring
  }

  get liveEndpoints(): readonly Endpoint[] {
    this.#liveEndpoints ??= this.#live().map(({ facts }) => facts.endpoint)
    return this.#liveEndpoints
  }

  get allEndpoints(): readonly Endpoint[] {
    return Array.from(this.#peers.values(), ({ facts }) => facts.endpoint)
  }

  get members(): readonly Member[] {
    const all = [this.own, ...this.#peers.values()]
    this.#members ??= all.map(memberOf).sort((one, other) => (one.node < other.node ? -1 : 1))
    return this.#members
  }

  get peerStates(): readonly PeerState[] {
    return Array.from(this.#peers.values(), peerStateOf)
  }

  /** Facts of another node. The same incarnation does not rise from the dead. */
  learn({ facts, now, from, isBack }: Lesson): Learnt {
    const known = this.#peers.get(facts.node)
    if (known === undefined) {
      if (this.#peers.size >= mostPeers) return 'nothing'
      this.#peers.set(facts.node, peerOf({ facts, now, from }))
      this.#forgetDerived()
      return 'joined'
    }
    if (!isBack && !isNewer(facts, known.facts)) return 'nothing'
    const before = known.facts.incarnation
    const isNewLife = isBack || facts.incarnation > before
    const wasGone = known.state !== 'alive'
    known.facts = facts
    known.heardFrom = from
    if (isNewLife) {
      known.isSaidToLeave = false
      if (isSameLife(before, facts.incarnation)) known.trial.refuted(now)
      else known.trial.close()
      if (wasGone) Object.assign(known, { state: 'alive', since: now })
    }
    this.#forgetDerived()
    return isNewLife && wasGone ? 'revived' : 'changed'
  }

  /** The own facts, as they are from now on. */
  tell(own: Facts): void {
    this.own.facts = own
    this.touch()
  }

  /** Whoever said before that it leaves has left. */
  bury(peer: Peer, now: number): void {
    peer.state = peer.facts.isLeaving || peer.isSaidToLeave ? 'left' : 'dead'
    peer.since = now
    peer.trial.close()
    peer.linkTrials.clear()
    peer.silentLinks = none
    this.#forgetDerived()
  }

  forget(before: number): boolean {
    const gone = [...this.#peers.values()].filter(
      ({ state, since }) => state !== 'alive' && since < before,
    )
    for (const { facts } of gone) this.#peers.delete(facts.node)
    if (gone.length > 0) this.#forgetDerived()
    return gone.length > 0
  }

  /** Something that `members` shows is different now. */
  touch(): void {
    this.#members = undefined
  }

  #live(): readonly Peer[] {
    return [...this.#peers.values()].filter(({ state }) => state === 'alive')
  }

  #forgetDerived(): void {
    this.#revision++
    this.#ring = undefined
    this.#liveEndpoints = undefined
    this.touch()
  }
}

export const peerStateOf = ({ facts, state }: Peer): PeerState => ({
  node: facts.node,
  incarnation: facts.incarnation,
  version: facts.version,
  state,
})

export const isNewer = (one: Age, other: Age): boolean =>
  one.incarnation > other.incarnation ||
  (one.incarnation === other.incarnation && one.version > other.version)

type Age = { readonly incarnation: number; readonly version: number }

type Learning = { readonly facts: Facts; readonly now: number; readonly from: Ip }
/** `isBack`: a life that is known began in the future, and this one is right. */
type Lesson = Learning & { readonly isBack: boolean }

function peerOf({ facts, now, from }: Learning): Peer {
  return {
    node: facts.node,
    place: placeOf(facts.node),
    facts,
    heardFrom: from,
    isSaidToLeave: false,
    state: 'alive',
    since: now,
    trial: new Trial(),
    linkTrials: new Map(),
    silentLinks: none,
    toldAt: Number.NEGATIVE_INFINITY,
  }
}

function memberOf({ facts, state, trial, silentLinks }: Peer): Member {
  const shown = state === 'alive' && trial.isOpen ? 'accused' : state
  return { node: facts.node, state: shown, facts, silentLinks }
}
