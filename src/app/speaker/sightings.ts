// Who else has been seen with an address of ours, and is that news?
import type { Sighting } from '../../core/session/layer2/claim.ts'

/** An address that another machine has is asked for again every 30 s. */
const keptMs = 90_000

export class Sightings {
  readonly #nowMs: () => number
  readonly #seen = new Map<string, { readonly sighting: Sighting; readonly atMs: number }>()
  #counts = { 'foreign-owner': 0, 'two-owners': 0 }

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** How often each has been reported. */
  get counts(): Readonly<Record<Sighting['kind'], number>> {
    return this.#counts
  }

  /** Of other machines, not of speakers; by address. */
  get foreign(): readonly Sighting[] {
    const since = this.#nowMs() - keptMs
    for (const [id, { atMs }] of this.#seen) if (atMs < since) this.#seen.delete(id)
    const all = Array.from(this.#seen.values(), ({ sighting }) => sighting)
    const foreign = all.filter(({ kind }) => kind === 'foreign-owner')
    return foreign.sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
  }

  /** Answers whether this was not known before. */
  note(sighting: Sighting): boolean {
    this.#counts = { ...this.#counts, [sighting.kind]: this.#counts[sighting.kind] + 1 }
    const id = idOf(sighting)
    const known = this.#seen.get(id)
    const atMs = this.#nowMs()
    this.#seen.set(id, { sighting, atMs })
    return known === undefined || known.atMs < atMs - keptMs
  }
}

const idOf = ({ address, mac, interface: where, kind }: Sighting): string =>
  `${address} ${mac} ${where} ${kind}`
