// Where are the views, and by what else than their key are they found?
import { toBigInt } from '../net/ip.ts'
import { type AddressView, type Holder, keyOfHolder } from './address.ts'
import type { EndpointSliceView, Key, ServiceView } from './service.ts'
import { type Kind, keyOf, type View, type ViewOf } from './view.ts'

/** What an Address says of one of its holders. */
export type Claimed = { readonly address: AddressView; readonly holder: Holder }

export class ViewStore {
  readonly #shelves = new Map<Kind, Map<string, View>>()
  readonly #byNamespace = new Map<string, Set<Key>>()
  /** By Service: nearly all have one, which needs no list. */
  readonly #slices = new Map<Key, EndpointSliceView | readonly EndpointSliceView[]>()
  /** By the Service's key, whichever uid is named: nearly all have one Address of their own. */
  readonly #claims = new Map<Key, AddressView | readonly Claimed[]>()
  readonly #reserved = new Map<Key, Map<string, AddressView>>()

  of<K extends Kind>(kind: K): ReadonlyMap<string, ViewOf<K>> {
    return this.#shelf(kind) as Map<string, ViewOf<K>>
  }

  get(kind: Kind, key: string): View | undefined {
    return this.of(kind).get(key)
  }

  put(view: View): void {
    this.delete(view.kind, keyOf(view))
    this.#shelf(view.kind).set(keyOf(view), view)
    this.#index(view)
  }

  delete(kind: Kind, key: string): void {
    const before = this.get(kind, key)
    if (before === undefined) return
    this.#shelf(kind).delete(key)
    this.#unindex(before)
  }

  namespacesInUse(): IterableIterator<string> {
    return this.#byNamespace.keys()
  }

  servicesIn(namespace: string): ReadonlySet<Key> {
    return this.#byNamespace.get(namespace) ?? new Set()
  }

  slicesOf(service: Key): readonly EndpointSliceView[] {
    const known = this.#slices.get(service) ?? []
    return 'key' in known ? [known] : known
  }

  /** What Addresses say of this very Service, IPv4 first (R3.10, R3.12). */
  claimsOf({ key, uid }: Pick<ServiceView, 'key' | 'uid'>): readonly Claimed[] {
    const all = this.#claimsFor(key)
    if (all.length < 2 && all[0]?.holder.uid === uid) return all
    const found = all.filter(({ holder }) => holder.uid === uid)
    return found.sort((a, b) => (sortKey(a.address) < sortKey(b.address) ? -1 : 1))
  }

  reservationsFor(service: Key): AddressView[] {
    const found = [...(this.#reserved.get(service)?.values() ?? [])]
    return found.sort((a, b) => (toBigInt(a.address) < toBigInt(b.address) ? -1 : 1))
  }

  /** Made when it is first asked for, so that a new kind needs no line here. */
  #shelf(kind: Kind): Map<string, View> {
    const known = this.#shelves.get(kind)
    if (known !== undefined) return known
    const shelf = new Map<string, View>()
    this.#shelves.set(kind, shelf)
    return shelf
  }

  #index(view: View): void {
    if (view.kind === 'Service') entry(this.#byNamespace, view.namespace, newSet).add(view.key)
    if (view.kind === 'EndpointSlice') {
      const others = this.slicesOf(view.service)
      this.#slices.set(view.service, others.length === 0 ? view : [...others, view])
    }
    if (view.kind !== 'Address') return
    if (view.reservedFor !== undefined) {
      entry(this.#reserved, view.reservedFor, newMap<AddressView>).set(view.name, view)
    }
    const isItsOwn = view.holders.length === 1
    for (const holder of view.holders) {
      const key = this.of('Service').get(keyOfHolder(holder))?.key ?? keyOfHolder(holder)
      const others = this.#claimsFor(key)
      const isAlone = isItsOwn && others.length === 0
      this.#claims.set(key, isAlone ? view : [...others, { address: view, holder }])
    }
  }

  #claimsFor(key: Key): readonly Claimed[] {
    const known = this.#claims.get(key) ?? none
    if (!('kind' in known)) return known
    return known.holders.map((holder) => ({ address: known, holder }))
  }

  #unindex(view: View): void {
    if (view.kind === 'Service') prune(this.#byNamespace, view.namespace, view.key)
    if (view.kind === 'EndpointSlice') this.#forgetSlice(view)
    if (view.kind !== 'Address') return
    if (view.reservedFor !== undefined) prune(this.#reserved, view.reservedFor, view.name)
    for (const holder of view.holders) this.#forgetClaims(keyOfHolder(holder), view)
  }

  #forgetSlice({ service, key }: EndpointSliceView): void {
    const [first, ...more] = this.slicesOf(service).filter((slice) => slice.key !== key)
    if (first === undefined) this.#slices.delete(service)
    else this.#slices.set(service, more.length === 0 ? first : [first, ...more])
  }

  #forgetClaims(key: Key, view: AddressView): void {
    const rest = this.#claimsFor(key).filter(({ address }) => address.name !== view.name)
    if (rest.length === 0) this.#claims.delete(key)
    else this.#claims.set(key, rest)
  }
}

const none: readonly Claimed[] = []
const newSet = () => new Set<Key>()
const newMap = <T>() => new Map<string, T>()
const sortKey = ({ address }: AddressView): string =>
  `${address.includes(':') ? 'IPv6' : 'IPv4'} ${address}`

function entry<T>(index: Map<string, T>, key: string, make: () => T): T {
  const known = index.get(key) ?? make()
  index.set(key, known)
  return known
}

function prune<T extends { delete(key: string): boolean; readonly size: number }>(
  index: Map<string, T>,
  key: string,
  member: string,
): void {
  const known = index.get(key)
  known?.delete(member)
  if (known?.size === 0) index.delete(key)
}

export const asKind = <K extends Kind>(kind: K, view: View | undefined): ViewOf<K> | undefined =>
  view?.kind === kind ? (view as ViewOf<K>) : undefined
