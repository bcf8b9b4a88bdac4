// What does a message tell us? First whether its sender may speak: it must live, as we know it.
import type { Endpoint, Message, PeerReport, PeerState } from '../../wire/gossip/message.ts'
import type { LinkWord } from './linkBeats.ts'
import type { Via } from './member.ts'
import type { Parts } from './parts.ts'
import type { Peer } from './roster.ts'

/** A node without a beat for this long is not heard just now, though it is not late yet. */
export const silentBeats = 3

export class Reading {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  read(now: number, from: Endpoint, message: Message): void {
    const { exchange, origins, rollCall } = this.#parts
    if (!origins.accepts(message.from, from.address)) return
    rollCall.heard(now, message.from)
    const sender = this.#meet(now, from, message)
    const origin = { node: message.from, endpoint: from }
    if (message.kind === 'facts') exchange.facts(now, origin, message.facts)
    else if (message.kind === 'want') exchange.want(from, message.nodes)
    else if (message.kind === 'digest') {
      if (sender === 'refused') this.#readAboutUs(now, from, message.peerStates)
      else exchange.digest(now, origin, message)
    } else if (typeof sender === 'object') {
      if (message.kind === 'reports') this.#readReports({ now, from, sender }, message.reports)
      else if (message.link === undefined) this.#readBeat(now, sender, message)
    }
  }

  readOnLink(now: number, via: Via & { kind: 'link' }, message: Message): void {
    const { ground, links, strays } = this.#parts
    const peer = ground.roster.get(message.from)
    if (message.kind !== 'beat' || message.link === undefined || peer === undefined) return
    if (peer === ground.roster.own || message.incarnation < peer.facts.incarnation) return
    if (this.#isStray(now, peer)) strays.beat(now, peer, message)
    if (peer.state !== 'alive') return
    const beat = { peer, theirs: message.link, ours: via.link, mac: via.mac }
    for (const word of links.beat(now, beat, message)) this.say(now, word)
  }

  /** To all, ourselves among them. */
  say(now: number, { peer, link, isHeard }: LinkWord): void {
    const { ground, trials } = this.#parts
    const { node, incarnation } = peer.facts
    trials.hearOfLink(now, peer, { by: ground.roster.own.node, link, isHeard })
    ground.outbox.report({ node, incarnation, link, isHeard })
  }

  /** Heard over a link alone. Who dies is silent on both: so it is known before it is buried. */
  #isStray(now: number, { node, state }: Peer): boolean {
    const { ground, watching } = this.#parts
    if (state !== 'alive') return true
    const isWatched = watching.watched.includes(node)
    return isWatched && watching.silenceMs(now, node) > silentBeats * ground.timing.beatMs
  }

  #readBeat(now: number, sender: Peer, beat: Message & { kind: 'beat' }): void {
    const { ground, links, strays, watching } = this.#parts
    strays.meet(sender.node)
    const wasSilent = watching.silenceMs(now, sender.node) > silentBeats * ground.timing.beatMs
    watching.beat(now, sender, beat)
    if (wasSilent) links.pardon(now, sender)
  }

  #meet(now: number, from: Endpoint, message: Message): Peer | 'stranger' | 'refused' {
    const { ground, exchange, self, horizon } = this.#parts
    const { roster, outbox } = ground
    const peer = roster.get(message.from)
    const known = peer?.facts.incarnation ?? -1
    const isBack = peer !== roster.own && horizon.isBack(now, known, message.incarnation)
    const age = isBack ? 1 : message.incarnation - known
    if (peer === roster.own && age >= 0) {
      self.meetOther(now, message.incarnation, from)
      return 'refused'
    }
    if (age > 0 && message.kind !== 'facts') {
      outbox.send([from], { kind: 'want', nodes: [message.from] })
    }
    if (peer === undefined) return 'stranger'
    if (age > 0 || (age === 0 && peer.state === 'alive')) return peer
    exchange.tellPeerState(now, peer, from)
    return 'refused'
  }

  /** Of one that is dead to us nothing else counts: it may be the one that was cut off. */
  #readAboutUs(now: number, from: Endpoint, peerStates: readonly PeerState[]): void {
    const { exchange, self } = this.#parts
    for (const peerState of peerStates) {
      if (peerState.node === self.facts.node) exchange.aboutUs(now, from, peerState)
    }
  }

  #readReports(hearing: Hearing, reports: readonly PeerReport[]): void {
    const { roster } = this.#parts.ground
    for (const report of reports) {
      const peer = roster.get(report.node)
      if (peer?.state !== 'alive') continue
      const { link, isHeard } = report
      if (link !== undefined) this.#hearOfLink(hearing, { peer, link, isHeard })
      else if (peer === roster.own) this.#hearOfUs(hearing, report)
      else this.#hear(hearing, peer, report)
    }
  }

  #hearOfUs({ now, from }: Hearing, { incarnation, isHeard }: PeerReport): void {
    const { self, ground } = this.#parts
    if (isHeard) return
    if (incarnation >= self.facts.incarnation) self.refute(now, incarnation)
    else ground.outbox.send([from], { kind: 'facts', facts: [self.facts] })
  }

  #hear({ now, sender }: Hearing, peer: Peer, report: PeerReport): void {
    const { ground, trials, watching } = this.#parts
    const { node, incarnation } = peer.facts
    if (report.incarnation > incarnation) {
      ground.outbox.send([peer.facts.endpoint], { kind: 'want', nodes: [node] })
      return
    }
    const isDenied = !report.isHeard && watching.isHeard(now, node)
    if (report.incarnation === incarnation) {
      trials.hear(now, peer, { by: sender.node, isHeard: report.isHeard })
      if (isDenied) watching.contradict(now, peer)
    } else if (isDenied) {
      // It has objected already; of all that know, only those that hear it answer. To all: whom
      // the accusation reached, the objection may not have.
      ground.outbox.send(ground.roster.liveEndpoints, { kind: 'facts', facts: [peer.facts] })
    }
  }

  #hearOfLink({ now, sender }: Hearing, word: LinkWord): void {
    const { trials, links } = this.#parts
    const { peer, link, isHeard } = word
    trials.hearOfLink(now, peer, { by: sender.node, link, isHeard })
    if (!isHeard && links.isHeard(now, peer, link)) this.say(now, { peer, link, isHeard: true })
  }
}

type Hearing = { readonly now: number; readonly from: Endpoint; readonly sender: Peer }
