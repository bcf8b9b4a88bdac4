// Who has which address on which wire? As recorded in Reservations, claimed in blocks, or decided
// and not written yet; an address is free once nobody says that it is not (R12.6).
import type { Ip } from '../../net/ip.ts'
import { type BlockHolder, blockName } from './addressBlock.ts'

export type Held = {
  readonly wire: string
  readonly address: Ip
  /** namespace/name of the IPSet and of its Reservation. */
  readonly key: string
  /** As whoever said it last spelled it. */
  network: string
  isReserved: boolean
  isPending: boolean
  /** What its block says. */
  claim: BlockHolder | undefined
}

export type Whose = Pick<Held, 'wire' | 'address' | 'key'>

export class HeldAddresses {
  readonly #wires = new Map<string, Map<Ip, Map<string, Held>>>()
  readonly #byKey = new Map<string, Set<Held>>()
  readonly #byBlock = new Map<string, Set<Held>>()

  at(wire: string, ip: Ip): readonly Held[] {
    return [...(this.#wires.get(wire)?.get(ip)?.values() ?? [])]
  }

  has(wire: string, ip: Ip): boolean {
    return this.#wires.get(wire)?.has(ip) === true
  }

  of(key: string): ReadonlySet<Held> {
    return this.#byKey.get(key) ?? none
  }

  in(block: string): ReadonlySet<Held> {
    return this.#byBlock.get(block) ?? none
  }

  on(wire: string): Iterable<Ip> {
    return this.#wires.get(wire)?.keys() ?? []
  }

  wires(): Iterable<string> {
    return this.#wires.keys()
  }

  set(whose: Whose, said: Partial<Held>): void {
    const { wire, address, key } = whose
    const onWire = entry(this.#wires, wire, () => new Map<Ip, Map<string, Held>>())
    const here = entry(onWire, address, () => new Map<string, Held>())
    const known = here.get(key)
    if (known !== undefined) Object.assign(known, said)
    else {
      const blank = { network: '', isReserved: false, isPending: false, claim: undefined }
      const held: Held = { ...blank, ...whose, ...said }
      here.set(key, held)
      entry(this.#byKey, key, () => new Set<Held>()).add(held)
      entry(this.#byBlock, blockName(wire, address), () => new Set<Held>()).add(held)
    }
  }

  /** Answers whether the address is free after that. */
  unset({ wire, address, key }: Whose, said: Partial<Held>): boolean {
    const onWire = this.#wires.get(wire)
    const here = onWire?.get(address)
    const held = here?.get(key)
    if (onWire === undefined || here === undefined || held === undefined) return false
    Object.assign(held, said)
    if (held.isReserved || held.isPending || held.claim !== undefined) return false
    here.delete(key)
    prune(this.#byKey, key, held)
    prune(this.#byBlock, blockName(wire, address), held)
    if (here.size > 0) return false
    onWire.delete(address)
    if (onWire.size === 0) this.#wires.delete(wire)
    return true
  }
}

const none: ReadonlySet<Held> = new Set()

function entry<K, V>(index: Map<K, V>, key: K, make: () => V): V {
  const known = index.get(key) ?? make()
  index.set(key, known)
  return known
}

function prune(index: Map<string, Set<Held>>, key: string, held: Held): void {
  const known = index.get(key)
  known?.delete(held)
  if (known?.size === 0) index.delete(key)
}
