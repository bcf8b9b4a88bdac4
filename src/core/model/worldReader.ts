// What may be asked of the World? Every question that policy has, and nothing that writes.
import { nameOfAddress } from '../net/addressName.ts'
import type { Ip } from '../net/ip.ts'
import type { AddressView } from './address.ts'
import { type Belonging, Belongings, labelsIn } from './belonging.ts'
import { Bug } from './bug.ts'
import type { ReadonlyGiven } from './given.ts'
import { holderIn } from './holderIn.ts'
import type { ReadonlyInert } from './inert.ts'
import type { ReadonlyNodeLedger } from './ipam/nodeLedger.ts'
import type { Holding, ReadonlyLedger } from './ledger.ts'
import { LedgerConfigured } from './ledgerConfigured.ts'
import type { ReadonlyLostPools } from './lostPools.ts'
import type { ReadonlyObstacles } from './obstacles.ts'
import type { Pool } from './pool.ts'
import { PoolIndex, type ReadonlyPoolIndex } from './poolIndex.ts'
import type { ReadonlyPoolLedger } from './readonlyPoolLedger.ts'
import type { Labels } from './selector.ts'
import type { Endpoint, Key, ServiceView } from './service.ts'
import { siteName } from './site.ts'
import { siteMaker } from './sitePools.ts'
import { type Vip, vipOf } from './siteVips.ts'
import type { Claim } from './slot.ts'
import type { Tenant } from './tenant.ts'
import type { ReadonlyTenantUse } from './tenantUse.ts'
import type { Kind, View, ViewOf } from './view.ts'
import type { Claimed, ViewStore } from './viewStore.ts'
import type { ReadonlyWaiting } from './waiting.ts'
import type { Pending, Settings } from './world.ts'

/** Who holds what, and how much of their quotas tenants use. */
type Held = { readonly ledger: ReadonlyLedger; readonly use: ReadonlyTenantUse }

type Views = Pick<ViewStore, 'of' | 'slicesOf' | 'servicesIn' | 'reservationsFor'>

/** Some pools by name, each as it would be; and all tenants. */
type Configuration = {
  readonly pools: ReadonlyMap<string, Pool | undefined>
  readonly tenants: ReadonlyMap<string, Tenant>
}

type WorldParts = Settings &
  Held & {
    readonly views: Views
    readonly pools: ReadonlyMap<string, Pool>
    readonly poolIndex: ReadonlyPoolIndex
    readonly belongings: Belongings
    readonly waiting: ReadonlyWaiting
    readonly inert: ReadonlyInert
    readonly given: ReadonlyGiven
    readonly lost: ReadonlyLostPools
    readonly obstacles: ReadonlyObstacles
    readonly nodes: ReadonlyNodeLedger
    /** What is decided and cannot be seen on the API yet. */
    readonly pending: ReadonlyMap<Key, Pending>
    /** The same as if that Service held nothing. */
    readonly without: (service: Key) => Held
  }

export class WorldReader {
  readonly ownNamespace: string
  readonly loadBalancerClass: string
  readonly ledger: ReadonlyLedger
  readonly use: ReadonlyTenantUse
  readonly waiting: ReadonlyWaiting
  readonly inert: ReadonlyInert
  readonly lost: ReadonlyLostPools
  readonly obstacles: ReadonlyObstacles
  readonly poolIndex: ReadonlyPoolIndex
  /** The addresses of hosts (R12). */
  readonly nodes: ReadonlyNodeLedger
  readonly #parts: WorldParts

  constructor(parts: WorldParts) {
    this.#parts = parts
    this.ownNamespace = parts.ownNamespace
    this.loadBalancerClass = parts.loadBalancerClass
    this.ledger = parts.ledger
    this.use = parts.use
    this.waiting = parts.waiting
    this.inert = parts.inert
    this.lost = parts.lost
    this.obstacles = parts.obstacles
    this.poolIndex = parts.poolIndex
    this.nodes = parts.nodes
  }

  all<K extends Kind>(kind: K): ReadonlyMap<string, ViewOf<K>> {
    return this.#parts.views.of(kind)
  }

  /** The pools that decisions use, by name; those made from tenants as the tenant says. */
  get pools(): ReadonlyMap<string, Pool> {
    return this.#parts.pools
  }

  get services(): ReadonlyMap<Key, ServiceView> {
    return this.#parts.views.of('Service')
  }

  /** In no order. */
  servicesIn(namespace: string): readonly ServiceView[] {
    return [...this.#parts.views.servicesIn(namespace)].flatMap((key) => {
      return this.services.get(key) ?? []
    })
  }

  poolOf(ip: Ip): Pool | undefined {
    return this.ledger.poolOf(ip)
  }

  ledgerOf(pool: Pool): ReadonlyPoolLedger | undefined {
    return this.ledger.pool(pool.name)
  }

  endpointsOf(service: Key): readonly Endpoint[] {
    return this.#parts.views.slicesOf(service).flatMap(({ endpoints }) => endpoints)
  }

  holdingOf(service: Key): Holding | undefined {
    return this.ledger.holding(service)
  }

  /** What it holds; before anything is decided about it also what nobody recorded. */
  heldOrShown(service: ServiceView): readonly Ip[] {
    const { key, ingress } = service
    const holding = this.holdingOf(key)
    if (holding !== undefined) return this.#showsMore(service, holding.ips) ? ingress : holding.ips
    if (this.pendingOf(key) !== undefined || !this.isOurs(service)) return []
    // What it waited with as another's may lie in a pool by now.
    const mayBeOurs = this.#parts.given.isAdopted && this.showsOurs(service)
    return this.waiting.has(key) && !mayBeOurs ? [] : ingress
  }

  /** One of its two addresses is recorded, the other only shown. */
  #showsMore({ key, ingress }: ServiceView, held: readonly Ip[]): boolean {
    if (!this.#parts.given.isAdopted || this.pendingOf(key) !== undefined) return false
    return ingress.length > held.length && held.every((ip) => ingress.includes(ip))
  }

  /** What is decided for the Service and cannot be seen on the API yet. */
  pendingOf(service: Key): Pending | undefined {
    return this.#parts.pending.get(service)
  }

  holdersOf(ip: Ip): readonly Key[] {
    return [...(this.ledger.slot(ip)?.holders.keys() ?? [])].sort()
  }

  /** The reservations that name the Service, lowest address first (R3.2). */
  reservationsFor(service: Key): readonly AddressView[] {
    return this.#parts.views.reservationsFor(service)
  }

  tenantOf(service: Pick<ServiceView, 'key' | 'namespace'>): Belonging {
    if (this.siteVipOf(service.key) !== undefined) return { kind: 'none' }
    return this.#parts.belongings.of(service)
  }

  /** Which address of the Site the Service is for; only one that was made from the Site (R6.5). */
  siteVipOf(key: Key): Vip | undefined {
    const site = this.all('Site').get(siteName)
    const vip = site === undefined ? undefined : vipOf(site, key)
    return vip !== undefined && this.services.get(key)?.maker === siteMaker ? vip : undefined
  }

  tenantOfNamespace(namespace: string): Belonging {
    return this.#parts.belongings.ofNamespace(namespace)
  }

  labelsOf(namespace: string): Labels {
    return labelsIn(this.all('Namespace'), namespace)
  }

  /** Whether anything can be made in it. */
  hasNamespace(name: string): boolean {
    const namespace = this.all('Namespace').get(name)
    return namespace !== undefined && namespace.isGoing !== true
  }

  /** Of our class and type: only these are ours to serve, to change or to announce (M2.2). */
  isOurs({ isLoadBalancer, loadBalancerClass }: ServiceView): boolean {
    return isLoadBalancer && loadBalancerClass === this.loadBalancerClass
  }

  /** What the address's own record says of this very Service. */
  recordOf(ip: Ip, service: ServiceView): Claimed | undefined {
    const address = this.all('Address').get(nameOfAddress(ip))
    const holder = address && holderIn(address.holders, service)
    return address === undefined || holder === undefined ? undefined : { address, holder }
  }

  /** We gave it, or adopt whatever is shown; else its status is only somebody's word (R3.15). */
  isGiven(ip: Ip, service: ServiceView): boolean {
    const { given } = this.#parts
    if (!given.isAdopted || given.hadRecord(service.key, ip)) return true
    return this.recordOf(ip, service) !== undefined
  }

  /** Whether we have recorded anything before. */
  hasRecords(): boolean {
    for (const { isOurs, holders } of this.all('Address').values()) {
      if (isOurs && holders.length > 0) return true
    }
    return false
  }

  /** Whether what it was given from cannot be read, or is lost: then it is left as it is (P2). */
  isInDoubt(service: ServiceView): boolean {
    return this.inert.isInDoubt(service) || this.lost.poolOf(service) !== ''
  }

  /** The pool that what it has was given from, as it is recorded. */
  cameFrom(service: ServiceView): string {
    return this.lost.poolOf(service) || this.inert.poolOf(service)
  }

  /** We gave what the status shows, or it lies in our pools; else it is another's (R3.9, M12.2). */
  showsOurs(service: ServiceView): boolean {
    const { recordedPool, addressed, ingress } = service
    const isRecorded = (ip: Ip) => this.recordOf(ip, service)?.address.isOurs === true
    return (
      recordedPool !== '' ||
      addressed?.status === 'True' ||
      ingress.some((ip) => this.poolOf(ip) !== undefined || isRecorded(ip))
    )
  }

  /** The terms under which the Service would hold an address now. */
  claimOf(service: ServiceView): Claim {
    const belonging = this.tenantOf(service)
    return {
      key: service.key,
      createdAt: service.createdAt,
      ports: service.ports,
      sharingKey: service.sharingKey,
      backend: service.backend,
      tenant: belonging.kind === 'tenant' ? belonging.name : '',
    }
  }

  /**
   * What would be with these pools and tenants, while everybody still holds what they hold: enough
   * to tell who may keep it, not to give out anything.
   */
  configured({ pools, tenants }: Configuration): WorldReader {
    const { views, ledger } = this.#parts
    const known = new Map(this.pools)
    for (const [name, pool] of pools) {
      if (pool === undefined) known.delete(name)
      else known.set(name, pool)
    }
    const without = (service: Key) => {
      throw new Bug(`${service} cannot be left out of what is not there yet`)
    }
    return new WorldReader({
      ...this.#parts,
      views: withTenants(views, tenants),
      pools: known,
      poolIndex: new PoolIndex(known),
      belongings: new Belongings(tenants, (name) => this.labelsOf(name)),
      ledger: new LedgerConfigured(ledger, pools),
      without,
    })
  }

  /** What would be if the Service held nothing. */
  without(service: Key): WorldReader {
    if (this.ledger.holding(service) === undefined) return this
    const without = (another: Key) => {
      throw new Bug(`${service} is left out already, and now ${another}`)
    }
    return new WorldReader({ ...this.#parts, ...this.#parts.without(service), without })
  }
}

const withTenants = (views: Views, tenants: ReadonlyMap<string, Tenant>): Views => ({
  of<K extends Kind>(kind: K) {
    const shelf: ReadonlyMap<string, View> = kind === 'Tenant' ? tenants : views.of(kind)
    return shelf as ReadonlyMap<string, ViewOf<K>>
  },
  slicesOf: (service) => views.slicesOf(service),
  servicesIn: (namespace) => views.servicesIn(namespace),
  reservationsFor: (service) => views.reservationsFor(service),
})
