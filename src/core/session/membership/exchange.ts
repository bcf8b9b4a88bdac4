// How does everybody come to know the same? Facts are told on change; digests find what was missed.
import type { Ip } from '../../net/ip.ts'
import type { Endpoint, Facts, PeerState } from '../../wire/gossip/message.ts'
import type { Ground } from './ground.ts'
import type { Horizon } from './horizon.ts'
import { isSameLife } from './life.ts'
import type { Origins } from './origins.ts'
import { isNewer, type Peer, peerStateOf } from './roster.ts'
import type { Self } from './self.ts'
import type { Trials } from './trials.ts'
import type { Watching } from './watching.ts'

/** Seeds that are asked in one round. */
const seedsAtOnce = 4
/** What lies unread at one that is said to be dead, and its objection, take this long. */
const objectionBeats = 2

/** A message's node, which has been found to be at that endpoint. */
type Sender = { readonly node: string; readonly endpoint: Endpoint }

type ExchangeParts = {
  readonly ground: Ground
  readonly self: Self
  readonly origins: Origins
  readonly horizon: Horizon
  readonly watching: Watching
  readonly trials: Trials
  readonly random: () => number
}

export class Exchange {
  readonly #ground: Ground
  readonly #self: Self
  readonly #origins: Origins
  readonly #horizon: Horizon
  readonly #watching: Watching
  readonly #trials: Trials
  readonly #random: () => number
  #seeds: readonly Endpoint[] = []
  #seedAt = 0
  #dueAt: number

  constructor(parts: ExchangeParts, now: number) {
    this.#ground = parts.ground
    this.#self = parts.self
    this.#origins = parts.origins
    this.#horizon = parts.horizon
    this.#watching = parts.watching
    this.#trials = parts.trials
    this.#random = parts.random
    this.#dueAt = now
  }

  seeds(endpoints: readonly Endpoint[]): void {
    this.#seeds = endpoints
    this.#askSeeds(endpoints.length)
  }

  tick(now: number): void {
    if (now < this.#dueAt) return
    const { roster, outbox, timing } = this.#ground
    this.#dueAt = now + timing.exchangeMs * (0.8 + 0.4 * this.#random())
    if (roster.forget(now - timing.forgetMs)) outbox.changed()
    this.#self.checkOther(now)
    const peers = [...roster.peers]
    // One of the dead too: when a network is whole again, nobody else would speak across it.
    const asked = [
      this.#anyOf(peers.filter(({ state }) => state === 'alive')),
      this.#anyOf(peers.filter(({ state }) => state === 'dead')),
    ]
    outbox.send(
      asked.flatMap((peer) => peer?.facts.endpoint ?? []),
      this.#digest(true),
    )
    this.#askSeeds(seedsAtOnce)
  }

  /** A node's facts count from itself. What others say of it is a reason to ask it. */
  facts(now: number, { node, endpoint }: Sender, list: readonly Facts[]): void {
    for (const facts of list) {
      if (facts.node === this.#self.facts.node) this.#self.hearOfOther(now, facts)
      else if (facts.node === node) this.#learn(now, facts, endpoint.address)
      else this.#hearOf(now, facts)
    }
  }

  digest(now: number, sender: Sender, body: Digest): void {
    const { outbox } = this.#ground
    const from = sender.endpoint
    const nodes = body.peerStates.flatMap((peerState) =>
      this.#isWanted(now, sender, peerState) ? peerState.node : [],
    )
    if (nodes.length > 0) outbox.send([from], { kind: 'want', nodes })
    if (body.wantsReply) outbox.send([from], this.#digest(false))
  }

  want(from: Endpoint, nodes: readonly string[]): void {
    const { roster, outbox } = this.#ground
    const facts = nodes.flatMap((node) => {
      const peer = roster.get(node)
      const isOurs = peer === roster.own
      return peer?.state === 'alive' && !(isOurs && this.#self.isSuperseded) ? peer.facts : []
    })
    if (facts.length > 0) outbox.send([from], { kind: 'facts', facts })
  }

  /** How we stand with another, or that it knows another process of this node. */
  aboutUs(now: number, from: Endpoint, { state, incarnation }: PeerState): void {
    const { node, incarnation: own } = this.#self.facts
    if (state === 'alive') {
      if (incarnation > own) this.#ground.outbox.send([from], { kind: 'want', nodes: [node] })
    } else if (state === 'dead' || !this.#self.facts.isLeaving) this.#self.refute(now, incarnation)
  }

  /** That it is held for dead, or superseded, so that it can object; not more than once a beat. */
  tellPeerState(now: number, peer: Peer, to: Endpoint): void {
    if (now - peer.toldAt < this.#ground.timing.beatMs) return
    peer.toldAt = now
    const peerStates = [peerStateOf(peer)]
    this.#ground.outbox.send([to], { kind: 'digest', wantsReply: false, peerStates })
  }

  /** That a node objected is believed of others too: whom it cannot reach knows it only so. */
  #hearOf(now: number, facts: Facts): void {
    const { roster, outbox } = this.#ground
    const { node, incarnation, endpoint } = facts
    const peer = roster.get(node)
    if (peer !== undefined && !isNewer(facts, peer.facts)) return
    const isThere = this.#origins.speaksFor(node, endpoint.address)
    const to = new Map((isThere ? [endpoint] : []).map((one) => [keyOf(one), one]))
    if (peer !== undefined) to.set(keyOf(peer.facts.endpoint), peer.facts.endpoint)
    // Of what is said to a stranger first, the channel repeats only facts and digests.
    if (peer === undefined) this.#introduce([...to.values()])
    outbox.send([...to.values()], { kind: 'want', nodes: [node] })
    if (peer === undefined || incarnation === peer.facts.incarnation) return
    if (!isSameLife(peer.facts.incarnation, incarnation)) return
    this.#learn(now, { ...peer.facts, incarnation }, peer.heardFrom)
  }

  #learn(now: number, facts: Facts, from: Ip): void {
    const { roster, outbox } = this.#ground
    const before = roster.get(facts.node)?.facts.incarnation ?? facts.incarnation
    const isBack = this.#horizon.isBack(now, before, facts.incarnation)
    const learnt = roster.learn({ facts, now, from, isBack })
    if (learnt === 'nothing') return
    outbox.changed()
    if (facts.incarnation !== before) {
      const wasWronged = learnt === 'revived' && isSameLife(before, facts.incarnation)
      this.#watching.refuted(now, facts.node, wasWronged)
    }
    if (learnt === 'joined') this.#introduce([facts.endpoint])
  }

  #introduce(to: readonly Endpoint[]): void {
    if (this.#self.isSuperseded) return
    this.#ground.outbox.send(to, { kind: 'facts', facts: [this.#self.facts] })
  }

  /** Whether to ask for its facts. */
  #isWanted(now: number, sender: Sender, peerState: PeerState): boolean {
    const { roster } = this.#ground
    if (peerState.node === this.#self.facts.node) {
      this.aboutUs(now, sender.endpoint, peerState)
      return false
    }
    const peer = roster.get(peerState.node)
    if (peerState.state === 'alive') return peer === undefined || isNewer(peerState, peer.facts)
    const isNews = peer?.state === 'alive' && peerState.incarnation >= peer.facts.incarnation
    if (isNews) this.#hearOfDeath(now, { by: sender.node, peer, state: peerState.state })
    return false
  }

  /** One voice, as an accusation is; whoever is said to be dead is told so, and may object. */
  #hearOfDeath(now: number, { by, peer, state }: Death): void {
    const { outbox, timing, roster } = this.#ground
    const peerStates = [{ ...peerStateOf(peer), state: 'dead' } as const]
    outbox.send([peer.facts.endpoint], { kind: 'digest', wantsReply: false, peerStates })
    if (this.#watching.isHeard(now, peer.node) || roster.get(by)?.state !== 'alive') return
    if (state === 'left') peer.isSaidToLeave = true
    this.#trials.hear(now + objectionBeats * timing.beatMs, peer, { by, isHeard: false })
  }

  #digest(wantsReply: boolean): { kind: 'digest' } & Digest {
    const { roster } = this.#ground
    const own = this.#self.isSuperseded ? [] : [peerStateOf(roster.own)]
    return { kind: 'digest', wantsReply, peerStates: [...own, ...roster.peerStates] }
  }

  /** Those where no member that lives is known to be. */
  #askSeeds(most: number): void {
    const { roster, outbox } = this.#ground
    const known = new Set([this.#self.facts.endpoint, ...roster.liveEndpoints].map(keyOf))
    const unknown = this.#seeds.filter((seed) => !known.has(keyOf(seed)))
    const count = Math.min(most, unknown.length)
    const asked = Array.from({ length: count }, (_, at) => {
      return unknown[(this.#seedAt + at) % unknown.length]
    })
    this.#seedAt += count
    const to = asked.flatMap((seed) => seed ?? [])
    this.#introduce(to)
    outbox.send(to, this.#digest(true))
  }

  #anyOf(peers: readonly Peer[]): Peer | undefined {
    return peers[Math.floor(this.#random() * peers.length)]
  }
}

type Death = {
  readonly by: string
  readonly peer: Peer
  readonly state: PeerState['state']
}
type Digest = { readonly wantsReply: boolean; readonly peerStates: readonly PeerState[] }

const keyOf = ({ address, port }: Endpoint): string => `${address} ${port}`
