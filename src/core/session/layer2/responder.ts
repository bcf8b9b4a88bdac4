// What does a node send on layer 2? It answers for the addresses it is told to announce (M5.5),
// announces them when it becomes their owner, and notices others that have one.
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
  /** Checked before every frame sent: a node cut off from its peers must be silent. */
  readonly mayAnswer: () => boolean
  /** Interval between repeated announcements; undefined for none. */
  readonly refreshMs?: number | undefined
  /** Some peers are unknown, so an unknown MAC may be a peer handing over. */
  readonly hasUnknownPeers?: boolean
}

/** What every frame needs to know about its port. */
type PortReplies = {
  readonly mac: Uint8Array
  readonly arpReply: Uint8Array
  readonly ndpReply: Uint8Array
}

/** Which of our addresses a message concerns. */
type About = { readonly target: Binding | undefined; readonly source: Binding | undefined }

/** Keeps answers from waiting behind thousands of announcements. */
const stepsAtOnce = 256
const ipv6Bytes = 16

export class Responder {
  readonly #mayAnswer: () => boolean
  readonly #hasUnknownPeers: boolean
  readonly #effects: Effect[] = []
  readonly #announcing: Announcing
  readonly #bindings: Bindings
  readonly #replies = new Map<number, PortReplies>()
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

  /** When `tick` has something to do next. */
  get nextAt(): number | undefined {
    return this.#announcing.nextAt
  }

  announce(now: number, announcements: readonly Announcement[]): void {
    for (const announcement of announcements) this.#bindings.put(now, announcement)
  }

  withdraw(addresses: readonly Ip[]): void {
    for (const address of addresses) this.#bindings.remove(address)
  }

  /** The interfaces that announce; `own` are the MACs of all interfaces of the host. */
  ports(now: number, ports: readonly Port[], own: Iterable<Mac>): void {
    this.#own = new Set(own)
    // Interfaces of Pods come and go all the time, and none of them announce.
    if (isSamePorts(ports, this.#ports)) return
    this.#ports = ports
    this.#replies.clear()
    for (const { index, mac } of ports) {
      const replies = { arpReply: newArpReply(mac), ndpReply: newNdpReply(mac) }
      this.#replies.set(index, { mac: macOctets(mac), ...replies })
    }
    this.#bindings.ports(now, ports)
  }

  /** The nodes of the other speakers, by MAC: they never count as foreign. */
  peers(now: number, nodes: ReadonlyMap<Mac, string>): void {
    this.#peers = nodes
    this.#bindings.pardon(now, nodes)
  }

  /** Performs some of the steps that are due. */
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

  /** Returns the answer to send on the same port; its bytes are valid until the next call. */
  heardArp(now: number, index: number, frame: Uint8Array): Uint8Array | undefined {
    const prepared = this.#replies.get(index)
    if (prepared === undefined || !isArp(frame)) return undefined
    const { table } = this.#bindings
    const owned = bindingOn(table.find(frame, arpAt.senderIp, 4), index)
    if (owned !== undefined) this.#hasOwner(owned, arpSender(frame), now)
    const asked = bindingOn(table.find(frame, arpAt.targetIp, 4), index)
    if (owned === undefined && asked === undefined && isArpToAll(frame)) {
      const address = ipFrom(frame.subarray(arpAt.senderIp, arpAt.senderIp + 4))
      this.#overhear({ address, mac: arpSender(frame), now }, index)
    }
    if (asked === undefined || !isArpQuestion(frame, prepared.mac)) return undefined
    if (asked.phase === 'probing' && isArpProbe(frame)) {
      this.#hasOwner(asked, arpSender(frame), now)
    }
    return this.#isAnswered(asked) ? arpReply(prepared.arpReply, frame) : undefined
  }

  heardNdp(now: number, index: number, frame: Uint8Array): Uint8Array | undefined {
    const prepared = this.#replies.get(index)
    const { table } = this.#bindings
    const target = bindingOn(table.find(frame, ndpAt.target, ipv6Bytes), index)
    const source = bindingOn(table.find(frame, ndpAt.source, ipv6Bytes), index)
    if (prepared === undefined) return undefined
    if (target !== undefined && source === undefined && isPlainSolicitation(frame)) {
      return this.#isAnswered(target) ? ndpReply(prepared.ndpReply, frame) : undefined
    }
    // Only frames about our addresses, and announcements by others, are decoded in full.
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

  /** Someone speaks for an address that we do not announce on this interface. */
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

/** Whether the group bit, the lowest of the first octet, is set. */
const isOfGroup = (mac: Mac): boolean => (Number.parseInt(mac.slice(0, 2), 16) & 1) === 1

/** A question from one host that does not itself claim the address. */
const isQuestion = ({ kind, source, target }: Ndp): boolean =>
  kind === 'solicitation' && source !== target && !source.startsWith('ff')

/** An advertisement claims the address; a probe does so only against another probe. */
const isClaim = ({ kind, source }: Ndp, { phase }: Binding): boolean =>
  kind === 'advertisement' || (phase === 'probing' && source === unspecified)
