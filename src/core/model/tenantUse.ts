// How many different addresses do a tenant's Services hold (R4.9)? A shared one counts once.
import type { Ip } from '../net/ip.ts'
import type { Holding } from './ledger.ts'

/** What policy may ask. */
export type ReadonlyTenantUse = {
  used(tenant: string): number
  holds(tenant: string, ip: Ip): boolean
}

export class TenantUse implements ReadonlyTenantUse {
  readonly #holders = new Map<string, Map<Ip, number>>()

  used(tenant: string): number {
    return this.#holders.get(tenant)?.size ?? 0
  }

  holds(tenant: string, ip: Ip): boolean {
    return this.#holders.get(tenant)?.has(ip) ?? false
  }

  /** As if that holding were not there. */
  without({ claim, ips }: Holding): ReadonlyTenantUse {
    const counts = this.#holders.get(claim.tenant)
    const times = (ip: Ip) => ips.filter((one) => one === ip).length
    const left = new Set(ips.filter((ip) => counts?.get(ip) === times(ip)))
    const isLeft = (tenant: string, ip: Ip) => tenant === claim.tenant && left.has(ip)
    return {
      used: (tenant) => this.used(tenant) - (tenant === claim.tenant ? left.size : 0),
      holds: (tenant, ip) => this.holds(tenant, ip) && !isLeft(tenant, ip),
    }
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
