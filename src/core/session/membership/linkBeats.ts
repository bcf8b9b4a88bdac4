// Is a member heard on the segments that announce? Only who hears others there may say it is not.
import type { Mac } from '../../net/mac.ts'
import { broadcastMac } from '../../wire/arp.ts'
import type { LinkFacts } from '../../wire/gossip/message.ts'
import type { Ground } from './ground.ts'
import type { Peer } from './roster.ts'
import { isBeaten, linkTiming } from './timing.ts'
import { Watch } from './watch.ts'

/** A beat that came over a link: whose, on which of its links, and how it came. */
type LinkBeat = {
  readonly peer: Peer
  readonly theirs: string
  readonly ours: string
  readonly mac: Mac
}
/** What we have to say of a member's link. */
export type LinkWord = { readonly peer: Peer; readonly link: string; readonly isHeard: boolean }

/** `repeatAt` is set while we accuse it, `back` counts its beats since then. */
type Heard = {
  readonly theirs: string
  readonly watch: Watch
  ours: string
  /** It beats to us, and does not only say hello to all. */
  isDue: boolean
  sequence: number
  repeatAt: number | undefined
  back: number
}
type Neighbour = { readonly mac: Mac; readonly heardAt: number }

/** Every member hears every hello: with many of them, each says it less often. */
export const helloMs = (members: number): number => Math.max(1000, 50 * members)
const repeatMs = 1000
/** Beats after which a link that was silent counts as back: one alone may be chance. */
const beatsBack = 8

export class LinkBeats {
  readonly #ground: Ground
  /** By node, and its name of the link. */
  readonly #heard = new Map<string, Map<string, Heard>>()
  /** By our name of the link, and node. */
  readonly #segments = new Map<string, Map<string, Neighbour>>()
  #watched: readonly string[] = []
  #dueAt: number
  #helloAt: number
  #sequence = 0
  #seen = 0

  constructor(ground: Ground, now: number) {
    this.#ground = ground
    this.#dueAt = now
    this.#helloAt = now
  }

  /** A word when it brings back a link that we accuse. */
  beat(now: number, beat: LinkBeat, count: { incarnation: number; sequence: number }): LinkWord[] {
    const { peer, theirs, ours, mac } = beat
    const { node, links } = peer.facts
    if (!links.some(({ name }) => name === theirs)) return []
    within(this.#segments, ours).set(node, { mac, heardAt: now })
    const ofNode = within(this.#heard, node)
    const heard = ofNode.get(theirs) ?? newlyHeard(now, beat)
    ofNode.set(theirs, heard)
    if (!heard.watch.beat(now, count, linkTiming(this.#ground.timing, links))) return []
    // A new process, which does not know us yet.
    if (count.sequence < heard.sequence) heard.isDue = false
    if (count.sequence === heard.sequence + 1) heard.isDue = true
    else if (!heard.isDue && this.#watched.includes(node)) this.#answer(ours, mac)
    heard.sequence = count.sequence
    heard.ours = ours
    const isSilent = peer.silentLinks.has(theirs)
    if (heard.repeatAt === undefined || ++heard.back < (isSilent ? beatsBack : 1)) return []
    heard.repeatAt = undefined
    heard.watch.regret(now)
    return [{ peer, link: theirs, isHeard: true }]
  }

  isHeard(now: number, { node }: Peer, link: string): boolean {
    return this.#heard.get(node)?.get(link)?.watch.isHeard(now) ?? false
  }

  /** It was silent everywhere, so that its links were says nothing: they have to begin again. */
  pardon(now: number, { node, facts }: Peer): void {
    const { timeoutMs } = linkTiming(this.#ground.timing, facts.links)
    for (const { watch } of this.#heard.get(node)?.values() ?? []) watch.begin(now + timeoutMs)
  }

  /** To those that watch us, by unicast; once a second to all, so that MACs are learnt. */
  send(now: number, targets: Iterable<string>): void {
    const { roster, outbox, timing } = this.#ground
    const { links } = roster.own.facts
    if (now < this.#dueAt || !links.some(isBeaten)) return
    const { beatMs } = linkTiming(timing, links)
    this.#dueAt = Math.max(this.#dueAt + beatMs, now + beatMs / 2)
    this.#sequence++
    const isHello = now >= this.#helloAt
    if (isHello) this.#helloAt = now + helloMs(roster.ring.length)
    const nodes = [...targets]
    for (const link of links) {
      if (!isBeaten(link)) continue
      const to = isHello ? [broadcastMac] : this.#macs(link.name, nodes)
      outbox.sendOnLink(link.name, to, this.#body(link.name))
    }
  }

  /** `watched` are those that beat to us and that we hear otherwise. */
  words(now: number, watched: Iterable<Peer>): LinkWord[] {
    const words: LinkWord[] = []
    for (const peer of watched) {
      for (const [link, heard] of this.#heard.get(peer.node) ?? []) {
        if (this.#isDue(now, peer, heard)) words.push({ peer, link, isHeard: false })
      }
    }
    return words
  }

  /** Whether one that beats to us is late on a link. */
  isUneasy(now: number): boolean {
    const { roster, timing } = this.#ground
    for (const node of this.#watched) {
      const ofLinks = linkTiming(timing, roster.get(node)?.facts.links ?? [])
      for (const { isDue, watch } of this.#heard.get(node)?.values() ?? []) {
        if (isDue && watch.isLate(now, ofLinks)) return true
      }
    }
    return false
  }

  delay(lateMs: number): void {
    for (const ofNode of this.#heard.values()) {
      for (const { watch } of ofNode.values()) watch.delay(lateMs)
    }
  }

  /** What is known of the dead is void, and those that need not beat to us may stop. */
  refresh(now: number, watched: readonly string[]): void {
    this.#watched = watched
    const { roster } = this.#ground
    // A side that may be the smaller one says at once how few are left of it.
    const seen = roster.ring.length
    if (seen < this.#seen && 2 * seen <= roster.size) this.#helloAt = now
    this.#seen = seen
    for (const ofLink of [this.#heard, ...this.#segments.values()]) {
      for (const node of ofLink.keys()) {
        if (roster.get(node)?.state !== 'alive') ofLink.delete(node)
      }
    }
    for (const [node, ofNode] of this.#heard) {
      if (!watched.includes(node)) for (const heard of ofNode.values()) heard.isDue = false
    }
  }

  #isDue(now: number, { facts }: Peer, heard: Heard): boolean {
    const { beatMs, timeoutMs } = linkTiming(this.#ground.timing, facts.links)
    if (!this.#isBeatenToUs(facts.links, heard)) {
      // Its carrier says it all, or nobody listens; when that ends it has time to begin.
      heard.repeatAt = undefined
      heard.watch.begin(now + 2 * timeoutMs)
      return false
    }
    if (!heard.isDue || now < heard.watch.deadline) return false
    if (heard.repeatAt !== undefined) heard.back = 0
    if (now < (heard.repeatAt ?? now) || !this.#hearsOther(now, facts.node, heard)) return false
    heard.repeatAt = now + (heard.repeatAt === undefined ? 2 * beatMs : repeatMs)
    return true
  }

  #isBeatenToUs(links: readonly LinkFacts[], { theirs, ours }: Heard): boolean {
    const their = links.find(({ name }) => name === theirs)
    const our = this.#ground.roster.own.facts.links.find(({ name }) => name === ours)
    return their !== undefined && isBeaten(their) && our?.isUsed === true
  }

  /** Lately, and on the same segment: otherwise it may be our own link that is dead. */
  #hearsOther(now: number, node: string, { ours }: Heard): boolean {
    const { roster, timing } = this.#ground
    for (const [other, { heardAt }] of this.#segments.get(ours) ?? []) {
      const { timeoutMs } = linkTiming(timing, roster.get(other)?.facts.links ?? [])
      if (other !== node && now - heardAt < timeoutMs / 2) return true
    }
    return false
  }

  /** One that should beat to us and does not: it may not know our MAC yet. */
  #answer(link: string, mac: Mac): void {
    this.#ground.outbox.sendOnLink(link, [mac], this.#body(link))
  }

  #body(link: string) {
    const seen = this.#ground.roster.ring.length
    return { kind: 'beat', sequence: this.#sequence, link, seen } as const
  }

  #macs(link: string, nodes: readonly string[]): readonly Mac[] {
    const neighbours = this.#segments.get(link)
    const macs: Mac[] = []
    for (const node of nodes) {
      const mac = neighbours?.get(node)?.mac
      if (mac !== undefined) macs.push(mac)
    }
    return macs
  }
}

const newlyHeard = (now: number, { theirs, ours }: LinkBeat): Heard => ({
  ...{ theirs, ours, watch: new Watch(now) },
  ...{ isDue: false, sequence: -1, repeatAt: undefined, back: 0 },
})

function within<T>(map: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const inner = map.get(key) ?? new Map<string, T>()
  map.set(key, inner)
  return inner
}
