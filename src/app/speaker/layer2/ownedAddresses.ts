// Which addresses does this node own, and on which interfaces? Services can share an address: this
// node owns it while it owns one of them, on the interfaces of all that it owns.
import type { Key } from '../../../core/model/service.ts'
import type { Ip } from '../../../core/net/ip.ts'

type ServiceAddresses = {
  readonly service: Key
  readonly addresses: readonly Ip[]
  /** Sorted; empty for all that announce. */
  readonly interfaces: readonly string[]
}

export class OwnedAddresses {
  /** Nearly always one Service per address. */
  readonly #byAddress = new Map<Ip, readonly ServiceAddresses[]>()
  readonly #byService = new Map<Key, ServiceAddresses>()

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
    return this.#byService.get(service)?.addresses ?? []
  }

  servicesOf(address: Ip): readonly Key[] {
    return this.#of(address)
      .map(({ service }) => service)
      .sort()
  }

  /** Sorted; empty for all, undefined if this node does not own the address. */
  interfacesOf(address: Ip): readonly string[] | undefined {
    const lists = this.#of(address).map(({ interfaces }) => interfaces)
    const [first] = lists
    if (first === undefined || lists.length === 1) return first
    if (lists.some(({ length }) => length === 0)) return []
    return [...new Set(lists.flat())].sort()
  }

  /** Returns the addresses whose ownership or interfaces changed. */
  set(owned: ServiceAddresses): Ip[] {
    const { service, addresses } = owned
    const concerned = new Set([...this.addressesOf(service), ...addresses])
    const before = Array.from(concerned, (address) => this.interfacesOf(address)?.join())
    for (const address of this.addressesOf(service)) this.#remove(address, service)
    for (const address of addresses) this.#add(address, owned)
    if (addresses.length === 0) this.#byService.delete(service)
    else this.#byService.set(service, owned)
    return [...concerned].filter((address, at) => before[at] !== this.interfacesOf(address)?.join())
  }

  #of(address: Ip): readonly ServiceAddresses[] {
    return this.#byAddress.get(address) ?? none
  }

  #add(address: Ip, owned: ServiceAddresses): void {
    const others = this.#byAddress.get(address)
    this.#byAddress.set(address, others === undefined ? [owned] : [...others, owned])
  }

  #remove(address: Ip, service: Key): void {
    const left = this.#of(address).filter((owned) => owned.service !== service)
    if (left.length === 0) this.#byAddress.delete(address)
    else this.#byAddress.set(address, left)
  }
}

const none: readonly ServiceAddresses[] = []
