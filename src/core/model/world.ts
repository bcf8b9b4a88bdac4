// What is known? Every view, and beside them the indexes that decisions need, kept up to date by
// `apply`, the only way to change anything. A change also says whose turn it makes it.
import type { Ip } from '../net/ip.ts'
import type { AddressView } from './address.ts'
import { adopted, isKnown } from './adopted.ts'
import { Belongings, labelsIn } from './belonging.ts'
import type { Changed } from './changed.ts'
import { elsewhereOf } from './elsewhere.ts'
import { Inert, type InertObject } from './inert.ts'
import { type Holding, isSameHolding, Ledger } from './ledger.ts'
import { membersOf } from './members.ts'
import type { Pool } from './pool.ts'
import { PoolIndex } from './poolIndex.ts'
import { samePool } from './poolSense.ts'
import { isSame } from './sameView.ts'
import type { Key, ServiceView } from './service.ts'
import { type Claim, groupOf, type Slot } from './slot.ts'
import type { Tenant } from './tenant.ts'
import { isMadeFrom, poolsMadeFrom } from './tenantPools.ts'
import { TenantUse } from './tenantUse.ts'
import { Turn } from './turn.ts'
import { type Kind, keyOf, objectOf, type View, type ViewOf } from './view.ts'
import { identityOf, ViewStore } from './viewStore.ts'
import { type Wait, Waiting } from './waiting.ts'
import { Wakes } from './wakes.ts'
import { WorldReader } from './worldReader.ts'

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
export type ReadonlyWorld = WorldReader

/** What the World is made of, as the one who writes sees it. */
type Books = {
  readonly views: ViewStore
  readonly pools: Map<string, Pool>
  readonly poolIndex: PoolIndex
  readonly belongings: Belongings
  readonly ledger: Ledger
  readonly use: TenantUse
  readonly waiting: Waiting
  readonly inert: Inert
}

export class World extends WorldReader {
  readonly turn = new Turn()
  readonly #listeners: ((changed: Changed) => void)[] = []
  readonly #made = new Map<string, Pool>()
  readonly #books: Books
  readonly #wakes: Wakes

  constructor(settings: Settings) {
    const books = newBooks()
    const { ledger, waiting } = books
    super({ ...settings, ...books, without: (key) => heldWithout(books, key) })
    this.#books = books
    const { services, turn } = this
    const tenantOf = (service: ServiceView) => this.tenantOf(service)
    this.#wakes = new Wakes({ services, ledger, waiting, turn, tenantOf })
  }

  /** Called for every change from now on, in the middle of it. */
  listen(listener: (changed: Changed) => void): void {
    this.#listeners.push(listener)
  }

  #tell(changed: Changed): void {
    for (const listener of this.#listeners) listener(changed)
  }

  apply(change: Change): void {
    if (change.type === 'intent') this.#enter(change.intent)
    else if (change.type === 'inert') this.#books.inert.add(change)
    else if (change.type === 'delete') this.#put(change.kind, change.key, undefined)
    else this.#put(change.view.kind, keyOf(change.view), change.view)
  }

  #put(kind: Kind, key: string, after: View | undefined): void {
    for (const service of this.#books.inert.end(kind, key)) this.wake(service)
    const before = this.#books.views.get(kind, key)
    this.#replace(before, after)
    this.#tell({ type: 'object', kind, key, before, after })
  }

  #replace(before: View | undefined, after: View | undefined): void {
    if (before === undefined && after === undefined) return
    if (saysNothingNew(before, after)) return
    const affected = membersOf(this.#books.views, (name) => this.labelsOf(name), [before, after])
    if (after !== undefined) this.#books.views.put(after)
    else if (before !== undefined) this.#books.views.delete(before.kind, keyOf(before))
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
        ? this.#books.waiting.leave(key)
        : this.#books.waiting.enter(this.#waiterOf(service), wait)
    if (next !== undefined) this.wake(next)
  }

  #waiterOf(service: ServiceView) {
    const { key, createdAt } = service
    const holds = this.#books.ledger.holding(key) !== undefined
    return { key, createdAt, holds, group: groupOf(this.claimOf(service)) }
  }

  #account(key: Key, before: Holding | undefined, freed: readonly Slot[]): void {
    const after = this.#books.ledger.holding(key)
    if (after !== undefined) this.#books.use.enter(after)
    for (const ip of [...(before?.ips ?? []), ...(after?.ips ?? [])]) {
      this.#tell({ type: 'use', kind: 'Address', key: ip })
      const pool = this.poolOf(ip)
      if (pool !== undefined) this.#tell({ type: 'use', kind: 'IPAddressPool', key: pool.name })
    }
    for (const holding of [before, after]) {
      if (holding !== undefined && holding.claim.tenant !== '') {
        this.#tell({ type: 'use', kind: 'Tenant', key: holding.claim.tenant })
      }
    }
    for (const slot of freed) this.#freed(slot)
    if (after !== undefined && !isSameHolding(before, after)) {
      for (const ip of after.ips) this.#wakes.taken(ip, key)
    }
    if (before === undefined || before.claim.tenant === '') return
    const { tenant } = before.claim
    if (before.ips.every((ip) => this.#books.use.holds(tenant, ip))) return
    for (const waiter of this.#books.waiting.onQuota(tenant)) this.wake(waiter)
  }

  #freed(slot: Slot): void {
    this.#wakes.freed(slot)
    this.#tell({ type: 'use', kind: 'Address', key: slot.ip })
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
    if (kind === 'Namespace') this.#books.belongings.forget()
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
    const found = adopted(service, this.#books.views.claimsOf(service))
    if (found.ips.length === 0 || isKnown(found, this.#books.ledger.holding(service.key))) return
    this.#hold(service.key, found.ips, { ...this.claimOf(service), ...found.terms })
    this.wake(service.key)
  }

  /** Counted for its new tenant at once, so that the next decision meets the right quota (R4.9). */
  #changeSides(key: Key): void {
    const service = this.services.get(key)
    const held = this.#books.ledger.holding(key)
    if (service === undefined || held === undefined) return
    const { tenant } = this.claimOf(service)
    if (tenant !== held.claim.tenant) this.#hold(key, held.ips, { ...held.claim, tenant })
  }

  #hold(key: Key, ips: readonly Ip[], claim: Claim | undefined): void {
    const before = this.#books.ledger.holding(key)
    if (before !== undefined) this.#books.use.leave(before)
    const { ledger } = this.#books
    const freed = claim === undefined ? ledger.release(key) : ledger.hold(key, ips, claim)
    this.#account(key, before, freed)
  }

  #addressChanged(before: AddressView | undefined, after: AddressView | undefined): void {
    const ip = after?.address ?? before?.address
    if (ip === undefined) return
    const [was, is] = [before, after].map((view) => (view && reserves(view) ? view : undefined))
    const slot = this.#books.ledger.reserve(ip, is)
    this.#tell({ type: 'use', kind: 'Address', key: ip })
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
    const shown = this.#books.views.of('IPAddressPool').get(name)
    const made = this.#made.get(name)
    const after =
      made !== undefined && (shown === undefined || isMadeFrom(shown, made.madeFrom)) ? made : shown
    const before = this.#books.pools.get(name)
    this.#tell({ type: 'use', kind: 'IPAddressPool', key: name })
    const maker = made?.madeFrom ?? shown?.madeFrom ?? ''
    if (maker !== '') this.#tell({ type: 'use', kind: 'Tenant', key: maker })
    if (samePool(before, after)) this.#relabel(before, after)
    else this.#setPool(name, before, after)
  }

  /** Announcements select pools by labels; who holds what does not depend on them. */
  #relabel(before: Pool | undefined, after: Pool | undefined): void {
    if (before === undefined || after === undefined || isSame(before.labels, after.labels)) return
    this.#books.pools.set(after.name, after)
    this.#books.poolIndex.forget()
    this.#books.ledger.relabel(after)
  }

  #setPool(name: string, before: Pool | undefined, after: Pool | undefined): void {
    if (after === undefined) this.#books.pools.delete(name)
    else this.#books.pools.set(name, after)
    this.#books.poolIndex.forget()
    this.#reconsider(this.#books.ledger.setPool(name, after))
    this.#adoptShown()
    this.#wakes.waitersFor([before, after])
  }

  /** A status that we left alone, as another's, may lie in a pool now (R3.9). */
  #adoptShown(): void {
    for (const key of this.#books.waiting.keys()) {
      const service = this.services.get(key)
      if (service === undefined || this.#books.ledger.holding(key) !== undefined) continue
      if (!service.ingress.some((ip) => this.poolOf(ip) !== undefined)) continue
      this.#adopt(service)
      this.wake(key)
    }
  }

  #reconsider(slots: Iterable<Slot>): void {
    this.#wakes.concernedOn(slots)
    for (const { ip } of slots) this.#tell({ type: 'use', kind: 'Address', key: ip })
  }

  #tenantChanged(before: Tenant | undefined, after: Tenant | undefined): void {
    this.#books.belongings.forget()
    const name = after?.name ?? before?.name ?? ''
    const [was, is] = [before, after].map((tenant) =>
      tenant === undefined ? [] : poolsMadeFrom(tenant, this.ownNamespace),
    )
    for (const pool of was ?? []) this.#made.delete(pool.name)
    for (const pool of is ?? []) this.#made.set(pool.name, pool)
    for (const pool of new Set([...(was ?? []), ...(is ?? [])].map((one) => one.name))) {
      this.#refreshPool(pool)
    }
    const labelled = [...this.#books.pools.values()].filter((pool) => pool.tenant === name)
    this.#wakes.waitersFor(labelled)
    for (const pool of labelled) this.#reconsider(this.#books.ledger.slotsIn(pool.name))
  }

  #moveElsewhere(before: View | undefined, after: View | undefined): void {
    const was = new Set(before === undefined ? [] : elsewhereOf(before))
    const is = new Set(after === undefined ? [] : elsewhereOf(after))
    const view = after ?? before
    if (view === undefined) return
    for (const ip of is) {
      this.#books.ledger.useElsewhere(ip, objectOf(view), 'used')
      if (!was.has(ip)) this.#wakes.taken(ip)
    }
    for (const ip of was) {
      if (!is.has(ip)) this.#freed(this.#books.ledger.useElsewhere(ip, objectOf(view), 'unused'))
    }
  }
}

function newBooks(): Books {
  const views = new ViewStore()
  const pools = new Map<string, Pool>()
  const belongings = new Belongings(views.of('Tenant'), (name) =>
    labelsIn(views.of('Namespace'), name),
  )
  const claimsOf = (service: ServiceView) => views.claimsOf(service)
  return {
    views,
    pools,
    poolIndex: new PoolIndex(pools),
    belongings,
    ledger: new Ledger(),
    use: new TenantUse(),
    waiting: new Waiting(),
    inert: new Inert({ pools, services: views.of('Service'), claimsOf }),
  }
}

function heldWithout({ ledger, use }: Books, service: Key) {
  const holding = ledger.holding(service)
  return holding === undefined
    ? { ledger, use }
    : { ledger: ledger.without(service), use: use.without(holding) }
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
