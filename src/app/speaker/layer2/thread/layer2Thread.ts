// How does a node answer on layer 2? Frames, interfaces and orders go into the session in core; its
// effects go to sockets and multicast groups, and as news to the main thread.
import type { Family } from '../../../../core/net/ip.ts'
import type { Effect } from '../../../../core/session/layer2/announcement.ts'
import { type Port, portsAmong } from '../../../../core/session/layer2/port.ts'
import { Responder } from '../../../../core/session/layer2/responder.ts'
import type { HostLink } from '../../../../edge/host/packet/hostLink.ts'
import { type WatchedLinks, watchLinks } from '../../../../edge/host/packet/watchLinks.ts'
import { monotonicMs } from '../../monotonic.ts'
import { type Deadline, newDeadline } from './deadline.ts'
import { GroupQueue } from './groupQueue.ts'
import type { Layer2News, Layer2Order, Layer2Setting } from './layer2Messages.ts'
import { PortSockets } from './portSockets.ts'
import { beatPulse, roundMs } from './pulse.ts'

/** Pause while it must be silent. */
const pauseMs = 20
/** Pause before asking the kernel for its interfaces again. */
const retryMs = 1_000
const troublesAtMost = 32

export class Layer2Thread {
  readonly #post: (news: Layer2News) => void
  readonly #begunMs = monotonicMs()
  readonly #excluded: RegExp
  readonly #deadline: Deadline
  readonly #responder: Responder
  readonly #sockets: PortSockets
  readonly #groups = new GroupQueue((port) => this.#isRefused(port))
  readonly #counting: NodeJS.Timeout
  #watched: WatchedLinks | undefined
  #links: readonly HostLink[] = []
  #ticking: NodeJS.Timeout | undefined
  #isStopped = false
  #shown: string | undefined
  readonly #troubles = new Set<string>()

  constructor(setting: Layer2Setting, post: (news: Layer2News) => void) {
    // Any message is a sign of life; the thread might hang within its first second.
    this.#post = (news) => {
      beatPulse(setting.pulse)
      post(news)
    }
    this.#excluded = setting.excluded
    this.#deadline = newDeadline(setting.deadline)
    this.#responder = new Responder({
      mayAnswer: this.#deadline.isAhead,
      refreshMs: setting.refreshMs,
      hasUnknownPeers: setting.hasUnknownPeers,
    })
    this.#sockets = new PortSockets({
      onFrame: (family, port, frame) => this.#heard(family, port, frame),
      onPorts: (ports, closed) => this.#ports(ports, closed),
      onTrouble: (text) => this.#inTrouble(text),
    })
    this.#counting = setInterval(() => {
      beatPulse(setting.pulse)
      this.#count()
    }, roundMs)
    this.#watch()
  }

  order(order: Layer2Order): void {
    const now = this.#now()
    if (order.kind === 'announce') this.#responder.announce(now, order.announcements)
    else if (order.kind === 'withdraw') this.#responder.withdraw(order.addresses)
    else if (order.kind === 'peers') this.#responder.peers(now, order.nodes)
    else this.#stop()
    this.#perform()
  }

  /** A small integer: thousands of these are stored, and V8 stores small integers inline. */
  #now(): number {
    return Math.floor(monotonicMs() - this.#begunMs)
  }

  #watch(): void {
    if (this.#isStopped) return
    try {
      this.#watched = watchLinks((links) => this.#linksAre(links))
    } catch (error) {
      this.#inTrouble(textOf(error))
      setTimeout(() => this.#watch(), retryMs)
    }
  }

  #linksAre(links: readonly HostLink[]): void {
    this.#links = links
    this.#post({ kind: 'links', links })
    this.#sockets.follow(portsAmong(links, this.#excluded))
  }

  #ports(ports: readonly Port[], closed: readonly string[]): void {
    const own = this.#links.map(({ mac }) => mac)
    this.#responder.ports(this.#now(), ports, own)
    this.#perform()
    this.#show(
      ports.map(({ name }) => name),
      closed,
    )
  }

  #show(interfaces: readonly string[], closed: readonly string[]): void {
    const text = JSON.stringify([interfaces, closed])
    if (text === this.#shown) return
    this.#shown = text
    if (closed.length === 0) this.#troubles.clear()
    this.#post({ kind: 'open', interfaces, closed })
  }

  /** No frame from the network may end the thread. */
  #heard(family: Family, port: number, frame: Uint8Array): Uint8Array | undefined {
    try {
      const now = this.#now()
      const answer =
        family === 'IPv4'
          ? this.#responder.heardArp(now, port, frame)
          : this.#responder.heardNdp(now, port, frame)
      if (this.#responder.hasEffects) this.#perform()
      return answer
    } catch (error) {
      this.#inTrouble(`a frame could not be read: ${textOf(error)}`)
      return undefined
    }
  }

  #tick(): void {
    this.#ticking = undefined
    this.#responder.tick(this.#now())
    this.#perform()
  }

  #perform(): void {
    const effects = this.#responder.takeEffects()
    for (const effect of effects) this.#act(effect)
    this.#groups.take()
    const started = effects.filter((effect) => effect.kind === 'started')
    if (started.length > 0) this.#post({ kind: 'started', started })
    const sightings = effects.filter((effect) => 'mac' in effect)
    if (sightings.length > 0) this.#post({ kind: 'sightings', sightings })
    this.#plan()
  }

  #act(effect: Effect): void {
    if (effect.kind === 'send') this.#sockets.send(effect.port, effect.frame)
    else if (effect.kind === 'join' || effect.kind === 'leave') this.#groups.add(effect)
  }

  #isRefused(port: number): void {
    const name = this.#links.find(({ index }) => index === port)?.name ?? port
    this.#inTrouble(`${name}: an IPv6 group cannot be joined; solicitations may not arrive`)
  }

  #plan(): void {
    const nextAt = this.#groups.hasMore ? 0 : this.#responder.nextAt
    clearTimeout(this.#ticking)
    if (nextAt === undefined || this.#isStopped) return
    const inMs = Math.max(nextAt - this.#now(), this.#deadline.isAhead() ? 0 : pauseMs)
    this.#ticking = setTimeout(() => this.#tick(), inMs)
  }

  #count(): void {
    const counts = this.#responder.takeCounts()
    if (counts.length > 0) this.#post({ kind: 'counts', counts })
  }

  /** Reported once until the set of sockets changes, and not for all of a thousand addresses. */
  #inTrouble(text: string): void {
    if (this.#troubles.has(text) || this.#troubles.size >= troublesAtMost) return
    this.#troubles.add(text)
    this.#post({ kind: 'trouble', text })
  }

  #stop(): void {
    this.#isStopped = true
    clearInterval(this.#counting)
    clearTimeout(this.#ticking)
    this.#count()
    this.#watched?.close()
    this.#sockets.close()
    this.#groups.close()
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
