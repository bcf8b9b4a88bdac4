// What do we say of ourselves? Told to all when it changes, and again twice, lest it got lost.

import { mostLinks, mostSubnets } from '../../wire/gossip/facts.ts'
import type { Endpoint, Facts, LinkFacts } from '../../wire/gossip/message.ts'
import { isName, longestLinkName } from '../../wire/gossip/name.ts'
import type { Ground } from './ground.ts'
import type { Horizon } from './horizon.ts'
import { lifeStep } from './life.ts'
import type { OwnFacts } from './member.ts'

type Newer = {
  readonly incarnation: number
  readonly endpoint: Endpoint
  readonly heardAt: number
}

const missedExchanges = 4

export class Self {
  readonly #ground: Ground
  #tellAt: readonly number[] = []
  readonly #horizon: Horizon
  /** A newer process of this node, as long as it is heard. */
  #newer: Newer | undefined

  constructor(ground: Ground, horizon: Horizon) {
    this.#ground = ground
    this.#horizon = horizon
  }

  get facts(): Facts {
    return this.#ground.roster.own.facts
  }

  get isSuperseded(): boolean {
    return this.#newer !== undefined
  }

  update(now: number, own: OwnFacts): void {
    const next = { ...this.facts, ...carried(own) }
    if (JSON.stringify(next, texted) === JSON.stringify(this.facts, texted)) return
    this.#say(now, { ...next, version: this.facts.version + 1 })
  }

  leave(now: number): void {
    if (this.facts.isLeaving) return
    this.#say(now, { ...this.facts, isLeaving: true, version: this.facts.version + 1 })
  }

  /** Somebody holds us for dead, in this incarnation or in that of another process. */
  refute(now: number, incarnation: number): void {
    const own = this.facts.incarnation
    if (incarnation < Math.max(own, this.#newer?.incarnation ?? 0)) return
    if (incarnation > own && this.#horizon.isBeyond(now, incarnation)) return
    this.#newer = undefined
    const above = incarnation === own ? 1 : lifeStep
    this.#say(now, { ...this.facts, incarnation: incarnation + above })
  }

  /** Another process speaks for this node. The newer one of the two does from now on. */
  meetOther(now: number, incarnation: number, endpoint: Endpoint): void {
    if (incarnation <= this.facts.incarnation) return
    if (incarnation < (this.#newer?.incarnation ?? 0)) return
    if (this.#horizon.isBeyond(now, incarnation)) return
    if (this.#newer === undefined) this.#ground.outbox.changed()
    this.#newer = { incarnation, endpoint, heardAt: now }
  }

  /**
   * Others know an incarnation of this node that is newer than ours. Where it is, we are: so it was
   * before us. At another port of this address may be another process, which says so itself; and
   * who claims to be this node elsewhere is not.
   */
  hearOfOther(now: number, { incarnation, endpoint }: Facts): void {
    const own = this.facts
    if (incarnation <= own.incarnation || endpoint.address !== own.endpoint.address) return
    if (endpoint.port === own.endpoint.port) this.refute(now, incarnation)
    else this.#ask(endpoint)
  }

  /** Nobody keeps quiet for good because of a process that is gone. */
  checkOther(now: number): void {
    if (this.#newer === undefined) return
    const { endpoint, heardAt } = this.#newer
    if (now - heardAt < missedExchanges * this.#ground.timing.exchangeMs) {
      this.#ask(endpoint)
      return
    }
    this.#newer = undefined
    this.#ground.outbox.changed()
  }

  tick(now: number): void {
    const [next] = this.#tellAt
    if (next === undefined || now < next) return
    this.#tellAt = this.#tellAt.slice(1)
    this.#tell()
  }

  #ask(endpoint: Endpoint): void {
    this.#ground.outbox.send([endpoint], { kind: 'want', nodes: [this.facts.node] })
  }

  #say(now: number, facts: Facts): void {
    const { beatMs } = this.#ground.timing
    this.#ground.roster.tell(facts)
    this.#ground.outbox.changed()
    this.#tellAt = [now + beatMs, now + 3 * beatMs]
    this.#tell()
  }

  /** The dead too: they may hold us for dead. */
  #tell(): void {
    if (this.isSuperseded) return
    const { outbox, roster } = this.#ground
    outbox.send(roster.allEndpoints, { kind: 'facts', facts: [this.facts] })
  }
}

/** What a message can hold. */
export function carried({ endpoint, isReady, hasApi, links }: OwnFacts): OwnFacts {
  const fit = (link: LinkFacts) => ({ ...link, subnets: link.subnets.slice(0, mostSubnets) })
  const named = links.filter(({ name }) => isName(name, longestLinkName))
  return { endpoint, isReady, hasApi, links: named.slice(0, mostLinks).map(fit) }
}

const texted = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value
