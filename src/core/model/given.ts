// Did we give what a Service's status shows? An Address records it. Until the first adoption is
// over everything counts (R3.9); later what nobody recorded does not, by itself (R3.15).
import type { Ip } from '../net/ip.ts'
import type { Holder } from './address.ts'
import type { Key, ServiceView } from './service.ts'

export type ReadonlyGiven = {
  /** Whether the first adoption is over. */
  readonly isAdopted: boolean
  /** Whether its record was there and somebody deleted it: it is made again (R3.5). */
  hadRecord(service: Key, ip: Ip): boolean
}

export class Given implements ReadonlyGiven {
  isAdopted = false
  readonly #lost = new Map<Key, Set<Ip>>()

  hadRecord(service: Key, ip: Ip): boolean {
    return this.#lost.get(service)?.has(ip) === true
  }

  /** The record no longer names a holder; that counts if its Service still shows the address. */
  lose(service: ServiceView | undefined, { uid }: Holder, ip: Ip): void {
    if (service?.uid !== uid || !service.ingress.includes(ip)) return
    const lost = this.#lost.get(service.key) ?? new Set()
    this.#lost.set(service.key, lost.add(ip))
  }

  /** What it shows no longer, or another Service of its name shows, was not lost. */
  follow(key: Key, before: ServiceView, after: ServiceView | undefined): void {
    const lost = this.#lost.get(key)
    if (lost === undefined) return
    const shown = after?.uid === before.uid ? after.ingress : []
    for (const ip of lost) if (!shown.includes(ip)) lost.delete(ip)
    if (lost.size === 0) this.#lost.delete(key)
  }
}
