// What does a node say on layer 2? It answers for the addresses that it is told to announce (M5.5),
// announces them when they become its own, and notices who else has one.
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { ipFrom, macOctets } from '../../net/octets.ts'
import { decodeNdp, encodeNdp, type Ndp, unspecified } from '../../wire/ndp.ts'
import { ndpAnswer } from '../../wire/ndpAnswers.ts'
import type { Announcement, Counted, Effect } from './announcement.ts'
import { Announcing } from './announcing.ts'
import {
  arpAt,
  arpReply,
  arpSender,
  isArp,
  isArpProbe,
  isArpQuestion,
  newArpReply,
} from './arpFrame.ts'
import { type Binding, bindingOn, type Entry } from './binding.ts'
import { Bindings } from './bindings.ts'
import { isPlainSolicitation, ndpAt, ndpReply, newNdpReply } from './ndpFrame.ts'
import { isArpToAll, isNdpAnnouncement, Overheard, type Spoken } from './overheard.ts'
import { Owners } from './owners.ts'
import { isSamePorts, type Port } from './port.ts'

export type ResponderOptions = {
  /** Asked before everything that is sent: who is cut off from the others must be silent. */
  readonly mayAnswer: () => boolean
  /** Between announcements without a cause; undefined: none. */
  readonly refreshMs?: number | undefined
  /** Whether not all peers are known: whoever is not may be one that hands over. */
  readonly hasUnknownPeers?: boolean
}

/** What is needed of a port for every frame. */
type Seat = {
  readonly mac: Uint8Array
  readonly arpReply: Uint8Array
  readonly ndpReply: Uint8Array
}

/** Which of our addresses a message is about. */
type About = { readonly target: Binding | undefined; readonly source: Binding | undefined }

/** So that answers do not wait for a thousand announcements. */
const stepsAtOnce = 256
const ipv6Bytes = 16

export class Responder {
  readonly #mayAnswer: () => boolean
  readonly #hasUnknownPeers: boolean
  readonly #effects: Effect[] = []
  readonly #announcing: Announcing
  readonly #bindings: Bindings
  readonly #seats = new Map<number, Seat>()
  readonly #counted = new Set<Entry>()
  readonly #overheard = new Overheard()
  #ports: readonly Port[] = []
  #own: ReadonlySet<Mac> = new Set()
  #peers: ReadonlyMap<Mac, string> = new Map()

  constructor({ mayAnswer, refreshMs, hasUnknownPeers = false }: ResponderOptions) {
    this.#mayAnswer = mayAnswer
    this.#hasUnknownPeers = hasUnknownPeers
    this.#announcing = new Announcing({ effects: this.#effects, refreshMs })
    this.#bindings = new Bindings({ announcing: this.#announcing, effects: this.#effects })
  }

  /** When `tick` has something to do. */
  get nextAt(): number | undefined {
    return this.#announcing.nextAt
  }

  announce(now: number, announcements: readonly Announcement[]): void {
    for (const announcement of announcements) this.#bindings.put(now, announcement)
  }

  withdraw(addresses: readonly Ip[]): void {
    for (const address of addresses) this.#bindings.remove(address)
  }

  /** Of the interfaces that announce; `own` are the MACs of all that the host has. */
  ports(now: number, ports: readonly Port[], own: Iterable<Mac>): void {
    this.#own = new Set(own)
    // Hosts have many interfaces that come and go, and are none of ours.
    if (isSamePorts(ports, this.#ports)) return
    this.#ports = ports
    this.#seats.clear()
    for (const { index, mac } of ports) {
      const replies = { arpReply: newArpReply(mac), ndpReply: newNdpReply(mac) }
      this.#seats.set(index, { mac: macOctets(mac), ...replies })
    }
    this.#bindings.ports(now, ports)
  }

  /** The nodes of the other speakers, by MAC: they are never foreign. */
  peers(now: number, nodes: ReadonlyMap<Mac, string>): void {
    this.#peers = nodes
    this.#bindings.pardon(now, nodes)
  }

  /** Some of what is due. */
  tick(now: number): void {
    if (!this.#mayAnswer()) return
    for (let count = 0; count < stepsAtOnce; count++) {
      const binding = this.#announcing.step(now)
      if (binding === undefined) return
      this.#counted.add(binding.entry)
    }
  }

  get hasEffects(): boolean {
    return this.#effects.length > 0
  }

  takeEffects(): readonly Effect[] {
    return this.#effects.splice(0)
  }

  takeCounts(): readonly Counted[] {
    const counts: Counted[] = []
    for (const { address, counts: since } of this.#counted) {
      counts.push({ address, ...since })
      Object.assign(since, { requests: 0, responses: 0, gratuitous: 0 })
    }
    this.#counted.clear()
    return counts
  }

  /** The answer, to be sent where it was heard; its bytes are good until the next. */
  heardArp(now: number, index: number, frame: Uint8Array): Uint8Array | undefined {
    const seat = this.#seats.get(index)
    if (seat === undefined || !isArp(frame)) return undefined
    const { table } = this.#bindings
    const owned = bindingOn(table.find(frame, arpAt.senderIp, 4), index)
    if (owned !== undefined) this.#hasOwner(owned, arpSender(frame), now)
    const asked = bindingOn(table.find(frame, arpAt.targetIp, 4), index)
    if (owned === undefined && asked === undefined && isArpToAll(frame)) {
      const address = ipFrom(frame.subarray(arpAt.senderIp, arpAt.senderIp + 4))
      this.#overhear({ address, mac: arpSender(frame), now }, index)
    }
    if (asked === undefined || !isArpQuestion(frame, seat.mac)) return undefined
    if (asked.phase === 'probing' && isArpProbe(frame)) {
      this.#hasOwner(asked, arpSender(frame), now)
    }
    return this.#isAnswered(asked) ? arpReply(seat.arpReply, frame) : undefined
  }

  heardNdp(now: number, index: number, frame: Uint8Array): Uint8Array | undefined {
    const seat = this.#seats.get(index)
    const { table } = this.#bindings
    const target = bindingOn(table.find(frame, ndpAt.target, ipv6Bytes), index)
    const source = bindingOn(table.find(frame, ndpAt.source, ipv6Bytes), index)
    if (seat === undefined) return undefined
    if (target !== undefined && source === undefined && isPlainSolicitation(frame)) {
      return this.#isAnswered(target) ? ndpReply(seat.ndpReply, frame) : undefined
    }
    // Only what is about us, or what others announce, is read in full.
    const isOurs = target !== undefined || source !== undefined
    if (!isOurs && !isNdpAnnouncement(frame)) return undefined
    const decoded = decodeNdp(frame)
    if (!isOurs && decoded.ok) {
      const { target: address, linkLayer, sourceMac } = decoded.value
      this.#overhear({ address, mac: linkLayer ?? sourceMac, now }, index)
      return undefined
    }
    return decoded.ok ? this.#readNdp(now, decoded.value, { target, source }) : undefined
  }

  #readNdp(now: number, ndp: Ndp, about: About): Uint8Array | undefined {
    const { target, source } = about
    const mac = ndp.linkLayer ?? ndp.sourceMac
    if (isOfGroup(mac)) return undefined
    if (source !== undefined) this.#hasOwner(source, mac, now)
    if (target === undefined) return undefined
    if (isClaim(ndp, target)) this.#hasOwner(target, mac, now)
    const isAnswered = isQuestion(ndp) && this.#isAnswered(target)
    return isAnswered ? encodeNdp(ndpAnswer(ndp, target.port.mac)) : undefined
  }

  #isAnswered({ phase, entry }: Binding): boolean {
    if (phase !== 'answering') return false
    entry.counts.requests++
    this.#counted.add(entry)
    if (!this.#mayAnswer()) return false
    entry.counts.responses++
    return true
  }

  #hasOwner(binding: Binding, mac: Mac, now: number): void {
    if (this.#own.has(mac) || binding.phase === 'refused') return
    const isPeer = this.#peers.has(mac)
    const isProbing = binding.phase === 'probing'
    // A peer that still answers is about to stop.
    if (isProbing && isPeer) return
    if (isPeer) this.#announcing.repeat(binding, now)
    const isRefused = isProbing && binding.entry.announcement.shouldAnnounceAnyway !== true
    if (isRefused) this.#announcing.refuse(binding, now, mac)
    const kind = isPeer ? 'two-owners' : 'foreign-owner'
    const mayHandOver = isPeer || (this.#hasUnknownPeers && !isProbing)
    binding.owners ??= new Owners()
    if (!binding.owners.isDue({ mac, mayHandOver, now }) && !isRefused) return
    const { entry, port } = binding
    this.#effects.push({
      kind,
      address: entry.address,
      interface: port.name,
      mac,
      isAnnounced: !isRefused,
    })
    if (kind === 'foreign-owner' && !isProbing && this.#mayAnswer()) this.#defend(binding)
  }

  /** Others speak of an address that we do not announce there. */
  #overhear(spoken: Omit<Spoken, 'node'>, index: number): void {
    const node = this.#own.has(spoken.mac) ? '' : this.#peers.get(spoken.mac)
    if (node === undefined) return
    const beside = this.#overheard.heard({ ...spoken, node })
    if (beside === undefined) return
    const { address, mac } = spoken
    const name = this.#ports.find((port) => port.index === index)?.name ?? ''
    const sighting = { kind: 'two-owners', address, interface: name, mac, beside } as const
    this.#effects.push({ ...sighting, isAnnounced: false })
  }

  #defend(binding: Binding): void {
    this.#announcing.announce(binding)
    this.#counted.add(binding.entry)
  }
}

/** Whose lowest bit of the first octet is set. */
const isOfGroup = (mac: Mac): boolean => (Number.parseInt(mac.slice(0, 2), 16) & 1) === 1

/** Of one host that does not itself say that the address is its own. */
const isQuestion = ({ kind, source, target }: Ndp): boolean =>
  kind === 'solicitation' && source !== target && !source.startsWith('ff')

/** An advertisement is one always; the question before taking it only to who has not taken it. */
const isClaim = ({ kind, source }: Ndp, { phase }: Binding): boolean =>
  kind === 'advertisement' || (phase === 'probing' && source === unspecified)
