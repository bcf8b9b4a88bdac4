// When is an address asked for and announced? Probes before the first time (RFC 5227 §2.1, RFC 4862
// §5.4), announcements after every change of owner, and where wanted again from time to time.
import { familyOf } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { encodeArp } from '../../wire/arp.ts'
import { arpProbe } from '../../wire/arpAnswers.ts'
import { encodeNdp } from '../../wire/ndp.ts'
import { ndpProbe } from '../../wire/ndpAnswers.ts'
import { Agenda } from './agenda.ts'
import { AnnouncementFrames } from './announcementFrames.ts'
import type { Binding } from './binding.ts'
import type { Effect } from './claim.ts'

/** After a change of owner. Some keep what they learnt for a second, whatever they hear (M5.5). */
const burstMs = [0, 100, 500, 1_100, 2_200, 4_400] as const
/** Then, after another of these pauses, it is free. */
const probeMs = [0, 100, 200] as const
const probedMs = 300
/** An address that somebody else has is asked for again. */
const retryMs = 30_000
/** After which a fellow who gave an address up, or never was its owner, says nothing more of it. */
const repeatMs = 2_000
/** What could not be done for longer than this shifts what follows: no two rounds at once. */
const lateMs = 50
const macsAtMost = 64

type AnnouncingOptions = {
  readonly effects: Effect[]
  /** Between announcements after the burst; undefined: none. */
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

  /** Answers from now on; who answered before says so anew. */
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
   * A fellow has announced what is ours, and who heard that believes him: a takeover that was taken
   * back. It is said anew once he has given it up; if it is we who give it up, that comes first.
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

  /** The first that is due, if one is; then whose it was. */
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

  /** Once, in all forms. */
  announce({ entry, port }: Binding): void {
    entry.counts.gratuitous++
    for (const frame of this.#framesOf(port.mac).of(entry.octets)) {
      this.#effects.push({ kind: 'send', port: port.index, frame })
    }
  }

  #framesOf(mac: Mac): AnnouncementFrames {
    const known = this.#frames.get(mac)
    if (known !== undefined) return known
    // MACs that are no more are forgotten.
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
    // Who has not heard of it yet comes before those who hear it again.
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
