// Which speakers are there? Drives the membership protocol: sockets, timers, discovery.
import type { Mac } from '../../../core/net/mac.ts'
import { prefixAround } from '../../../core/net/range.ts'
import type { Speakers } from '../../../core/policy/announce/advertise.ts'
import type { Effect, OwnFacts } from '../../../core/session/membership/member.ts'
import { Membership } from '../../../core/session/membership/membership.ts'
import { defaultTiming, type Timing } from '../../../core/session/membership/timing.ts'
import type { Endpoint, LinkFacts } from '../../../core/wire/gossip/message.ts'
import type { SealingCounts } from '../../../edge/host/sealing.ts'
import type { KeyRing } from '../../../edge/host/sealingKey.ts'
import type { AnnouncingLink } from '../layer2/announcingLinks.ts'
import { monotonicMs } from '../monotonic.ts'
import { Channel, type ChannelOptions } from './channel.ts'
import type { Discovered, Discovery } from './discovery.ts'
import { type Described, type Happened, MemberJournal } from './memberJournal.ts'
import type { Own } from './membersDriver.ts'
import { Expected, type Seen, speakersFrom, textOfSeen } from './speakersFrom.ts'
import { Vouching } from './vouching.ts'

export type MembersOptions = Pick<ChannelOptions, 'keys' | 'bind' | 'openLink'> & {
  readonly node: string
  /** Where the others reach us; port 0 means that of our socket. */
  readonly endpoint: Endpoint
  readonly discovery: Discovery
  readonly timing?: Partial<Timing>
  /** `speakers`, `peerMacs`, `hasLeft` or `isSettled` may answer differently. */
  readonly changed: () => void
  /** Until when, by `monotonicMs`, this process vouches for itself. */
  readonly extend: (untilMs: number) => void
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
}

export type MemberCounts = SealingCounts & Happened

/** After this time those that have not been heard are taken for absent. */
const settleMs = 1_000
const refusedEveryMs = 60_000
const superseded =
  'another speaker of this node, started later, speaks for it, so this one announces nothing: ' +
  'stop one of the two'
/** What Node reads of one socket before it looks at others; after a stall more lies there. */
const [readAtOnce, mostRounds] = [32, 16]

export class Members {
  readonly #options: MembersOptions
  readonly #timing: Timing
  readonly #channel: Channel
  readonly #membership: Membership
  readonly #expected: Expected
  readonly #journal: MemberJournal
  readonly #vouching: Vouching
  readonly #stop = new AbortController()
  #endpoint: Endpoint
  #own: Own = { isReady: false, hasApi: false, links: [] }
  #seen: Seen
  #seenText = ''
  #isListed = false
  #problem: string | undefined
  #isSettled = false
  #isRunning = false
  #timer: NodeJS.Timeout | undefined
  #armedFor = Number.NaN
  /** Whether what comes lies until the next tick. */
  #isCalm = false
  /** When nothing was left to read: what is read now may have lain there since. */
  #drainedAt = Number.NEGATIVE_INFINITY
  #settling: NodeJS.Timeout | undefined
  #complaint = ''
  #wasSuperseded = false
  #refusedBefore = 0
  #refusedToldAt = Number.NEGATIVE_INFINITY

  /** Not yet at work; see startMembers. */
  constructor(options: MembersOptions) {
    const { node, timing = {} } = options
    this.#options = options
    this.#timing = { ...defaultTiming, ...timing }
    this.#endpoint = options.endpoint
    this.#vouching = new Vouching(this.#timing, options.extend)
    this.#channel = new Channel({
      ...options,
      nowMs: monotonicMs,
      heard: (via, message) => {
        this.#journal.heard(message)
        this.#advance((now) => {
          const isItself =
            via.kind === 'udp' && this.#membership.speaksFor(message.from, via.endpoint)
          if (isItself) this.#vouching.heard(now, message.from, this.#drainedAt)
          return this.#membership.heard(now, via, message)
        })
      },
      portChanged: () => this.#portChanged(),
      failed: (object, message) => options.log({ level: 'warn', object, message }),
    })
    this.#membership = new Membership({
      node,
      bornMs: Date.now(),
      own: this.#ownFacts(),
      now: monotonicMs(),
      random: Math.random,
      timing,
    })
    this.#expected = new Expected(node)
    this.#journal = new MemberJournal(() => new Date().toISOString())
    this.#seen = this.#look()
  }

  get speakers(): Speakers {
    return this.#seen
  }

  /** Their nodes, by MAC. */
  get peerMacs(): ReadonlyMap<Mac, string> {
    return this.#seen.macs
  }

  /** By itself: then it answers until others have taken over. */
  hasLeft(node: string): boolean {
    return this.#seen.left.has(node)
  }

  /** Whether those that are there have had the time to be heard, and could be. */
  get isSettled(): boolean {
    return this.#isSettled && !this.#membership.isSuperseded
  }

  get isSuperseded(): boolean {
    return this.#membership.isSuperseded
  }

  /** Why it cannot settle, and what to do about it. */
  get problem(): string | undefined {
    return this.#membership.isSuperseded ? superseded : this.#problem
  }

  /** How much later than a death an address of a safe pool is taken over. */
  get safeDelayMs(): number {
    return this.#vouching.safeDelayMs
  }

  get port(): number | undefined {
    return this.#channel.port
  }

  get counts(): MemberCounts {
    return { ...this.#channel.counts, ...this.#journal.happened }
  }

  describe(): readonly Described[] {
    return this.#journal.describe(this.#membership.members())
  }

  async start(): Promise<void> {
    await this.#channel.open()
    // Whoever waits for the start has us before we call.
    setImmediate(() => {
      this.#isRunning = !this.#stop.signal.aborted
      this.#portChanged()
      this.#options
        .discovery((found) => this.#found(found), this.#stop.signal)
        .catch((error: unknown) => {
          this.#complain('discovery', error)
        })
    })
  }

  use(keys: KeyRing): void {
    this.#channel.use(keys)
  }

  setOwn(own: Own): void {
    this.#own = own
    this.#channel.follow(own.links.filter(({ isUsed }) => isUsed))
    this.#advance((now) => this.#membership.update(now, this.#ownFacts()))
  }

  /** Ends when everybody has been told three times; beats go on until it is stopped. */
  async leave(): Promise<void> {
    this.#advance((now) => this.#membership.leave(now))
    await new Promise((resolve) => setTimeout(resolve, 4 * this.#timing.beatMs))
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    this.#stop.abort()
    clearTimeout(this.#timer)
    clearTimeout(this.#settling)
    await this.#channel.close()
  }

  /** Deaf and dumb, it would take itself for alone: it owns nothing until it has a socket. */
  #portChanged(): void {
    if (!this.#isRunning) return
    const { endpoint } = this.#options
    const { port } = this.#channel
    if (endpoint.port === 0 && port !== undefined) this.#endpoint = { ...endpoint, port }
    if (port === undefined) {
      clearTimeout(this.#settling)
      this.#settling = undefined
      this.#isSettled = false
    }
    this.#settle()
    this.#advance((now) => [...this.#membership.update(now, this.#ownFacts()), { kind: 'changed' }])
  }

  #found({ seeds, expected, places, problem }: Discovered): void {
    if (!this.#isRunning) return
    this.#expected.list(expected)
    this.#problem = problem
    if (problem === undefined) this.#isListed = true
    else this.#options.log({ level: 'warn', object: 'discovery', message: problem })
    this.#settle()
    this.#advance((now) => [...this.#membership.seeds(now, seeds, places), { kind: 'changed' }])
  }

  /** From when it knows whom to ask, and can. */
  #settle(): void {
    if (!this.#isListed || this.#channel.port === undefined) return
    this.#settling ??= setTimeout(() => {
      this.#isSettled = true
      this.#advance(() => [{ kind: 'changed' }])
    }, settleMs)
  }

  /** The only way into the protocol: what it says is done, and the timer set for what is due. */
  #advance(step: (now: number) => readonly Effect[]): void {
    if (!this.#isRunning) return
    let leastMs = 1
    const now = monotonicMs()
    try {
      const effects = step(now)
      for (const effect of effects) if (effect.kind !== 'changed') this.#send(effect)
      if (effects.some(({ kind }) => kind === 'changed')) this.#notice()
    } catch (error) {
      this.#complain('membership', error)
      // What is due stays due: it is not tried again without a pause.
      leastMs = this.#timing.beatMs
    }
    this.#arm(leastMs)
    this.#listen(now)
  }

  #send(effect: Exclude<Effect, { readonly kind: 'changed' }>): void {
    // Heard on the links alone, its interfaces would seem to be in order.
    if (effect.kind === 'sendOnLink' && this.#channel.port === undefined) return
    this.#journal.sent(effect.message, effect.to.length)
    this.#channel.send(effect)
  }

  /** For the moment that is due, not for a time from now: lateness does not add up. */
  #arm(leastMs: number): void {
    const { nextTickAt } = this.#membership
    if (nextTickAt === this.#armedFor || !this.#isRunning) return
    clearTimeout(this.#timer)
    this.#armedFor = nextTickAt
    const inMs = Math.max(leastMs, Math.ceil(nextTickAt - monotonicMs()))
    this.#timer = setTimeout(() => this.#wake(), inMs)
  }

  /** A node that wakes for each beat does little else: in calm, beats wait for our own. */
  #listen(now: number): void {
    const isCalm = this.#membership.isCalm(now)
    if (isCalm === this.#isCalm || !this.#isRunning) return
    this.#isCalm = isCalm
    if (isCalm) this.#channel.pause()
    else this.#channel.resume()
  }

  #wake(): void {
    const awakeAt = monotonicMs()
    // It has run: to clear it costs as much as to set it.
    this.#timer = undefined
    this.#vouching.ticked(awakeAt, awakeAt - this.#armedFor)
    this.#afterReading(mostRounds, () => this.#tick(awakeAt))
  }

  /** Node runs timers before it reads sockets: nobody is judged by what is still unread. */
  #afterReading(rounds: number, act: () => void): void {
    const before = this.#channel.datagrams
    setImmediate(() => {
      const hasMore = this.#channel.datagrams - before >= readAtOnce
      if (hasMore && rounds > 0) this.#afterReading(rounds - 1, act)
      else act()
    })
  }

  #tick(awakeAt: number): void {
    this.#receive(awakeAt)
    this.#noticeRefused()
    this.#armedFor = Number.NaN
    this.#advance((now) => {
      if (this.#vouching.isLate) this.#membership.callRoll(now)
      const effects = this.#membership.tick(now)
      const canVouch = !this.#membership.isSuperseded && this.#channel.port !== undefined
      if (canVouch) this.#vouching.vouch(now, this.#seen)
      return effects
    })
  }

  #receive(now: number): void {
    if (this.#channel.receive()) this.#drainedAt = now
    else this.#membership.disturb(now)
  }

  /** Tells only of what is different now. */
  #notice(): void {
    for (const { node, state } of this.#journal.note(this.#membership.members())) {
      this.#options.log({ level: 'info', object: `Node/${node}`, message: `speaker is ${state}` })
    }
    this.#noticeOther()
    this.#seen = this.#look()
    const isWhole = [...this.#seen.expected].every((node) => this.#seen.seen.has(node))
    if (this.#settling !== undefined && isWhole) this.#isSettled = true
    const text = `${this.isSettled} ${textOfSeen(this.#seen)}`
    if (text === this.#seenText) return
    this.#seenText = text
    this.#options.changed()
  }

  #noticeOther(): void {
    const { isSuperseded } = this.#membership
    if (isSuperseded === this.#wasSuperseded) return
    this.#wasSuperseded = isSuperseded
    const level = isSuperseded ? 'error' : 'info'
    const message = isSuperseded ? superseded : 'this process speaks for its node again'
    this.#options.log({ level, object: `Node/${this.#options.node}`, message })
  }

  /** In another node's name, or of a time far ahead: a mistake in a list, or an attack. */
  #noticeRefused(): void {
    const { origin, ahead } = this.#membership.refused
    const now = monotonicMs()
    if (origin + ahead === this.#refusedBefore || now < this.#refusedToldAt + refusedEveryMs) return
    this.#refusedBefore = origin + ahead
    this.#refusedToldAt = now
    const message =
      `refused so far: ${origin} messages from an address that is not their node's, and ` +
      `${ahead} that speak of a time far ahead; speakers must send from the address where they ` +
      'are listed (--members-bind), and a key that others know must be replaced'
    this.#options.log({ level: 'warn', object: 'membership', message })
  }

  #look(): Seen {
    const members = this.#membership.members()
    const expected = this.#expected.nodes(members)
    const candidates = new Set(this.#membership.candidates())
    // Another process of this node, started later, speaks for it.
    if (this.#membership.isSuperseded) candidates.delete(this.#options.node)
    const { missing } = this.#membership
    return speakersFrom({ members, candidates, missing, expected })
  }

  #ownFacts(): OwnFacts {
    const { isReady, hasApi, links } = this.#own
    return {
      endpoint: this.#endpoint,
      isReady: isReady && this.#channel.port !== undefined,
      hasApi,
      links: links.map(linkFacts),
    }
  }

  /** A bug: told once, whatever comes of it. Without a tick nobody vouches for this process. */
  #complain(object: string, error: unknown): void {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    if (message === this.#complaint) return
    this.#complaint = message
    this.#options.log({ level: 'error', object, message })
  }
}

/**
 * Ends when its sockets are open, or have been tried: they are tried again behind it. Nothing is
 * called before.
 */
export async function startMembers(options: MembersOptions): Promise<Members> {
  const members = new Members(options)
  await members.start()
  return members
}

function linkFacts({ name, mac, isUp, hasCarrier, isUsed, addresses }: AnnouncingLink): LinkFacts {
  const subnets = addresses.map(({ address, prefixLength }) => prefixAround(address, prefixLength))
  return { name, mac, isUp: isUp && hasCarrier, isUsed, subnets }
}
