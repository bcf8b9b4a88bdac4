// How does everybody come to know the same? Facts are told on change; digests find what was missed.
import type { Endpoint, Facts, Standing } from '../../wire/gossip/message.ts'
import type { Ground } from './ground.ts'
import { isSameLife } from './life.ts'
import { isNewer, type Peer, standingOf } from './roster.ts'
import type { Self } from './self.ts'
import type { Watching } from './watching.ts'

/** Seeds that are asked in one round. */
const seedsAtOnce = 4

type ExchangeParts = {
  readonly ground: Ground
  readonly self: Self
  readonly watching: Watching
  readonly random: () => number
}

export class Exchange {
  readonly #ground: Ground
  readonly #self: Self
  readonly #watching: Watching
  readonly #random: () => number
  #seeds: readonly Endpoint[] = []
  #seedAt = 0
  #dueAt: number

  constructor({ ground, self, watching, random }: ExchangeParts, now: number) {
    this.#ground = ground
    this.#self = self
    this.#watching = watching
    this.#random = random
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

  facts(now: number, list: readonly Facts[]): void {
    for (const facts of list) {
      if (facts.node === this.#self.facts.node) this.#self.meetOther(facts.incarnation)
      else this.#learn(now, facts)
    }
  }

  digest(now: number, from: Endpoint, body: Digest): void {
    const { outbox } = this.#ground
    const nodes = body.standings.flatMap((standing) =>
      this.#isWanted(now, standing) ? standing.node : [],
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

  /** How we stand with another, or that another process speaks for this node. */
  aboutUs(now: number, { state, incarnation }: Standing): void {
    if (state === 'alive') this.#self.meetOther(incarnation)
    else if (state === 'dead' || !this.#self.facts.isLeaving) this.#self.refute(now, incarnation)
  }

  /** That it is held for dead, or superseded, so that it can object; not more than once a beat. */
  tellStanding(now: number, peer: Peer, to: Endpoint): void {
    if (now - peer.toldAt < this.#ground.timing.beatMs) return
    peer.toldAt = now
    const standings = [standingOf(peer)]
    this.#ground.outbox.send([to], { kind: 'digest', wantsReply: false, standings })
  }

  #learn(now: number, facts: Facts): void {
    const { roster, outbox } = this.#ground
    const before = roster.get(facts.node)?.facts.incarnation ?? facts.incarnation
    const learnt = roster.learn(facts, now)
    if (learnt === 'nothing') return
    outbox.changed()
    if (facts.incarnation !== before) {
      const wasWronged = learnt === 'revived' && isSameLife(before, facts.incarnation)
      this.#watching.refuted(now, facts.node, wasWronged)
    }
    if (learnt === 'joined' && !this.#self.isSuperseded) {
      outbox.send([facts.endpoint], { kind: 'facts', facts: [this.#self.facts] })
    }
  }

  /** Whether its facts are to be asked for. */
  #isWanted(now: number, standing: Standing): boolean {
    const { roster, outbox } = this.#ground
    if (standing.node === this.#self.facts.node) {
      this.aboutUs(now, standing)
      return false
    }
    const peer = roster.get(standing.node)
    if (standing.state === 'alive') return peer === undefined || isNewer(standing, peer.facts)
    if (peer?.state !== 'alive' || standing.incarnation < peer.facts.incarnation) return false
    if (this.#watching.isHeard(now, standing.node)) {
      // It is heard here: let it say so itself.
      const body = { kind: 'digest', wantsReply: false, standings: [standing] } as const
      outbox.send([peer.facts.endpoint], body)
      return false
    }
    const isLeaving = peer.facts.isLeaving || standing.state === 'left'
    peer.facts = { ...peer.facts, incarnation: standing.incarnation, isLeaving }
    roster.bury(peer, now)
    outbox.changed()
    return false
  }

  #digest(wantsReply: boolean): { kind: 'digest' } & Digest {
    const { roster } = this.#ground
    const own = this.#self.isSuperseded ? [] : [standingOf(roster.own)]
    return { kind: 'digest', wantsReply, standings: [...own, ...roster.standings] }
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
    if (!this.#self.isSuperseded) outbox.send(to, { kind: 'facts', facts: [this.#self.facts] })
    outbox.send(to, this.#digest(true))
  }

  #anyOf(peers: readonly Peer[]): Peer | undefined {
    return peers[Math.floor(this.#random() * peers.length)]
  }
}

type Digest = { readonly wantsReply: boolean; readonly standings: readonly Standing[] }

const keyOf = ({ address, port }: Endpoint): string => `${address} ${port}`
