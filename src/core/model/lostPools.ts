// Which pools are lost? They gave what is held, they are not there, and nobody was seen to delete
// them: an uninstall or a restore does that. What they gave is left as it is (R3.14, P2).
import { type AddressView, keyOfHolder } from './address.ts'
import type { ReadonlyGiven } from './given.ts'
import type { ReadonlyInert } from './inert.ts'
import type { ReadonlyLedger } from './ledger.ts'
import type { Pool } from './pool.ts'
import type { ServiceView } from './service.ts'
import { siteName } from './site.ts'
import { poolsOfSite, siteMaker } from './sitePools.ts'
import { poolsMadeFrom } from './tenantPools.ts'
import type { Kind, View } from './view.ts'
import type { ViewStore } from './viewStore.ts'

type Surroundings = {
  readonly views: ViewStore
  readonly pools: ReadonlyMap<string, Pool>
  readonly inert: Pick<ReadonlyInert, 'has'>
  readonly ledger: Pick<ReadonlyLedger, 'poolOf'>
  readonly given: Pick<ReadonlyGiven, 'isAdopted'>
}

/** What policy may ask. */
export type ReadonlyLostPools = {
  /** The lost pool that its addresses came from; empty if none. */
  poolOf(service: ServiceView): string
  isLost(address: AddressView): boolean
  /** Whether it was deleted before our eyes, and nothing has come back under its name. */
  wasSeen(pool: string): boolean
  wasTenantSeen(tenant: string): boolean
  /** Of a pool: whether the tenant or the Site that it was made from is there. */
  isMakerThere(maker: string): boolean
  /** Those that were seen and gave what is still recorded, while no ReleasedPool says so. */
  unnoted(): readonly string[]
  /** Whether pools belong to a tenant of that name, which is not there for no reason we know. */
  isTenantLost(tenant: string): boolean
  /** Whether an Address says that it came from there. */
  isRecorded(pool: string): boolean
  /** With what is kept of each, by name. Those that were seen are about to be released. */
  all(): ReadonlyMap<string, readonly AddressView[]>
}

export class LostPools implements ReadonlyLostPools {
  readonly #around: Surroundings
  /** How many Addresses record the pool. */
  readonly #recorded = new Map<string, number>()
  readonly #seen = new Set<string>()
  readonly #seenTenants = new Set<string>()

  constructor(around: Surroundings) {
    this.#around = around
  }

  isLost({ pool, address }: AddressView): boolean {
    if (pool === '' || !this.#isMissing(pool)) return false
    return this.#around.ledger.poolOf(address) === undefined
  }

  poolOf(service: ServiceView): string {
    const { ingress } = service
    const records = this.#around.views.claimsOf(service).map(({ address }) => address)
    const held = records.filter(({ address }) => ingress.length === 0 || ingress.includes(address))
    return held.find((record) => this.isLost(record))?.pool ?? this.#adoptedFrom(service)
  }

  wasSeen(pool: string): boolean {
    return this.#seen.has(pool)
  }

  wasTenantSeen(tenant: string): boolean {
    return this.#seenTenants.has(tenant)
  }

  isMakerThere(maker: string): boolean {
    const { views } = this.#around
    return maker === siteMaker ? views.of('Site').has(siteName) : views.of('Tenant').has(maker)
  }

  unnoted(): readonly string[] {
    return [...this.#seen].filter((pool) => this.isRecorded(pool) && this.#isMissing(pool))
  }

  isTenantLost(tenant: string): boolean {
    const isThere = this.#around.views.of('Tenant').has(tenant)
    return tenant !== '' && !isThere && !this.wasTenantSeen(tenant)
  }

  isRecorded(pool: string): boolean {
    return this.#recorded.has(pool)
  }

  all(): ReadonlyMap<string, readonly AddressView[]> {
    const names = [...this.#recorded.keys()].filter((name) => name !== '' && this.#isMissing(name))
    const kept = names.sort().map((name): [string, AddressView[]] => {
      const isKept = (record: AddressView) => this.isLost(record) && this.#hasHolder(record)
      return [name, this.recordsOf(name).filter(isKept)]
    })
    return new Map(kept.filter(([name, records]) => records.length > 0 && !this.wasSeen(name)))
  }

  recordsOf(pool: string): readonly AddressView[] {
    if (!this.isRecorded(pool)) return []
    return [...this.#around.views.of('Address').values()].filter((one) => one.pool === pool)
  }

  record(before: AddressView | undefined, after: AddressView | undefined): void {
    if (before?.pool === after?.pool) return
    if (after !== undefined) this.#count(after.pool, 1)
    if (before !== undefined) this.#count(before.pool, -1)
  }

  /** There is one of that name again, whatever was seen before. */
  back(pool: string): void {
    this.#seen.delete(pool)
  }

  /**
   * A deletion that a watch told of, after it took effect. That of a made pool only counts where
   * somebody decided it: the garbage collector deletes it too when its tenant was lost.
   */
  saw(kind: Kind, key: string, before: View | undefined): void {
    if (kind === 'Tenant') this.#seenTenants.add(key)
    if (kind === 'Site') this.#seenTenants.add(siteMaker)
    const made = before?.kind === 'Tenant' ? poolsMadeFrom(before, '') : []
    const ofSite = before?.kind === 'Site' ? poolsOfSite(before, '') : []
    for (const { name } of [...made, ...ofSite]) this.#gone(name)
    if (kind !== 'IPAddressPool') return
    const madeFrom = before?.kind === kind ? before.madeFrom : ''
    const isThere = this.isMakerThere(madeFrom)
    if (madeFrom === '' || isThere || this.#seenTenants.has(madeFrom)) this.#gone(key)
  }

  /**
   * Nothing records yet what is adopted. Its pools may be in another namespace, or not applied yet:
   * whoever gave the address took it away where the pool is really gone.
   */
  #adoptedFrom({ recordedPool: pool, ingress }: ServiceView): string {
    const { given, ledger } = this.#around
    if (given.isAdopted || pool === '' || this.wasSeen(pool) || !this.#isMissing(pool)) return ''
    return ingress.some((ip) => ledger.poolOf(ip) === undefined) ? pool : ''
  }

  #gone(pool: string): void {
    if (!this.#around.pools.has(pool)) this.#seen.add(pool)
  }

  #isMissing(pool: string): boolean {
    const { views, pools, inert } = this.#around
    const isThere = pools.has(pool) || inert.has('IPAddressPool', pool)
    return !isThere && !views.of('ReleasedPool').has(pool)
  }

  #hasHolder({ holders }: AddressView): boolean {
    const services = this.#around.views.of('Service')
    return holders.some((one) => services.get(keyOfHolder(one))?.uid === one.uid)
  }

  #count(pool: string, change: number): void {
    const count = (this.#recorded.get(pool) ?? 0) + change
    if (count === 0) this.#recorded.delete(pool)
    else this.#recorded.set(pool, count)
  }
}
