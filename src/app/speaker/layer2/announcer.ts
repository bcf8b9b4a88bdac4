// Which addresses does this node answer for on layer 2? Its wants are the elections of all
// Services; differences become answers: when each starts, whether it probes first, and when it
// ends.
import type { Key } from '../../../core/model/service.ts'
import type { Ip } from '../../../core/net/ip.ts'
import { type Moment, momentOf, type Speakers } from '../../../core/policy/announce/advertise.ts'
import { ElectionStarts } from '../../../core/policy/announce/elect.ts'
import type { SpeakerLink } from '../../../core/policy/announce/links.ts'
import type { Change, ProtocolHost } from '../protocol.ts'
import type { ServiceStatuses } from '../status/serviceStatuses.ts'
import type { AnnouncingLinks } from './announcingLinks.ts'
import type { Answers } from './answers.ts'
import { type Election, electionFor } from './election.ts'
import { OwnedAddresses } from './ownedAddresses.ts'
import type { PeerSpeakers } from './peerSpeakers.ts'

type AnnouncerParts = {
  readonly host: Pick<ProtocolHost<Election>, 'world' | 'node' | 'clock' | 'state' | 'wanted'>
  readonly answers: Answers
  readonly peers: Pick<PeerSpeakers, 'speakers' | 'hasLeft' | 'safeDelayMs'>
  readonly statuses: Pick<ServiceStatuses, 'hasTold'>
  readonly links: Pick<AnnouncingLinks, 'names'>
  readonly shouldAnnounceAnyway: boolean
}

/**
 * A node that hands an address over keeps answering until the new owner has it: requests in between
 * reach this node, which still forwards, and the new owner's burst then moves the clients over. The
 * new owner acts on the same event. An event from the API may reach it a second later than us,
 * through another API server; joins and returns it announced to us itself. Two owners count as a
 * conflict only after 2 s.
 */
const overlapMs = { api: 1_500, members: 150 } as const

/**
 * MetalLB's speaker hands over without an overlap: it may have withdrawn its status before we see
 * what moves the address to us. To probe what was announced a moment ago would only add a gap.
 * Later, another host may have taken it.
 */
const justAnnouncedMs = 3_000
const always = Number.POSITIVE_INFINITY

export class Announcer {
  readonly #parts: AnnouncerParts
  readonly #owned = new OwnedAddresses()
  /**
   * Addresses that some node was elected for and may answer, whether or not we saw it: until when
   * each counts as announced, as far as we know. Then it is not probed.
   */
  readonly #known = new Map<Ip, number>()
  /** When we first saw each live node. */
  #liveSince: ReadonlyMap<string, number> = new Map()
  #moment: Moment | undefined
  readonly #starts = new ElectionStarts()
  #links: Speakers['links']

  constructor(parts: AnnouncerParts) {
    this.#parts = parts
  }

  get owned(): Omit<OwnedAddresses, 'set'> {
    return this.#owned
  }

  /** These addresses were announced before we started. */
  remember(addresses: readonly Ip[]): void {
    for (const address of addresses) this.#known.set(address, always)
  }

  /** No Service holds these addresses any more: the next owner has to probe. */
  forget(addresses: readonly Ip[]): void {
    for (const address of addresses) this.#known.delete(address)
  }

  /** Layer 2 answers for the address now: nobody who takes it over from us needs to probe. */
  started(address: Ip): void {
    if (this.#owned.has(address)) this.remember([address])
  }

  /** A node's status for the Service has changed: it announces it, or no longer does. */
  told(service: Key, by: string): void {
    const { host, statuses } = this.#parts
    const election = host.wanted.get(service)
    if (election === undefined || election.owner !== by || by === host.node) return
    if (statuses.hasTold(service, by)) this.remember(election.addresses)
    else this.#stopped(election.addresses)
  }

  /** Nobody announces them from now on. */
  #stopped(addresses: readonly Ip[]): void {
    const until = this.#parts.host.clock.nowMs() + justAnnouncedMs
    const announced = addresses.filter((one) => this.#known.get(one) === always)
    for (const address of announced) this.#known.set(address, until)
  }

  /** The World or the set of speakers has changed. */
  lookAgain(): void {
    this.#moment = undefined
  }

  /** Returns the Services that nobody answers for because their owner is gone. */
  speakersChanged(): readonly Key[] {
    const { host, peers } = this.#parts
    const { live, links } = peers.speakers
    const isSame = (node: string) => sameLinks(links?.get(node), this.#links?.get(node))
    const isStill = new Map([...live].map((node) => [node, isSame(node)]))
    const [before, now] = [this.#liveSince, host.clock.nowMs()]
    this.#liveSince = new Map([...live].map((node) => [node, before.get(node) ?? now]))
    this.#links = links
    this.lookAgain()
    return [...host.wanted].flatMap(([key, { owner }]) => (isStill.get(owner) === true ? [] : key))
  }

  wants(service: Key): Election | undefined {
    const { host, peers, links } = this.#parts
    const { node, state, world } = host
    this.#moment ??= momentOf(world, peers.speakers, this.#starts)
    const own = { node, interfaces: links.names, isSilent: state.isSilent }
    return electionFor(this.#moment, service, own)
  }

  apply(change: Change<Election>): void {
    const { service, before, after } = change
    const addresses = after?.isOurs === true ? after.addresses : []
    const moved = this.#owned.set({ service, addresses, interfaces: after?.interfaces ?? [] })
    for (const address of moved) this.#drive(address, change)
    const left = before?.addresses.filter((address) => !after?.addresses.includes(address)) ?? []
    this.#stopped(left.filter((address) => !this.#isElsewhere(address, service)))
    if (after !== undefined) this.#enter(service, after)
  }

  /** Whether somebody announces the address for another Service. */
  #isElsewhere(address: Ip, service: Key): boolean {
    const { world, wanted } = this.#parts.host
    const others = world.holdersOf(address).filter((key) => key !== service)
    return others.some((key) => wanted.get(key)?.addresses.includes(address))
  }

  #drive(address: Ip, { before, after }: Change<Election>): void {
    const { host, answers, shouldAnnounceAnyway } = this.#parts
    const interfaces = this.#owned.interfacesOf(address)
    if (interfaces !== undefined) {
      const start = (this.#known.get(address) ?? 0) > host.clock.nowMs() ? 'burst' : 'probe'
      const where = interfaces.length === 0 ? 'all' : interfaces
      const announcement = { address, interfaces: where, start, shouldAnnounceAnyway } as const
      answers.begin(announcement, after?.isSafe === true ? this.#safeDelayOf(address, before) : 0)
      return
    }
    const isHandedOver =
      after !== undefined && after.owner !== host.node && after.addresses.includes(address)
    answers.end(address, isHandedOver && after.isServedHere ? this.#overlapWith(after.owner) : 0)
  }

  #overlapWith(owner: string): number {
    const since = this.#liveSince.get(owner) ?? Number.NEGATIVE_INFINITY
    const hasJustCome = this.#parts.host.clock.nowMs() - since < overlapMs.api
    return hasJustCome ? overlapMs.members : overlapMs.api
  }

  /** Zero if the previous owner is alive or left properly. */
  #safeDelayOf(address: Ip, before: Election | undefined): number {
    const { host, peers, answers } = this.#parts
    const { live, expected } = peers.speakers
    if (expected.size < 3 || !this.#known.has(address)) return 0
    if (answers.addresses.has(address)) return 0
    const from = before?.owner
    const isOther = from !== undefined && from !== host.node
    return isOther && (live.has(from) || peers.hasLeft(from)) ? 0 : peers.safeDelayMs
  }

  #enter(service: Key, { owner, addresses }: Election): void {
    const { host, statuses } = this.#parts
    if (owner !== host.node && statuses.hasTold(service, owner)) this.remember(addresses)
    else for (const address of addresses) this.#elect(address)
  }

  #elect(address: Ip): void {
    if (!this.#known.has(address)) this.#known.set(address, 0)
  }
}

const sameLinks = (one: Links, other: Links): boolean =>
  one?.map(linkText).join() === other?.map(linkText).join()
const linkText = ({ name, isUp }: SpeakerLink): string => `${name} ${isUp}`
type Links = readonly SpeakerLink[] | undefined
