// For which addresses does this node answer, and where? Services may share an address: it is
// answered for while one of them is ours, on the interfaces of all of these.
import type { Key } from '../../core/model/service.ts'
import type { Ip } from '../../core/net/ip.ts'

export type Claim = {
  readonly service: Key
  readonly addresses: readonly Ip[]
  /** In text order; empty for all that announce. */
  readonly interfaces: readonly string[]
}

export class Claims {
  readonly #byAddress = new Map<Ip, Map<Key, readonly string[]>>()
  readonly #byService = new Map<Key, readonly Ip[]>()

  get addresses(): Iterable<Ip> {
    return this.#byAddress.keys()
  }

  get services(): Iterable<Key> {
    return this.#byService.keys()
  }

  has(address: Ip): boolean {
    return this.#byAddress.has(address)
  }

  addressesOf(service: Key): readonly Ip[] {
    return this.#byService.get(service) ?? []
  }

  servicesOf(address: Ip): readonly Key[] {
    return [...(this.#byAddress.get(address)?.keys() ?? [])].sort()
  }

  /** In text order; empty for all, undefined where nothing is claimed. */
  interfacesOf(address: Ip): readonly string[] | undefined {
    const lists = [...(this.#byAddress.get(address)?.values() ?? [])]
    const [first] = lists
    if (first === undefined || lists.length === 1) return first
    if (lists.some(({ length }) => length === 0)) return []
    return [...new Set(lists.flat())].sort()
  }

  /** Answers the addresses for which something is different now. */
  set({ service, addresses, interfaces }: Claim): Ip[] {
    const concerned = new Set([...this.addressesOf(service), ...addresses])
    const before = Array.from(concerned, (address) => this.interfacesOf(address)?.join())
    for (const address of this.addressesOf(service)) this.#remove(address, service)
    for (const address of addresses) this.#add(address, service, interfaces)
    if (addresses.length === 0) this.#byService.delete(service)
    else this.#byService.set(service, addresses)
    return [...concerned].filter((address, at) => before[at] !== this.interfacesOf(address)?.join())
  }

  #add(address: Ip, service: Key, interfaces: readonly string[]): void {
    const claims = this.#byAddress.get(address)
    if (claims === undefined) this.#byAddress.set(address, new Map([[service, interfaces]]))
    else claims.set(service, interfaces)
  }

  #remove(address: Ip, service: Key): void {
    const claims = this.#byAddress.get(address)
    claims?.delete(service)
    if (claims?.size === 0) this.#byAddress.delete(address)
  }
}
