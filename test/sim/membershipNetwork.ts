// A network of speakers in virtual time: what gets lost, late or doubled is the seed's doing.
import type { Ip } from '../../src/core/net/ip.ts'
import type { Mac } from '../../src/core/net/mac.ts'
import { ipFrom, macFrom } from '../../src/core/net/octets.ts'
import { prefixAround } from '../../src/core/net/range.ts'
import type { Effect, OwnFacts, Via } from '../../src/core/session/membership/member.ts'
import { Membership } from '../../src/core/session/membership/membership.ts'
import type { Timing } from '../../src/core/session/membership/timing.ts'
import { decodeMessage } from '../../src/core/wire/gossip/decodeMessage.ts'
import { encodeMessage } from '../../src/core/wire/gossip/encodeMessage.ts'
import type { Endpoint, Message } from '../../src/core/wire/gossip/message.ts'
import { randomFrom } from '../build/random.ts'

export type Weather = {
  readonly loss: number
  readonly doubled: number
  /** Of one message; two that differ overtake each other. */
  readonly delayMs: readonly [least: number, most: number]
  /** How late a timer fires that nothing holds up. */
  readonly timerMs: number
}

export type Drivers = {
  ticks?: (name: string, lateMs: number) => void
  ticked?: (name: string) => void
  /** It came after `sinceMs`, or then. */
  heard?: (name: string, from: string, sinceMs: number) => void
}

export type Sighting = { at: number; by: string; node: string; state: string }

type Speaker = {
  readonly name: string
  readonly number: number
  /** Segment by link, and back. */
  readonly segments: ReadonlyMap<string, string>
  readonly links: ReadonlyMap<string, string>
  own: OwnFacts
  membership: Membership
  isRunning: boolean
  life: number
  asleepUntil: number
  tickAt: number
  /** When nothing was left to read. */
  drainedAt: number
  readonly unread: ((sinceMs: number) => void)[]
  seen: Map<string, string>
}

const fair: Weather = { loss: 0, doubled: 0, delayMs: [0.1, 0.6], timerMs: 1 }
const bornMs = 1_790_000_000_000

type Hearing = { readonly receiver: Speaker; readonly sinceMs: number }

/** As the program does, of each socket. */
const readAtOnce = 128

export class Network {
  readonly sightings: Sighting[] = []
  /** Datagrams and frames that were sent, by kind. */
  readonly sent = new Map<string, number>()
  readonly #speakers = new Map<string, Speaker>()
  readonly #byAddress = new Map<string, Speaker>()
  readonly #byMac = new Map<Mac, Speaker>()
  readonly #cuts = new Set<string>()
  readonly #queue = new Agenda()
  readonly #random: () => number
  readonly #timing: Partial<Timing>
  weather: Weather
  now = 0
  /** As many speakers, the first ones, are in everybody's list of seeds. */
  seedCount = 1
  /** Whether they announce on a link, and beat on it. */
  hasLinks = true
  /** Whether what speakers see of each other is written down. */
  isRecording = true
  /** Told before a tick, how late it is; after it; and of each message by UDP. */
  drivers: Drivers = {}

  constructor(seed: number, weather: Partial<Weather> = {}, timing: Partial<Timing> = {}) {
    this.#random = randomFrom(seed)
    this.#timing = timing
    this.weather = { ...fair, ...weather }
  }

  /** That many speakers that know each other by now. */
  static of(count: number, seed: number, weather: Partial<Weather> = {}): Network {
    const network = new Network(seed, weather)
    network.open(count)
    return network
  }

  open(count: number, ms = 2500): void {
    for (let number = 1; number <= count; number++) this.start(`node-${number}`)
    this.run(ms + 40 * this.#random())
  }

  get names(): string[] {
    return [...this.#speakers.values()].filter((one) => one.isRunning).map(({ name }) => name)
  }

  /** A new process, of a new node or of one that ran before; `born` as its clock has it. */
  start(name: string, born = bornMs + this.now): void {
    const before = this.#speakers.get(name)
    const number = before?.number ?? this.#speakers.size + 1
    const own = before?.own ?? { ...ownFacts(number), ...(this.hasLinks ? {} : { links: [] }) }
    const [now, random, timing] = [this.now, this.#random, this.#timing]
    const membership = new Membership({ node: name, bornMs: born, own, now, random, timing })
    const [segments, links] = [new Map([['eth0', 'lan']]), new Map([['lan', 'eth0']])]
    const life = (before?.life ?? 0) + 1
    const speaker: Speaker = {
      ...{ name, number, segments, links, own, membership, life, isRunning: true },
      ...{ asleepUntil: 0, tickAt: -1, drainedAt: now, unread: [], seen: new Map() },
    }
    this.#speakers.set(name, speaker)
    this.#byAddress.set(own.endpoint.address, speaker)
    this.#byMac.set(macOf(number), speaker)
    const seeds = Array.from({ length: this.seedCount }, (_, at) => ownFacts(at + 1).endpoint)
    this.#perform(speaker, membership.seeds(now, seeds))
  }

  /** Whatever it likes, to all others: who has the key can seal anything, from its address. */
  forge(by: string, message: Message): void {
    const others = [...this.#byAddress.values()].filter(({ name }) => name !== by)
    this.#send(
      this.#of(by),
      others.map(({ own }) => own.endpoint),
      message,
    )
  }

  kill(name: string): void {
    this.#of(name).isRunning = false
  }

  /** Its timers come late and what it is sent lies unread. */
  stall(name: string, ms: number): void {
    const speaker = this.#of(name)
    speaker.asleepUntil = this.now + ms
    this.#queue.add(speaker.asleepUntil, () => this.#wake(speaker))
  }

  update(name: string, change: Partial<OwnFacts>): void {
    const speaker = this.#of(name)
    speaker.own = { ...speaker.own, ...change }
    this.#perform(speaker, speaker.membership.update(this.now, speaker.own))
  }

  leave(name: string): void {
    const speaker = this.#of(name)
    this.#perform(speaker, speaker.membership.leave(this.now))
  }

  /** What `from` sends does not reach `to`; over the segment when one is named. */
  cut(from: readonly string[], to: readonly string[], segment = ''): void {
    for (const one of from) {
      for (const other of to) if (one !== other) this.#cuts.add(`${one} ${other} ${segment}`)
    }
  }

  split(one: readonly string[], other: readonly string[], segment = ''): void {
    this.cut(one, other, segment)
    this.cut(other, one, segment)
  }

  heal(): void {
    this.#cuts.clear()
  }

  membership(name: string): Membership {
    return this.#of(name).membership
  }

  /** The members that `name` holds to be alive. */
  liveFor(name: string): string[] {
    const isLive = ({ state }: { state: string }) => state === 'alive' || state === 'accused'
    return this.membership(name)
      .members()
      .filter(isLive)
      .map(({ node }) => node)
  }

  run(ms: number): void {
    const until = this.now + ms
    for (let next = this.#queue.next(until); next !== undefined; next = this.#queue.next(until)) {
      this.now = next.at
      next.act()
    }
    this.now = until
  }

  /** Those of the sightings that say `state` of `node`, since `from`. */
  seen(node: string, state: string, from = 0): Sighting[] {
    return this.sightings.filter(
      (one) => one.node === node && one.state === state && one.at >= from,
    )
  }

  #wake(speaker: Speaker): void {
    if (!speaker.isRunning || this.now < speaker.asleepUntil) return
    this.#tick(speaker)
  }

  #tick(speaker: Speaker): void {
    const { name, membership } = speaker
    this.drivers.ticks?.(name, this.now - membership.nextTickAt)
    this.#readLain(speaker)
    this.#perform(speaker, membership.tick(this.now))
    this.drivers.ticked?.(name)
  }

  /** It may have lain there since nothing was left to read. */
  #readLain(speaker: Speaker): void {
    for (const hear of speaker.unread.splice(0, readAtOnce)) hear(speaker.drainedAt)
    if (speaker.unread.length === 0) speaker.drainedAt = this.now
    else speaker.membership.disturb(this.now)
  }

  #perform(speaker: Speaker, effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.kind === 'changed') {
        if (this.isRecording) this.#look(speaker)
      } else if (effect.kind === 'send') this.#send(speaker, effect.to, effect.message)
      else this.#sendOnLink(speaker, effect)
    }
    this.#arm(speaker)
  }

  #arm(speaker: Speaker): void {
    const at = speaker.membership.nextTickAt
    if (at === speaker.tickAt) return
    speaker.tickAt = at
    this.#queue.add(at + this.#random() * this.weather.timerMs, () => {
      const isCurrent = speaker.isRunning && speaker.tickAt === at
      if (isCurrent && this.now >= speaker.asleepUntil) this.#tick(speaker)
    })
  }

  #look({ name, membership, seen }: Speaker): void {
    for (const { node, state, silentLinks } of membership.members()) {
      const shown = state === 'accused' ? 'alive' : state
      const all = [shown, ...[...silentLinks].map((link) => `without ${link}`)].join(' ')
      if (seen.get(node) === all) continue
      seen.set(node, all)
      this.sightings.push({ at: this.now, by: name, node, state: all })
    }
  }

  #send(speaker: Speaker, to: readonly Endpoint[], message: Message): void {
    this.#count(message.kind, to.length)
    const wired = overWire(message)
    const via: Via = { kind: 'udp', endpoint: speaker.own.endpoint }
    for (const { address } of to) {
      const receiver = this.#byAddress.get(address)
      if (receiver) this.#carry({ from: speaker, to: receiver, segment: '', via }, wired)
    }
  }

  #sendOnLink(from: Speaker, effect: Effect & { kind: 'sendOnLink' }): void {
    const segment = from.segments.get(effect.link)
    if (segment === undefined) return
    this.#count('link beat', effect.to.length)
    const [mac, message] = [macOf(from.number), effect.message]
    const isForAll = effect.to.includes(broadcast)
    const to = isForAll ? this.#speakers.values() : effect.to.map((to) => this.#byMac.get(to))
    for (const receiver of to) {
      const link = receiver?.links.get(segment)
      if (receiver === undefined || receiver === from || link === undefined) continue
      this.#carry({ from, to: receiver, segment, via: { kind: 'link', link, mac } }, message)
    }
  }

  #carry({ from, to, segment, via }: Path, message: Message): void {
    const { loss, doubled } = this.weather
    if (this.#cuts.has(`${from.name} ${to.name} ${segment}`) || this.#random() < loss) return
    const copies = this.#random() < doubled ? 2 : 1
    const { name } = to
    const act = () => {
      // Whoever has that address by then.
      const receiver = this.#speakers.get(name)
      if (!receiver?.isRunning) return
      receiver.unread.push((sinceMs) => this.#hear({ receiver, sinceMs }, via, message))
      const mayLie = this.now < receiver.asleepUntil || receiver.membership.isCalm(this.now)
      if (!mayLie) for (const hear of receiver.unread.splice(0)) hear(this.now)
    }
    for (let copy = 0; copy < copies; copy++) this.#queue.add(this.now + this.#delay(), act)
  }

  #hear({ receiver, sinceMs }: Hearing, via: Via, message: Message): void {
    const { name, membership } = receiver
    if (!receiver.isRunning) return
    if (via.kind === 'udp') this.drivers.heard?.(name, message.from, sinceMs)
    this.#perform(receiver, membership.heard(this.now, via, message))
  }

  #delay(): number {
    const [least, most] = this.weather.delayMs
    return least + this.#random() * (most - least)
  }

  #count(kind: string, by: number): void {
    this.sent.set(kind, (this.sent.get(kind) ?? 0) + by)
  }

  #of(name: string): Speaker {
    const speaker = this.#speakers.get(name)
    if (speaker === undefined) throw new Error(`no speaker ${name}`)
    return speaker
  }
}

type Path = { from: Speaker; to: Speaker; segment: string; via: Via }

const broadcast = 'ff:ff:ff:ff:ff:ff' as Mac
const macOf = (number: number) => macFrom(Uint8Array.of(2, 0, 0, 0, number >> 8, number & 255))

/** All that is not a beat goes through the codec; beats are most of a run. */
function overWire(message: Message): Message {
  if (message.kind === 'beat') return message
  const decoded = decodeMessage(encodeMessage(message))
  if (!decoded.ok) throw new Error(decoded.why)
  return decoded.value
}

export function ownFacts(number: number): OwnFacts {
  const address = ipFrom(Uint8Array.of(10, 0, number >> 8, number & 255))
  const subnets = [prefixAround('192.0.2.0' as Ip, 24)]
  return {
    endpoint: { address, port: 7947 },
    isReady: true,
    hasApi: true,
    links: [{ name: 'eth0', mac: macOf(number), isUp: true, isUsed: true, subnets }],
  }
}

type Entry = { readonly at: number; readonly order: number; readonly act: () => void }

/** A heap: what is due first, and of those what was added first. */
class Agenda {
  readonly #heap: Entry[] = []
  #order = 0

  add(at: number, act: () => void): void {
    const heap = this.#heap
    const entry = { at, order: this.#order++, act }
    let place = heap.length
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !isBefore(entry, parent)) break
      heap[place] = parent
      place = above
    }
    heap[place] = entry
  }

  next(until: number): Entry | undefined {
    const [first] = this.#heap
    if (first === undefined || first.at > until) return undefined
    const last = this.#heap.pop()
    if (last !== undefined && last !== first) this.#sink(last)
    return first
  }

  #sink(entry: Entry): void {
    const heap = this.#heap
    let place = 0
    for (;;) {
      const [left, right] = [heap[2 * place + 1], heap[2 * place + 2]]
      const isRight = left !== undefined && right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (child === undefined || !isBefore(child, entry)) break
      heap[place] = child
      place = 2 * place + (isRight ? 2 : 1)
    }
    heap[place] = entry
  }
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order)
