// What is known? Every view, and beside them the indexes that decisions need, kept up to date by
// `apply`, the only way to change anything. A change also queues whom it concerns.
import type { Ip } from '../net/ip.ts'
import { type AddressView, type Holder, keyOfHolder, reserves } from './address.ts'
import { type Books, heldWithout, newBooks } from './books.ts'
import type { Changed } from './changed.ts'
import type { InertObject } from './inert.ts'
import type { NodeChange } from './ipam/nodeLedger.ts'
import { type Holding, isSameHolding } from './ledger.ts'
import { MadePools } from './madePools.ts'
import { membersOf } from './members.ts'
import { isDone, type Observed, observed } from './observed.ts'
import type { RefusedWrite } from './obstacles.ts'
import type { Pool } from './pool.ts'
import { samePool } from './poolSense.ts'
import { isSame, saysNothingNew } from './sameView.ts'
import type { Key, ServiceView } from './service.ts'
import { ServiceQueue } from './serviceQueue.ts'
import { withSharedTexts } from './sharedTexts.ts'
import { groupOf, type Slot } from './slot.ts'
import type { Tenant } from './tenant.ts'
import { type Kind, keyOf, type View } from './view.ts'
import { asKind } from './viewStore.ts'
import type { Wait } from './waiting.ts'
import { Wakes } from './wakes.ts'
import { WorldReader } from './worldReader.ts'
import type { Ref } from './write.ts'

/** A decision that counts from now on, before its writes are done. */
export type Intent = {
  readonly service: Key
  readonly ips: readonly Ip[]
  readonly wait: Wait | undefined
  /** Something of it is new and was not asked for: another address would do as well (R2.4). */
  readonly isPicked?: boolean
}
/** With the version of the Service from which it was decided. */
export type Pending = Holding & { readonly version: string }

type Change =
  | { readonly type: 'upsert'; readonly view: View }
  | { readonly type: 'delete'; readonly kind: Kind; readonly key: string }
  /** It is no longer there, and nobody was seen to delete it (R3.14). */
  | { readonly type: 'lose'; readonly kind: Kind; readonly key: string }
  | { readonly type: 'intent'; readonly intent: Intent }
  /** The Service's decision counts no longer: its writes are done, or were refused. */
  | { readonly type: 'drop'; readonly service: Key }
  /** Whether what nobody recorded counts by itself (R3.15). */
  | { readonly type: 'adoption'; readonly isOver: boolean }
  /** It is there, cannot be used, and no version of it is known: until it is put or deleted. */
  | ({ readonly type: 'inert' } & InertObject)
  /** Whether the API serves the kind at all. */
  | { readonly type: 'served'; readonly kind: Kind; readonly isServed: boolean }
  /** The API refused to write what we want, or took it. */
  | ({ readonly type: 'refused' } & RefusedWrite)
  | { readonly type: 'written'; readonly of: Ref }
  | NodeChange

export type Settings = { readonly ownNamespace: string; readonly loadBalancerClass: string }
export type ReadonlyWorld = WorldReader

export class World extends WorldReader {
  readonly queue = new ServiceQueue()
  /** IPSets that have to be decided. */
  readonly nodeQueue: ServiceQueue
  readonly #listeners: ((changed: Changed) => void)[] = []
  readonly #made: MadePools
  readonly #books: Books
  readonly #wakes: Wakes

  constructor(settings: Settings) {
    const touched = (key: string) => this.#tell({ type: 'use', kind: 'AddressBlock', key })
    const tenantOf = (service: ServiceView) => this.tenantOf(service)
    const books = newBooks({ touched, tenantOf })
    const { ledger, waiting, pinned } = books
    super({ ...settings, ...books, without: (key) => heldWithout(books, key) })
    this.#books = books
    this.#made = new MadePools(settings.ownNamespace)
    this.nodeQueue = books.nodes.queue
    const { services, queue } = this
    this.#wakes = new Wakes({ services, ledger, waiting, pinned, queue, tenantOf })
  }

  /** Called for every change from now on, in the middle of it. */
  listen(listener: (changed: Changed) => void): void {
    this.#listeners.push(listener)
  }

  #tell(changed: Changed): void {
    if (changed.type === 'use' && changed.kind === 'Address') this.#books.nodes.turned(changed.key)
    for (const listener of this.#listeners) listener(changed)
  }

  apply(change: Change): void {
    if (change.type === 'intent') this.#enter(change.intent)
    else if (change.type === 'drop') this.#drop(change.service)
    else if (change.type === 'inert') this.#books.inert.add(change)
    else if (change.type === 'adoption') this.#adopt(change.isOver)
    else if (change.type === 'served') this.#serve(change.kind, change.isServed)
    else if (change.type === 'refused' || change.type === 'written') this.#noteWrite(change)
    else if (change.type === 'delete') this.#delete(change.kind, change.key)
    else if (change.type === 'node') this.#books.nodes.change(change)
    else if (change.type === 'lose') this.#put(change.kind, change.key, undefined)
    else this.#put(change.view.kind, keyOf(change.view), withSharedTexts(this, change.view))
  }

  #serve(kind: Kind, isServed: boolean): void {
    if (this.#books.obstacles.serve(kind, isServed)) this.#tell({ type: 'served', kind, key: '' })
  }

  #noteWrite(change: ({ type: 'refused' } & RefusedWrite) | { type: 'written'; of: Ref }): void {
    const { obstacles } = this.#books
    const refused = change.type === 'refused' && obstacles.refuse(change) ? [change.maker] : []
    const makers = change.type === 'refused' ? refused : obstacles.accept(change.of)
    for (const maker of makers) {
      const [kind = '', key = ''] = maker.split('/')
      this.#tell({ type: 'refusal', kind, key })
    }
  }

  #delete(kind: Kind, key: string): void {
    const before = this.#books.views.get(kind, key)
    this.#put(kind, key, undefined)
    this.#books.lost.saw(kind, key, before)
  }

  #put(kind: Kind, key: string, after: View | undefined): void {
    for (const service of this.#books.inert.end(kind, key)) this.wake(service)
    const before = this.#books.views.get(kind, key)
    this.#replace(before, after)
    this.#tell({ type: 'object', kind, key, before, after })
  }

  #replace(before: View | undefined, after: View | undefined): void {
    if (saysNothingNew(before, after)) return
    const affected = membersOf(this.#books.views, (name) => this.labelsOf(name), [before, after])
    if (after !== undefined) this.#books.views.put(after)
    else if (before !== undefined) this.#books.views.delete(before.kind, keyOf(before))
    this.#react(before, after)
    this.#books.nodes.follow(before, after)
    for (const service of affected) {
      this.#changeSides(service)
      this.wake(service)
    }
    this.#moveElsewhere(before, after)
  }

  #adopt(isOver: boolean): void {
    const { given } = this.#books
    if (given.isAdopted === isOver) return
    given.isAdopted = isOver
    for (const key of this.services.keys()) if (this.#count(key)) this.wake(key)
  }

  #enter({ service: key, ips, wait }: Intent): void {
    const service = this.services.get(key)
    if (service === undefined) return
    const decided = { ips, claim: this.claimOf(service), version: service.resourceVersion }
    this.#books.pending.set(key, decided)
    this.#count(key)
    if (this.pendingOf(key) !== undefined) {
      for (const ip of ips) this.#tell({ type: 'use', kind: 'Address', key: ip })
    }
    if (wait === undefined) this.#leave(key)
    else this.#wakeNext(this.#books.waiting.enter(this.#waiterOf(service), wait))
  }

  /** Whether others come first: then it is decided again after them, and keeps what it has. */
  putsOff({ service, isPicked = false }: Intent): boolean {
    return isPicked && this.#wakes.putsOff(service)
  }

  #drop(key: Key): void {
    if (this.#books.pending.delete(key) && this.#count(key)) this.wake(key)
  }

  #leave(key: Key): void {
    this.#wakeNext(this.#books.waiting.leave(key))
  }

  #wakeNext(next: Key | undefined): void {
    if (next !== undefined) this.wake(next)
  }

  /** Enters what counts of the Service now; answers whether that is something else than before. */
  #count(key: Key): boolean {
    const isChanged = this.#hold(key)
    const service = this.services.get(key)
    const isWanting = service && this.isOurs(service) && this.holdingOf(key) === undefined
    this.#books.pinned.follow(key, isWanting ? service : undefined)
    return isChanged
  }

  #hold(key: Key): boolean {
    const { ledger, pending, use } = this.#books
    const [decided, seen] = [pending.get(key), this.#observe(key)]
    if (decided !== undefined && isDone(decided, seen)) pending.delete(key)
    const after = pending.get(key) ?? seen
    const before = ledger.holding(key)
    const isHeld = after !== undefined && after.ips.length > 0
    if (isHeld ? before && isSameHolding(before, after) : before === undefined) return false
    if (before !== undefined) use.leave(before)
    const freed = isHeld ? ledger.hold(key, after.ips, after.claim) : ledger.release(key)
    this.#account(key, before, freed)
    return true
  }

  /** What the status shows and we gave or adopt, or an Address says, is held (R3.9, R3.15). */
  #observe(key: Key): Observed | undefined {
    const { views, foreign } = this.#books
    const service = this.services.get(key)
    foreign.delete(key)
    if (service === undefined || !this.isOurs(service)) return undefined
    const isOurs = this.showsOurs(service)
    // If one was not given, what Addresses say counts (R3.15).
    const isGiven = isOurs && service.ingress.every((ip) => this.isGiven(ip, service))
    if (service.ingress.length > 0 && !isGiven) foreign.add(key)
    const shown = isGiven ? service.ingress : []
    return observed(this.claimOf(service), shown, views.claimsOf(service))
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
    for (const { tenant = '' } of [before?.claim ?? {}, after?.claim ?? {}]) {
      if (tenant !== '') this.#tell({ type: 'use', kind: 'Tenant', key: tenant })
    }
    for (const slot of freed) this.#freed(slot)
    for (const ip of after?.ips ?? []) this.#wakes.taken(ip, key)
    if (before === undefined || before.claim.tenant === '') return
    const { tenant } = before.claim
    if (before.ips.every((ip) => this.#books.use.holds(tenant, ip))) return
    for (const waiter of this.#books.waiting.onQuota(tenant)) this.wake(waiter)
  }

  #freed(slot: Slot): void {
    this.#wakes.freed(slot)
    this.#tell({ type: 'use', kind: 'Address', key: slot.ip })
  }

  /** It will be decided again, in the order of the queue. */
  wake(key: Key): void {
    this.#wakes.wake(key)
  }

  #react(before: View | undefined, after: View | undefined): void {
    const kind = (after ?? before)?.kind
    if (kind === 'Service') this.#serviceChanged(asKind(kind, before), asKind(kind, after))
    if (kind === 'IPAddressPool') this.#refreshPool(keyOfEither(before, after))
    if (kind === 'Address') this.#addressChanged(asKind(kind, before), asKind(kind, after))
    if (kind === 'Tenant') this.#tenantChanged(asKind(kind, before), asKind(kind, after))
    if (kind === 'Site') {
      this.#makerChanged({ before: asKind(kind, before), after: asKind(kind, after) })
    }
    if (kind === 'Namespace') this.#books.belongings.forget()
    if (kind === 'ReleasedPool') this.#wakeHolders(keyOfEither(before, after))
  }

  #serviceChanged(before: ServiceView | undefined, after: ServiceView | undefined): void {
    const key = keyOfEither(before, after)
    if (before !== undefined && before.uid !== after?.uid) {
      this.#books.pending.delete(key)
      this.#leave(key)
    }
    if (before !== undefined) this.#books.given.follow(key, before, after)
    this.#count(key)
    this.wake(key)
  }

  /** Counted for its new tenant at once, so that the next decision meets the right quota (R4.9). */
  #changeSides(key: Key): void {
    const [service, decided] = [this.services.get(key), this.pendingOf(key)]
    if (service !== undefined && decided !== undefined) {
      const { tenant } = this.claimOf(service)
      this.#books.pending.set(key, { ...decided, claim: { ...decided.claim, tenant } })
    }
    this.#count(key)
  }

  #addressChanged(before: AddressView | undefined, after: AddressView | undefined): void {
    const ip = after?.address ?? before?.address
    if (ip === undefined) return
    this.#books.lost.record(before, after)
    const [was, is] = [before, after].map((view) => (view && reserves(view) ? view : undefined))
    const slot = this.#books.ledger.reserve(ip, is)
    this.#tell({ type: 'use', kind: 'Address', key: ip })
    if ((was === undefined) !== (is === undefined) || was?.reservedFor !== is?.reservedFor) {
      this.#freed(slot)
      if (is !== undefined) this.#wakes.taken(ip)
      if (was?.reservedFor !== undefined) this.wake(was.reservedFor)
    }
    this.#recordChanged(ip, before?.holders ?? [], after?.holders ?? [])
  }

  /** A Service that is no longer named is recorded again, or loses the address. */
  #recordChanged(ip: Ip, before: readonly Holder[], after: readonly Holder[]): void {
    for (const holder of after) if (this.#count(keyOfHolder(holder))) this.wake(keyOfHolder(holder))
    for (const holder of before) {
      if (after.some(({ uid }) => uid === holder.uid)) continue
      this.#books.given.lose(this.services.get(keyOfHolder(holder)), holder, ip)
      this.#count(keyOfHolder(holder))
      this.wake(keyOfHolder(holder))
    }
  }

  #refreshPool(name: string): void {
    const seen = this.#books.views.of('IPAddressPool').get(name)
    const after = this.#made.asUsed(name, seen)
    const before = this.#books.pools.get(name)
    this.#tell({ type: 'use', kind: 'IPAddressPool', key: name })
    const maker = this.#made.makerOf(name, seen)
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
    const touched = this.#books.ledger.setPool(name, after)
    // A status that we left alone, as another's, may lie in a pool now, or in none any more (R3.9).
    const shown = [...this.#books.foreign, ...touched.flatMap(({ holders }) => holders.keys())]
    for (const key of shown) if (this.#count(key) || this.#showsOf(key, name)) this.wake(key)
    if (after !== undefined) this.#books.lost.back(name)
    if (before === undefined || after === undefined) this.#wakeHolders(name)
    this.#reconsider(touched)
    this.#wakes.waitersFor([before, after])
  }

  /** What nobody recorded does not count, and may be had all the same (R3.15). */
  #showsOf(key: Key, pool: string): boolean {
    const { ingress = [] } = this.services.get(key) ?? {}
    return this.#books.given.isAdopted && ingress.some((ip) => this.poolOf(ip)?.name === pool)
  }

  /** Whoever is recorded for what the pool gave, in its ranges or not. */
  #wakeHolders(pool: string): void {
    const holders = this.#books.lost.recordsOf(pool).flatMap((record) => record.holders)
    for (const holder of holders) this.wake(keyOfHolder(holder))
  }

  #reconsider(slots: Iterable<Slot>): void {
    this.#wakes.concernedOn(slots)
    for (const { ip } of slots) this.#tell({ type: 'use', kind: 'Address', key: ip })
  }

  #makerChanged(change: Parameters<MadePools['change']>[0]): void {
    const shown = this.#books.views.of('IPAddressPool').values()
    for (const name of this.#made.change(change, shown)) this.#refreshPool(name)
  }

  #tenantChanged(before: Tenant | undefined, after: Tenant | undefined): void {
    this.#books.belongings.forget()
    const name = after?.name ?? before?.name ?? ''
    this.#makerChanged({ before, after })
    const labelled = [...this.#books.pools.values()].filter((pool) => pool.tenant === name)
    this.#wakes.waitersFor(labelled)
    for (const pool of labelled) this.#reconsider(this.#books.ledger.slotsIn(pool.name))
  }

  #moveElsewhere(before: View | undefined, after: View | undefined): void {
    for (const user of this.#books.elsewhere.movedBy(before, after)) {
      for (const ip of user.is) {
        this.#books.ledger.useElsewhere(ip, user, 'used')
        if (!user.was.has(ip)) this.#wakes.taken(ip)
      }
      for (const ip of user.was) {
        if (!user.is.has(ip)) this.#freed(this.#books.ledger.useElsewhere(ip, user, 'unused'))
      }
    }
  }
}

const keyOfEither = (before: View | undefined, after: View | undefined): string => {
  const view = after ?? before
  return view === undefined ? '' : keyOf(view)
}
