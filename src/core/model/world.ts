// What is known? Every view, and beside them the indexes that decisions need, kept up to date by
// `apply`, the only way to change anything. A change also says whose turn it makes it.
import type { Ip } from '../net/ip.ts'
import type { AddressView } from './address.ts'
import { adopted, isKnown } from './adopted.ts'
import { type Belonging, Belongings } from './belonging.ts'
import { elsewhereOf } from './elsewhere.ts'
import { Inert, type InertObject } from './inert.ts'
import { type Holding, isSameHolding, Ledger } from './ledger.ts'
import { membersOf } from './members.ts'
import type { Pool } from './pool.ts'
import { PoolIndex } from './poolIndex.ts'
import type { PoolLedger } from './poolLedger.ts'
import { samePool } from './poolSense.ts'
import { isSame } from './sameView.ts'
import type { Labels } from './selector.ts'
import type { Endpoint, Key, ServiceView } from './service.ts'
import { type Claim, groupOf, type Slot } from './slot.ts'
import type { Tenant } from './tenant.ts'
import { poolsMadeFrom } from './tenantPools.ts'
import { TenantUse } from './tenantUse.ts'
import { Turn } from './turn.ts'
import { type Kind, keyOf, objectOf, type View, type ViewOf } from './view.ts'
import { identityOf, ViewStore } from './viewStore.ts'
import { type Wait, Waiting } from './waiting.ts'
import { Wakes } from './wakes.ts'

/** A decision that counts from now on, before its writes are done. */
export type Intent = {
  readonly service: Key
  readonly ips: readonly Ip[]
  readonly wait: Wait | undefined
}
export type Change =
  | { readonly type: 'upsert'; readonly view: View }
  | { readonly type: 'delete'; readonly kind: Kind; readonly key: string }
  | { readonly type: 'intent'; readonly intent: Intent }
  /** It is there, cannot be used, and no version of it is known: until it is put or deleted. */
  | ({ readonly type: 'inert' } & InertObject)

export type Settings = { readonly ownNamespace: string; readonly loadBalancerClass: string }
export type ReadonlyWorld = Omit<World, 'apply' | 'wake' | 'turn' | 'dirty'>

export class World {
  readonly ownNamespace: string
  readonly loadBalancerClass: string
  readonly ledger = new Ledger()
  readonly waiting = new Waiting()
  readonly use = new TenantUse()
  readonly turn = new Turn()
  /** What else has to be looked at again: objects that follow from decisions. */
  readonly dirty = {
    addresses: new Set<Ip>(),
    tenants: new Set<string>(),
    pools: new Set<string>(),
  }
  readonly #views = new ViewStore()
  readonly #pools = new Map<string, Pool>()
  readonly #made = new Map<string, Pool>()
  readonly poolIndex = new PoolIndex(this.#pools)
  readonly inert: Inert
  readonly #belongings: Belongings
  readonly #wakes: Wakes

  constructor({ ownNamespace, loadBalancerClass }: Settings) {
    this.ownNamespace = ownNamespace
    this.loadBalancerClass = loadBalancerClass
    this.#belongings = new Belongings(this.#views.of('Tenant'), (name) => this.labelsOf(name))
    const { services, ledger, waiting, turn } = this
    const tenantOf = (service: ServiceView) => this.tenantOf(service)
    const claimsOf = (service: ServiceView) => this.#views.claimsOf(service)
    this.inert = new Inert({ pools: this.#pools, services, claimsOf })
    this.#wakes = new Wakes({ services, ledger, waiting, turn, tenantOf })
  }

  all<K extends Kind>(kind: K): ReadonlyMap<string, ViewOf<K>> {
    return this.#views.of(kind)
  }

  /** The pools that decisions use, by name; those made from tenants as the tenant says. */
  get pools(): ReadonlyMap<string, Pool> {
    return this.#pools
  }

  get services(): ReadonlyMap<Key, ServiceView> {
    return this.#views.of('Service')
  }

  poolOf(ip: Ip): Pool | undefined {
    return this.ledger.poolOf(ip)?.pool
  }

  ledgerOf(pool: Pool): PoolLedger | undefined {
    return this.ledger.pool(pool.name)
  }

  endpointsOf(service: Key): readonly Endpoint[] {
    return this.#views.slicesOf(service).flatMap(({ endpoints }) => endpoints)
  }

  holdingOf(service: Key): Holding | undefined {
    return this.ledger.holding(service)
  }

  holdersOf(ip: Ip): readonly Key[] {
    return [...(this.ledger.slot(ip)?.holders.keys() ?? [])].sort()
  }

  /** The reservations that name the Service, lowest address first (R3.2). */
  reservationsFor(service: Key): readonly AddressView[] {
    return this.#views.reservationsFor(service)
  }

  tenantOf(service: Pick<ServiceView, 'key' | 'namespace'>): Belonging {
    return this.#belongings.of(service)
  }

  tenantOfNamespace(namespace: string): Belonging {
    return this.#belongings.ofNamespace(namespace)
  }

  labelsOf(namespace: string): Labels {
    const known = this.#views.of('Namespace').get(namespace)?.labels
    return known ?? { 'kubernetes.io/metadata.name': namespace }
  }

  /** Of our class and type: only these are ours to serve, to change or to announce (M2.2). */
  isOurs({ isLoadBalancer, loadBalancerClass }: ServiceView): boolean {
    return isLoadBalancer && loadBalancerClass === this.loadBalancerClass
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
      isConfirmed: true,
    }
  }

  /** What would be if the Service held nothing: looked at, and put back as it was. */
  without<T>(service: Key, look: () => T): T {
    const before = this.ledger.holding(service)
    if (before === undefined) return look()
    this.use.leave(before)
    this.ledger.release(service)
    const seen = look()
    this.ledger.hold(service, before.ips, before.claim)
    this.use.enter(before)
    return seen
  }

  apply(change: Change): void {
    if (change.type === 'intent') this.#enter(change.intent)
    else if (change.type === 'inert') this.inert.add(change)
    else if (change.type === 'delete') this.#put(change.kind, change.key, undefined)
    else this.#put(change.view.kind, keyOf(change.view), change.view)
  }

  #put(kind: Kind, key: string, after: View | undefined): void {
    // Its status is not in the view: somebody may have edited what is reported there.
    if (kind === 'Tenant') this.dirty.tenants.add(key)
    for (const service of this.inert.end(kind, key)) this.wake(service)
    this.#replace(this.#views.get(kind, key), after)
  }

  #replace(before: View | undefined, after: View | undefined): void {
    if (before === undefined && after === undefined) return
    if (saysNothingNew(before, after)) return
    const affected = membersOf(this.#views, (name) => this.labelsOf(name), [before, after])
    if (after !== undefined) this.#views.put(after)
    else if (before !== undefined) this.#views.delete(before.kind, keyOf(before))
    this.#react(before, after)
    for (const service of affected) {
      this.#changeSides(service)
      this.wake(service)
    }
    this.#moveElsewhere(before, after)
  }

  #enter({ service: key, ips, wait }: Intent): void {
    const service = this.services.get(key)
    if (service === undefined || ips.length === 0) this.#hold(key, [], undefined)
    else this.#hold(key, ips, this.claimOf(service))
    const next =
      wait === undefined || service === undefined
        ? this.waiting.leave(key)
        : this.waiting.enter(this.#waiterOf(service), wait)
    if (next !== undefined) this.wake(next)
  }

  #waiterOf(service: ServiceView) {
    const { key, createdAt } = service
    const holds = this.ledger.holding(key) !== undefined
    return { key, createdAt, holds, group: groupOf(this.claimOf(service)) }
  }

  #account(key: Key, before: Holding | undefined, freed: readonly Slot[]): void {
    const after = this.ledger.holding(key)
    if (after !== undefined) this.use.enter(after)
    for (const ip of [...(before?.ips ?? []), ...(after?.ips ?? [])]) {
      this.dirty.addresses.add(ip)
      const pool = this.poolOf(ip)
      if (pool !== undefined) this.dirty.pools.add(pool.name)
    }
    for (const holding of [before, after]) {
      if (holding !== undefined && holding.claim.tenant !== '') {
        this.dirty.tenants.add(holding.claim.tenant)
      }
    }
    for (const slot of freed) this.#freed(slot)
    if (after !== undefined && !isSameHolding(before, after)) {
      for (const ip of after.ips) this.#wakes.taken(ip, key)
    }
    if (before === undefined || before.claim.tenant === '') return
    const { tenant } = before.claim
    if (before.ips.every((ip) => this.use.holds(tenant, ip))) return
    for (const waiter of this.waiting.onQuota(tenant)) this.wake(waiter)
  }

  #freed(slot: Slot): void {
    this.#wakes.freed(slot)
    this.dirty.addresses.add(slot.ip)
  }

  /** It will be decided again, in its turn. */
  wake(key: Key): void {
    this.#wakes.wake(key)
  }

  #react(before: View | undefined, after: View | undefined): void {
    const kind = (after ?? before)?.kind
    if (kind === 'Service') this.#serviceChanged(asKind(kind, before), asKind(kind, after))
    if (kind === 'IPAddressPool') this.#refreshPool(keyOfEither(before, after))
    if (kind === 'Address') this.#addressChanged(asKind(kind, before), asKind(kind, after))
    if (kind === 'Tenant') this.#tenantChanged(asKind(kind, before), asKind(kind, after))
    if (kind === 'Namespace') this.#belongings.forget()
  }

  #serviceChanged(before: ServiceView | undefined, after: ServiceView | undefined): void {
    const key = keyOfEither(before, after)
    if (before !== undefined && before.uid !== after?.uid) {
      this.#enter({ service: key, ips: [], wait: undefined })
    }
    if (after === undefined) return
    if (this.isOurs(after)) this.#adopt(after)
    this.wake(key)
  }

  /** What the status shows, or an Address says, is held, whoever gave it (R3.9, R3.12). */
  #adopt(service: ServiceView): void {
    const found = adopted(service, this.#views.claimsOf(service))
    if (found.ips.length === 0 || isKnown(found, this.ledger.holding(service.key))) return
    this.#hold(service.key, found.ips, { ...this.claimOf(service), ...found.terms })
    this.wake(service.key)
  }

  /** Counted for its new tenant at once, so that the next decision meets the right quota (R4.9). */
  #changeSides(key: Key): void {
    const service = this.services.get(key)
    const held = this.ledger.holding(key)
    if (service === undefined || held === undefined) return
    const { tenant } = this.claimOf(service)
    if (tenant !== held.claim.tenant) this.#hold(key, held.ips, { ...held.claim, tenant })
  }

  #hold(key: Key, ips: readonly Ip[], claim: Claim | undefined): void {
    const before = this.ledger.holding(key)
    if (before !== undefined) this.use.leave(before)
    const { ledger } = this
    const freed = claim === undefined ? ledger.release(key) : ledger.hold(key, ips, claim)
    this.#account(key, before, freed)
  }

  #addressChanged(before: AddressView | undefined, after: AddressView | undefined): void {
    const ip = after?.address ?? before?.address
    if (ip === undefined) return
    const [was, is] = [before, after].map((view) => (view && reserves(view) ? view : undefined))
    const slot = this.ledger.reserve(ip, is)
    this.dirty.addresses.add(ip)
    if ((was === undefined) !== (is === undefined) || was?.reservedFor !== is?.reservedFor) {
      this.#freed(slot)
      if (is !== undefined) this.#wakes.taken(ip)
      if (was?.reservedFor !== undefined) this.wake(was.reservedFor)
    }
    this.#adoptNamed(before, after)
  }

  /** Who was named before has been adopted then, and may have let go meanwhile. */
  #adoptNamed(before: AddressView | undefined, after: AddressView | undefined): void {
    const isMoved = before?.address !== after?.address
    const known = new Set(isMoved ? [] : before?.holders.map(identityOf))
    for (const holder of after?.holders ?? []) {
      if (known.has(identityOf(holder))) continue
      const service = this.services.get(`${holder.namespace}/${holder.name}`)
      if (service !== undefined && this.isOurs(service)) this.#adopt(service)
    }
  }

  #refreshPool(name: string): void {
    const shown = this.#views.of('IPAddressPool').get(name)
    const made = this.#made.get(name)
    const after =
      made !== undefined && (shown === undefined || shown.madeFrom === made.madeFrom) ? made : shown
    const before = this.#pools.get(name)
    this.dirty.pools.add(name)
    const maker = made?.madeFrom ?? shown?.madeFrom ?? ''
    if (maker !== '') this.dirty.tenants.add(maker)
    if (samePool(before, after)) this.#relabel(before, after)
    else this.#setPool(name, before, after)
  }

  /** Announcements select pools by labels; who holds what does not depend on them. */
  #relabel(before: Pool | undefined, after: Pool | undefined): void {
    if (before === undefined || after === undefined || isSame(before.labels, after.labels)) return
    this.#pools.set(after.name, after)
    this.poolIndex.forget()
    this.ledger.relabel(after)
  }

  #setPool(name: string, before: Pool | undefined, after: Pool | undefined): void {
    if (after === undefined) this.#pools.delete(name)
    else this.#pools.set(name, after)
    this.poolIndex.forget()
    this.#reconsider(this.ledger.setPool(name, after))
    this.#adoptShown()
    this.#wakes.waitersFor([before, after])
  }

  /** A status that we left alone, as another's, may lie in a pool now (R3.9). */
  #adoptShown(): void {
    for (const key of this.waiting.keys()) {
      const service = this.services.get(key)
      if (service === undefined || this.ledger.holding(key) !== undefined) continue
      if (!service.ingress.some((ip) => this.poolOf(ip) !== undefined)) continue
      this.#adopt(service)
      this.wake(key)
    }
  }

  #reconsider(slots: Iterable<Slot>): void {
    this.#wakes.concernedOn(slots)
    for (const { ip } of slots) this.dirty.addresses.add(ip)
  }

  #tenantChanged(before: Tenant | undefined, after: Tenant | undefined): void {
    this.#belongings.forget()
    const name = after?.name ?? before?.name ?? ''
    this.dirty.tenants.add(name)
    const [was, is] = [before, after].map((tenant) =>
      tenant === undefined ? [] : poolsMadeFrom(tenant, this.ownNamespace),
    )
    for (const pool of was ?? []) this.#made.delete(pool.name)
    for (const pool of is ?? []) this.#made.set(pool.name, pool)
    for (const pool of new Set([...(was ?? []), ...(is ?? [])].map((one) => one.name))) {
      this.#refreshPool(pool)
    }
    const labelled = [...this.#pools.values()].filter((pool) => pool.tenant === name)
    this.#wakes.waitersFor(labelled)
    for (const pool of labelled) this.#reconsider(this.ledger.slotsIn(pool.name))
  }

  #moveElsewhere(before: View | undefined, after: View | undefined): void {
    const was = new Set(before === undefined ? [] : elsewhereOf(before))
    const is = new Set(after === undefined ? [] : elsewhereOf(after))
    const view = after ?? before
    if (view === undefined) return
    for (const ip of is) {
      this.ledger.useElsewhere(ip, objectOf(view), 'used')
      if (!was.has(ip)) this.#wakes.taken(ip)
    }
    for (const ip of was) {
      if (!is.has(ip)) this.#freed(this.ledger.useElsewhere(ip, objectOf(view), 'unused'))
    }
  }
}

/** A reservation, or an address that a person keeps free (R3.2, R3.3). */
const reserves = ({ reservedFor, isOurs }: AddressView): boolean =>
  reservedFor !== undefined || !isOurs

const keyOfEither = (before: View | undefined, after: View | undefined): string => {
  const view = after ?? before
  return view === undefined ? '' : keyOf(view)
}

/** Services and Addresses count also as they were: what was decided since may differ from them. */
const saysNothingNew = (before: View | undefined, after: View | undefined): boolean =>
  before?.kind !== 'Service' && before?.kind !== 'Address' && isSame(before, after)

const asKind = <K extends Kind>(kind: K, view: View | undefined): ViewOf<K> | undefined =>
  view?.kind === kind ? (view as ViewOf<K>) : undefined
