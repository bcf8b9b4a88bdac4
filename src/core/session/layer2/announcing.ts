// When is an address probed and announced? Probes before first use (RFC 5227 §2.1, RFC 4862 §5.4),
// announcements after every change of owner and, if configured, at an interval.
import { familyOf } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { encodeArp } from '../../wire/arp.ts'
import { arpProbe } from '../../wire/arpAnswers.ts'
import { encodeNdp } from '../../wire/ndp.ts'
import { ndpProbe } from '../../wire/ndpAnswers.ts'
import { Agenda } from './agenda.ts'
import type { Effect } from './announcement.ts'
import { AnnouncementFrames } from './announcementFrames.ts'
import type { Binding } from './binding.ts'

/** After a change of owner. Some hosts ignore updates for a second after learning one (M5.5). */
const burstMs = [0, 100, 500, 1_100, 2_200, 4_400] as const
/** Three probes; without an answer, the address is free at `probedMs`. */
const probeMs = [0, 100, 200] as const
const probedMs = 300
/** When to probe again for an address that another machine has. */
const retryMs = 30_000
/** After this long, a peer that gave the address up, or never owned it, has stopped announcing. */
const repeatMs = 2_000
/** If a step is later than this, the following ones shift too, so that none go out together. */
const lateMs = 50
const macsAtMost = 64

type AnnouncingOptions = {
  readonly effects: Effect[]
  /** Interval between announcements after the burst; undefined for none. */
  readonly refreshMs: number | undefined
}

export class Announcing {
  readonly #agenda = new Agenda<Binding>()
  readonly #effects: Effect[]
  readonly #refreshMs: number | undefined
  readonly #frames = new Map<Mac, AnnouncementFrames>()

  constructor({ effects, refreshMs }: AnnouncingOptions) {
    this.#effects = effects
    this.#refreshMs = refreshMs
  }

  get nextAt(): number | undefined {
    return this.#agenda.nextAt
  }

  probe(binding: Binding, now: number): void {
    this.#enter(binding, 'probing', now)
  }

  /** Answers from now on. If it answered before, it announces again. */
  start(binding: Binding, now: number): void {
    const { entry, port } = binding
    if (binding.phase !== 'answering') {
      this.#effects.push({ kind: 'started', address: entry.address, interface: port.name })
    }
    entry.hasStarted = true
    this.#enter(binding, 'answering', now)
  }

  refuse(binding: Binding, now: number, mac: Mac): void {
    this.#enter(binding, 'refused', now)
    binding.refusedFor = mac
  }

  /**
   * A peer has announced our address in a takeover that was reverted, and hosts on the link now
   * believe it. Announce again once the peer has given up; if we give up first, that cancels it.
   */
  repeat(binding: Binding, now: number): void {
    if (binding.phase !== 'answering' || binding.step < burstMs.length) return
    binding.step = 0
    binding.since = now + repeatMs
    this.#agenda.put(binding, binding.since)
  }

  stop(binding: Binding): void {
    this.#agenda.takeOff(binding)
  }

  /** Performs the first step that is due and returns its binding. */
  step(now: number): Binding | undefined {
    const binding = this.#agenda.takeDue(now)
    if (binding === undefined) return undefined
    const late = now - binding.dueAt
    if (late > lateMs) binding.since += late
    if (binding.phase === 'refused') this.probe(binding, now)
    else if (binding.phase === 'answering') this.#nextAnnouncement(binding, now)
    else if (binding.step < probeMs.length) this.#nextProbe(binding)
    else this.start(binding, now)
    return binding
  }

  /** Announces once, in all forms. */
  announce({ entry, port }: Binding): void {
    entry.counts.gratuitous++
    for (const frame of this.#framesOf(port.mac).of(entry.octets)) {
      this.#effects.push({ kind: 'send', port: port.index, frame })
    }
  }

  #framesOf(mac: Mac): AnnouncementFrames {
    const known = this.#frames.get(mac)
    if (known !== undefined) return known
    // Forget MACs that are no longer in use.
    if (this.#frames.size >= macsAtMost) this.#frames.clear()
    const frames = new AnnouncementFrames(mac)
    this.#frames.set(mac, frames)
    return frames
  }

  #enter(binding: Binding, phase: Binding['phase'], now: number): void {
    binding.phase = phase
    binding.since = now
    binding.step = 0
    binding.refusedFor = undefined
    // The first announcement of an address goes out before repeats for others.
    if (phase === 'answering') this.#agenda.urge(binding, now)
    else this.#agenda.put(binding, phase === 'refused' ? now + retryMs : now)
  }

  #nextProbe(binding: Binding): void {
    const { address } = binding.entry
    const { index, mac } = binding.port
    const isFour = familyOf(address) === 'IPv4'
    const frame = isFour ? encodeArp(arpProbe(address, mac)) : encodeNdp(ndpProbe(address, mac))
    this.#effects.push({ kind: 'send', port: index, frame })
    binding.step++
    this.#agenda.put(binding, binding.since + (probeMs[binding.step] ?? probedMs))
  }

  #nextAnnouncement(binding: Binding, now: number): void {
    this.announce(binding)
    binding.step++
    const afterMs = burstMs[binding.step]
    if (afterMs !== undefined) this.#agenda.put(binding, binding.since + afterMs)
    else if (this.#refreshMs !== undefined) this.#agenda.put(binding, now + this.#refreshMs)
  }
}
