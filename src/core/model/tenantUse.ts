// How many different addresses do a tenant's Services hold (R4.9)? A shared one counts once.
import type { Ip } from '../net/ip.ts'
import type { Holding } from './ledger.ts'

export class TenantUse {
  readonly #holders = new Map<string, Map<Ip, number>>()

  used(tenant: string): number {
    return this.#holders.get(tenant)?.size ?? 0
  }

  holds(tenant: string, ip: Ip): boolean {
    return this.#holders.get(tenant)?.has(ip) ?? false
  }

  enter({ claim, ips }: Holding): void {
    if (claim.tenant === '') return
    const counts = this.#holders.get(claim.tenant) ?? new Map<Ip, number>()
    this.#holders.set(claim.tenant, counts)
    for (const ip of ips) counts.set(ip, (counts.get(ip) ?? 0) + 1)
  }

  leave({ claim, ips }: Holding): void {
    const counts = this.#holders.get(claim.tenant)
    if (counts === undefined) return
    for (const ip of ips) {
      const left = (counts.get(ip) ?? 0) - 1
      if (left > 0) counts.set(ip, left)
      else counts.delete(ip)
    }
  }
}
