// Who else has been seen with an address of ours, and is that news? Anybody on the wire can send in
// any name: what he sends must not become as many writes.
import type { Ip } from '../../../core/net/ip.ts'
import type { Sighting } from '../../../core/session/layer2/announcement.ts'

/** An address that another machine has is asked for again every 30 s. */
const keptMs = 90_000
/** So many are told in this time, of all addresses together. */
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

  /** How often each has been reported. */
  get counts(): Readonly<Record<Sighting['kind'], number>> {
    return this.#counts
  }

  /** Of other machines, not of speakers: one for each address, in text order. */
  get foreign(): readonly Sighting[] {
    const seen = this.#seen['foreign-owner']
    this.#sweep(seen)
    const all = Array.from(seen.values(), ({ sighting }) => sighting)
    return all.sort((one, other) => (one.address < other.address ? -1 : 1))
  }

  /** Answers whether this was not known before, and may be told. */
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
    // Who it is now is shown as often as it is told: else each false name would be a write.
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
