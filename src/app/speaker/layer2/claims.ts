// For which addresses does this node answer, and where? Services may share an address: it is
// answered for while one of them is ours, on the interfaces of all of these.
import type { Key } from '../../../core/model/service.ts'
import type { Ip } from '../../../core/net/ip.ts'

type Claim = {
  readonly service: Key
  readonly addresses: readonly Ip[]
  /** In text order; empty for all that announce. */
  readonly interfaces: readonly string[]
}

export class Claims {
  /** Nearly always one. */
  readonly #byAddress = new Map<Ip, readonly Claim[]>()
  readonly #byService = new Map<Key, Claim>()

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

  /** In text order; empty for all, undefined where nothing is claimed. */
  interfacesOf(address: Ip): readonly string[] | undefined {
    const lists = this.#of(address).map(({ interfaces }) => interfaces)
    const [first] = lists
    if (first === undefined || lists.length === 1) return first
    if (lists.some(({ length }) => length === 0)) return []
    return [...new Set(lists.flat())].sort()
  }

  /** Answers the addresses for which something is different now. */
  set(claim: Claim): Ip[] {
    const { service, addresses } = claim
    const concerned = new Set([...this.addressesOf(service), ...addresses])
    const before = Array.from(concerned, (address) => this.interfacesOf(address)?.join())
    for (const address of this.addressesOf(service)) this.#remove(address, service)
    for (const address of addresses) this.#add(address, claim)
    if (addresses.length === 0) this.#byService.delete(service)
    else this.#byService.set(service, claim)
    return [...concerned].filter((address, at) => before[at] !== this.interfacesOf(address)?.join())
  }

  #of(address: Ip): readonly Claim[] {
    return this.#byAddress.get(address) ?? none
  }

  #add(address: Ip, claim: Claim): void {
    const others = this.#byAddress.get(address)
    this.#byAddress.set(address, others === undefined ? [claim] : [...others, claim])
  }

  #remove(address: Ip, service: Key): void {
    const left = this.#of(address).filter((claim) => claim.service !== service)
    if (left.length === 0) this.#byAddress.delete(address)
    else this.#byAddress.set(address, left)
  }
}

const none: readonly Claim[] = []
