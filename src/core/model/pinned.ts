// Which Services without an address go before the others? Those that ask for a specific address
// (R2.4), unless that could cost an older one its place in the tenant's quota.
import type { Belonging } from './belonging.ts'
import type { Key, ServiceView } from './service.ts'
import type { Tenant } from './tenant.ts'
import type { ReadonlyTenantUse } from './tenantUse.ts'

type Known = {
  readonly tenants: ReadonlyMap<string, Tenant>
  readonly tenantOf: (service: ServiceView) => Belonging
  readonly use: ReadonlyTenantUse
}
type Need = { readonly tenant: string; readonly addresses: number }

export class Pinned {
  readonly #known: Known
  /** What the Services of tenants still need, one by one and of each tenant in all. */
  readonly #needs = new Map<Key, Need>()
  readonly #needed = new Map<string, number>()

  constructor(known: Known) {
    this.#known = known
  }

  asksForOne(service: ServiceView): boolean {
    if (service.asksByAnnotation === '' && service.asksByField === '') return false
    return this.#tenantOf(service)?.requestedAddresses !== 'Ignore'
  }

  /** It asks for one, and the quota has room for whoever of its tenant has none. */
  mayGoFirst(service: ServiceView): boolean {
    if (!this.asksForOne(service)) return false
    const { name = '', quota } = this.#tenantOf(service) ?? {}
    if (quota === undefined) return true
    return this.#known.use.used(name) + (this.#needed.get(name) ?? 0) <= quota
  }

  /** The Service holds an address or none, or is gone. */
  follow(key: Key, service: ServiceView | undefined): void {
    const before = this.#needs.get(key)
    const tenant = service === undefined ? '' : (this.#tenantOf(service)?.name ?? '')
    const addresses = tenant === '' ? 0 : (service?.clusterFamilies.length ?? 0)
    if (before?.tenant === tenant && before.addresses === addresses) return
    if (before !== undefined) this.#add(before.tenant, -before.addresses)
    if (addresses === 0) {
      this.#needs.delete(key)
      return
    }
    this.#needs.set(key, { tenant, addresses })
    this.#add(tenant, addresses)
  }

  #add(tenant: string, addresses: number): void {
    const sum = (this.#needed.get(tenant) ?? 0) + addresses
    if (sum === 0) this.#needed.delete(tenant)
    else this.#needed.set(tenant, sum)
  }

  #tenantOf(service: ServiceView): Tenant | undefined {
    const belonging = this.#known.tenantOf(service)
    return belonging.kind === 'tenant' ? this.#known.tenants.get(belonging.name) : undefined
  }
}
