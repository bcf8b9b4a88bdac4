// Who else was seen with an address of ours, and is that new? Any host on the link can forge
// senders: its frames must not turn into as many API writes.
import type { Ip } from '../../../core/net/ip.ts'
import type { Sighting } from '../../../core/session/layer2/announcement.ts'

/** Three probes' worth: an address that another machine has is probed again every 30 s. */
const keptMs = 90_000
/** At most this many reports in this time, for all addresses together. */
const [newsAtMost, newsMs] = [10, 60_000]
const keptAtMost = 4_096

type Noted = { readonly sighting: Sighting; readonly atMs: number }

export class Sightings {
  readonly #nowMs: () => number
  readonly #seen: Readonly<Record<Sighting['kind'], Map<Ip, Noted>>> = {
    'foreign-owner': new Map(),
    'two-owners': new Map(),
  }
  #counts = { 'foreign-owner': 0, 'two-owners': 0 }
  #told: readonly number[] = []

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Number of sightings by kind. */
  get counts(): Readonly<Record<Sighting['kind'], number>> {
    return this.#counts
  }

  /** Machines that are not speakers: one for each address, sorted by address. */
  get foreign(): readonly Sighting[] {
    const seen = this.#seen['foreign-owner']
    this.#sweep(seen)
    const all = Array.from(seen.values(), ({ sighting }) => sighting)
    return all.sort((one, other) => (one.address < other.address ? -1 : 1))
  }

  /** Returns whether the sighting is new and may be reported. */
  note(sighting: Sighting): boolean {
    const { kind, address } = sighting
    this.#counts = { ...this.#counts, [kind]: this.#counts[kind] + 1 }
    const seen = this.#seen[kind]
    const atMs = this.#nowMs()
    if (seen.size >= keptAtMost) this.#sweep(seen)
    const before = seen.get(address)
    const known = before !== undefined && before.atMs >= atMs - keptMs ? before.sighting : undefined
    if (known === undefined && seen.size >= keptAtMost) return false
    const isNews = !isSame(known, sighting) && this.#mayTell(atMs)
    // The shown owner changes only with a report: otherwise every forged sender would be a write.
    seen.set(address, { sighting: isNews ? sighting : (known ?? sighting), atMs })
    return isNews
  }

  #mayTell(now: number): boolean {
    this.#told = this.#told.filter((atMs) => atMs > now - newsMs)
    if (this.#told.length >= newsAtMost) return false
    this.#told = [...this.#told, now]
    return true
  }

  #sweep(seen: Map<Ip, Noted>): void {
    const since = this.#nowMs() - keptMs
    for (const [address, { atMs }] of seen) if (atMs < since) seen.delete(address)
  }
}

const isSame = (one: Sighting | undefined, other: Sighting): boolean =>
  one?.mac === other.mac && one.interface === other.interface && one.beside === other.beside
