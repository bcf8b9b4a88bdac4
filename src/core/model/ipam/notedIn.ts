// Which subnets have noted an address as held? They are told once it is free on the wire.
import type { Ip } from '../../net/ip.ts'

export class NotedIn {
  readonly #byPlace = new Map<string, Set<string>>()

  note(wire: string, ip: Ip, id: string): void {
    const place = `${wire} ${ip}`
    const known = this.#byPlace.get(place)
    if (known === undefined) this.#byPlace.set(place, new Set([id]))
    else known.add(id)
  }

  /** The subnet is no longer there. */
  forget(wire: string, ip: Ip, id: string): void {
    const place = `${wire} ${ip}`
    const known = this.#byPlace.get(place)
    known?.delete(id)
    if (known?.size === 0) this.#byPlace.delete(place)
  }

  /** They note it again when they come across it. */
  take(wire: string, ip: Ip): Iterable<string> {
    const place = `${wire} ${ip}`
    const noted = this.#byPlace.get(place) ?? []
    this.#byPlace.delete(place)
    return noted
  }
}
