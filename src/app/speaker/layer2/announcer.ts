// What does this node announce? Policy is asked for each Service that something wakes, and only the
// difference to what is answered for goes out, at once; status and events follow behind.
import type { Key } from '../../../core/model/service.ts'
import type { World } from '../../../core/model/world.ts'
import type { Ip } from '../../../core/net/ip.ts'
import { type Moment, momentOf, type Speakers } from '../../../core/policy/announce/advertise.ts'
import type { SpeakerLink } from '../../../core/policy/announce/links.ts'
import { Due } from '../due.ts'
import type { Answers } from './answers.ts'
import { Claims } from './claims.ts'
import { type Verdict, verdictOn } from './election.ts'

/** What was decided of a Service. */
export type Standing = {
  readonly owner: string | undefined
  readonly addresses: readonly Ip[]
  readonly interfaces: readonly string[]
  /** This node answers, or asks first; where `isFailed` it has none of the interfaces for it. */
  readonly isOurs: boolean
  readonly isFailed: boolean
}

export type AnnouncerParts = {
  readonly world: World
  readonly node: string
  readonly answers: Answers
  readonly speakers: () => Speakers
  /** Whether it said so before it went. */
  readonly hasLeft: (node: string) => boolean
  /** Whether the node has told that it announces the Service; also where that cannot be known. */
  readonly hasTold: (service: Key, node: string) => boolean
  /** The interfaces that may announce, up or not. */
  readonly present: () => ReadonlySet<string>
  readonly shouldAnnounceAnyway: boolean
  /** How long a side that has lost the majority may still answer. */
  readonly safeDelayMs: () => number
  readonly nowMs: () => number
  /** Lets timers and sockets have their turn first. */
  readonly soon: (act: () => void) => void
  readonly changed: (key: Key, before: Standing | undefined) => void
  readonly failed: (key: Key, error: unknown) => void
  /** Everything is decided: now there is time for the rest. */
  readonly idle: () => void
}

/** Beats go on every 40 ms: nothing may keep them waiting. */
const sliceMs = 4
/**
 * A node that gives an address away still answers until the other one has it: whoever asks in
 * between reaches this node, which still forwards; the bursts of the new owner then move him over.
 * That one decides by the same news. What the API tells may reach it a second later than us, from
 * another server; that it came or came back, it has told us itself. Layer 2 counts two owners only
 * after 2 s.
 */
const overlapMs = { api: 1_500, members: 150 } as const

export class Announcer {
  readonly #parts: AnnouncerParts
  readonly #due = new Due()
  readonly #claims = new Claims()
  readonly #standings = new Map<Key, Standing>()
  /**
   * Addresses that some node was elected for, so that it may answer, seen or not; those that one
   * has announced, as far as we know, are not probed.
   */
  readonly #known = new Map<Ip, 'elected' | 'announced'>()
  /** When we first saw those that are live now. */
  #liveSince: ReadonlyMap<string, number> = new Map()
  #moment: Moment | undefined
  #links: Speakers['links']
  #isScheduled = false
  /** Behind those that are urgent: to name thousands takes a while. */
  #areAllDue = false
  #state: 'waiting' | 'deciding' | 'leaving' = 'waiting'
  #isSilent = false

  constructor(parts: AnnouncerParts) {
    this.#parts = parts
  }

  get isQuiet(): boolean {
    return this.#due.size === 0 && !this.#areAllDue
  }

  get standings(): ReadonlyMap<Key, Standing> {
    return this.#standings
  }

  get claims(): Omit<Claims, 'set'> {
    return this.#claims
  }

  /** These were announced before we came. */
  remember(addresses: readonly Ip[]): void {
    for (const address of addresses) this.#known.set(address, 'announced')
  }

  /** No Service has them any more: whoever gets them next has to look whether they are free. */
  forget(addresses: readonly Ip[]): void {
    for (const address of addresses) this.#known.delete(address)
  }

  /** Layer 2 has begun to answer for them: who takes over from us, or we anew, need not ask. */
  started(addresses: readonly Ip[]): void {
    this.remember(addresses.filter((address) => this.#claims.has(address)))
  }

  /** What a node tells of the Service is different: it announces it, or does not any more. */
  told(service: Key, by: string): void {
    const { node, hasTold } = this.#parts
    const { owner, addresses } = this.#standings.get(service) ?? none
    if (owner === undefined || owner !== by || owner === node) return
    if (hasTold(service, owner)) this.remember(addresses)
    else {
      const elected = addresses.filter((address) => this.#known.has(address))
      for (const address of elected) this.#known.set(address, 'elected')
    }
  }

  /** Something about the Service, or of those it shares an address with, is different. */
  wake(key: Key): void {
    this.#moment = undefined
    this.#due.add(key)
  }

  wakeAll(): void {
    this.#moment = undefined
    this.#areAllDue = true
  }

  /** Those that nobody answers for now come first: their owner is seen no more, or not there. */
  speakersChanged(): void {
    const { live, links } = this.#parts.speakers()
    const isSame = (node: string) => sameLinks(links?.get(node), this.#links?.get(node))
    const isStill = new Map([...live].map((node) => [node, isSame(node)]))
    const [before, now] = [this.#liveSince, this.#parts.nowMs()]
    this.#liveSince = new Map([...live].map((node) => [node, before.get(node) ?? now]))
    this.#links = links
    for (const [key, { owner }] of this.#standings) {
      if (owner !== undefined && isStill.get(owner) !== true) this.#due.urge(key)
    }
    this.wakeAll()
    this.pump()
  }

  /** While another program answers on this node in our place. */
  keepSilent(isSilent: boolean): void {
    if (isSilent === this.#isSilent) return
    this.#isSilent = isSilent
    this.wakeAll()
    this.pump()
  }

  /** Everything that it takes to decide is known. */
  start(): void {
    if (this.#state === 'waiting') this.#state = 'deciding'
    this.wakeAll()
    this.pump()
  }

  /** Others take over; what we answer for is answered for until we are gone. */
  leave(): void {
    this.#state = 'leaving'
    this.#parts.answers.stay()
  }

  /** Decides what is due, a few ms at a time. */
  pump(): void {
    if (this.#isScheduled || this.#state !== 'deciding') return
    const { nowMs, soon, answers, idle } = this.#parts
    const until = nowMs() + sliceMs
    for (let at = 1; ; at++) {
      const key = this.#take()
      if (key === undefined) break
      this.#tryToDecide(key)
      if (at % 16 === 0 && nowMs() >= until) break
    }
    answers.flush()
    if (this.isQuiet) {
      this.#moment = undefined
      idle()
      return
    }
    this.#isScheduled = true
    soon(() => {
      this.#isScheduled = false
      this.pump()
    })
  }

  #take(): Key | undefined {
    if (this.#areAllDue && !this.#due.hasUrgent) this.#nameAll()
    return this.#due.take()
  }

  #nameAll(): void {
    this.#areAllDue = false
    for (const key of this.#standings.keys()) this.#due.add(key)
    for (const key of this.#parts.world.services.keys()) this.#due.add(key)
  }

  /** One that cannot be decided is parked as it was, until something wakes it: the others go on. */
  #tryToDecide(key: Key): void {
    try {
      this.#decide(key)
    } catch (error) {
      this.#parts.failed(key, error)
    }
  }

  #decide(key: Key): void {
    const { world, node, changed } = this.#parts
    this.#moment ??= momentOf(world, this.#parts.speakers())
    const verdict = verdictOn(this.#moment, key, node)
    const before = this.#standings.get(key)
    const after = this.#standingOf(verdict)
    const claim = { service: key, addresses: after.isOurs ? after.addresses : [] }
    const moved = this.#claims.set({ ...claim, interfaces: after.interfaces })
    for (const address of moved) this.#drive(address, { verdict, before })
    this.#enter(key, after)
    if (!isSame(before ?? none, after)) changed(key, before)
  }

  #standingOf({ owner, addresses, interfaces }: Verdict): Standing {
    const { node, present } = this.#parts
    const isElected = owner === node && !this.#isSilent
    const isFailed =
      isElected && interfaces.length > 0 && !interfaces.some((name) => present().has(name))
    const isOurs = isElected && !isFailed && addresses.length > 0
    return { owner, addresses, interfaces, isOurs, isFailed }
  }

  #drive(address: Ip, at: { verdict: Verdict; before: Standing | undefined }): void {
    const { answers, node, shouldAnnounceAnyway } = this.#parts
    const { verdict, before } = at
    const interfaces = this.#claims.interfacesOf(address)
    if (interfaces !== undefined) {
      const start = this.#known.get(address) === 'announced' ? 'burst' : 'probe'
      const where = interfaces.length === 0 ? 'all' : interfaces
      const claim = { address, interfaces: where, start, shouldAnnounceAnyway } as const
      answers.begin(claim, this.#delayOf(address, verdict, before))
      return
    }
    const { owner, addresses, isServedHere } = verdict
    const isHandedOver = owner !== undefined && owner !== node && addresses.includes(address)
    answers.end(address, isHandedOver && isServedHere ? this.#overlapWith(owner) : 0)
  }

  #overlapWith(owner: string): number {
    const since = this.#liveSince.get(owner) ?? Number.NEGATIVE_INFINITY
    const hasJustCome = this.#parts.nowMs() - since < overlapMs.api
    return hasJustCome ? overlapMs.members : overlapMs.api
  }

  /** From an owner that is seen or has said goodbye it is taken over at once. */
  #delayOf(address: Ip, { isSafe }: Verdict, before: Standing | undefined): number {
    const { speakers, hasLeft, node, answers, safeDelayMs } = this.#parts
    const { live, expected } = speakers()
    if (!isSafe || expected.size < 3 || !this.#known.has(address)) return 0
    if (answers.addresses.has(address)) return 0
    const from = before?.owner
    const isKnown = from !== undefined && from !== node && (live.has(from) || hasLeft(from))
    return isKnown ? 0 : safeDelayMs()
  }

  #enter(key: Key, after: Standing): void {
    const isGone = !this.#parts.world.services.has(key)
    if (after.owner === undefined && isGone) this.#standings.delete(key)
    else this.#standings.set(key, after)
    const { node, hasTold } = this.#parts
    const { owner, addresses } = after
    if (owner === undefined) return
    if (owner !== node && hasTold(key, owner)) this.remember(addresses)
    else for (const address of addresses) this.#elect(address)
  }

  #elect(address: Ip): void {
    if (!this.#known.has(address)) this.#known.set(address, 'elected')
  }
}

const sameLinks = (one: Links, other: Links): boolean =>
  one?.map(linkText).join() === other?.map(linkText).join()
const linkText = ({ name, isUp }: SpeakerLink): string => `${name} ${isUp}`
type Links = readonly SpeakerLink[] | undefined

const none: Standing = {
  owner: undefined,
  addresses: [],
  interfaces: [],
  isOurs: false,
  isFailed: false,
}

function isSame(one: Standing, other: Standing): boolean {
  return (
    one.owner === other.owner &&
    one.isOurs === other.isOurs &&
    one.isFailed === other.isFailed &&
    one.addresses.join() === other.addresses.join() &&
    one.interfaces.join() === other.interfaces.join()
  )
}
