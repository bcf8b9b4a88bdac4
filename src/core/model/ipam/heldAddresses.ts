// Who has which address on which wire? As recorded in Reservations, claimed in blocks, or decided
// and not written yet; an address is free once nobody says that it is not (R12.6).
import type { Ip } from '../../net/ip.ts'
import { type BlockHolder, blockName } from './addressBlock.ts'
import { GoneFirst } from './goneFirst.ts'
import { Holders } from './holders.ts'

export type Whose = {
  readonly wire: string
  readonly address: Ip
  /** namespace/name of the IPSet and of its Reservation. */
  readonly key: string
}

/** What is known of a holder; changed in place, so that every index has the same. */
type Known = Whose & {
  /** The name of the block that it is in. */
  readonly block: string
  /** As whoever said it last spelled it. */
  network: string
  isReserved: boolean
  isPending: boolean
  /** What its block says. */
  claim: BlockHolder | undefined
}
export type Held = Readonly<Known>

/** What policy may ask. */
export type ReadonlyHeldAddresses = Pick<
  HeldAddresses,
  'at' | 'each' | 'count' | 'of' | 'in' | 'isNamed' | 'on' | 'wires' | 'isBeyondKept'
>

/** Nobody is there who has it: it waits for a name to come back (R12.9). */
const isKept = ({ isReserved, isPending, claim }: Held): boolean =>
  !isReserved && !isPending && claim !== undefined && claim.gone !== ''

/** What is kept for a name does not keep hosts of other namespaces waiting (R12.14). */
export const yieldsTo = (held: Held, key: string): boolean =>
  isKept(held) && !key.startsWith(`${namespaceOf(held)}/`)

const namespaceOf = ({ key }: Pick<Held, 'key'>): string => key.slice(0, key.indexOf('/'))

/** Addresses that a namespace keeps for hosts that are gone. */
const mostKept = 16_384

/** The one that has been gone longest, then the lowest by its text. */
const goneText = ({ claim, address, key, wire }: Held): string =>
  `${claim?.gone} ${address} ${key} ${wire}`

export class HeldAddresses {
  readonly #wires = new Map<string, Map<Ip, Holders<Known>>>()
  readonly #byKey = new Map<string, Set<Held>>()
  readonly #byBlock = new Map<string, Set<Holders<Known>>>()
  /** By namespace, and by wire and namespace: what is claimed for those who are gone. */
  readonly #goneIn = new Map<string, GoneFirst<Held>>()
  readonly #goneOn = new Map<string, Map<string, GoneFirst<Held>>>()

  at(wire: string, ip: Ip): readonly Held[] {
    return [...this.each(wire, ip)]
  }

  /** For whoever need not hear of all. */
  each(wire: string, ip: Ip): Iterable<Held> {
    return this.#wires.get(wire)?.get(ip)?.values() ?? []
  }

  count(wire: string, ip: Ip): number {
    return this.#wires.get(wire)?.get(ip)?.size ?? 0
  }

  has(wire: string, ip: Ip): boolean {
    return this.#wires.get(wire)?.has(ip) === true
  }

  /** Claimed, and neither recorded in a Reservation nor about to be. */
  isUnfinished({ wire, address, key }: Whose): boolean {
    const held = this.#wires.get(wire)?.get(address)?.get(key)
    return held?.claim !== undefined && !held.isReserved && !held.isPending
  }

  isClaimed({ wire, address, key }: Whose): boolean {
    return this.#wires.get(wire)?.get(address)?.get(key)?.claim !== undefined
  }

  /** A Reservation may have its networks in lower case: what spells them otherwise stays. */
  spelled({ wire, address, key }: Whose, network: string): string {
    const known = this.#wires.get(wire)?.get(address)?.get(key)?.network ?? ''
    return known.toLowerCase() === network.toLowerCase() ? known : network
  }

  of(key: string): ReadonlySet<Held> {
    return this.#byKey.get(key) ?? none
  }

  /** Whom the block is to name: of thousands that have one address, the first few. */
  *in(block: string): Generator<Held, void> {
    for (const holders of this.#byBlock.get(block) ?? []) yield* holders.named()
  }

  isNamed({ wire, address, key }: Whose): boolean {
    const holders = this.#wires.get(wire)?.get(address)
    return holders !== undefined && [...holders.named()].some((one) => one.key === key)
  }

  /** For hosts of other namespaces, longest gone first. */
  *keptBeside(wire: string, namespace: string): Generator<Held, void> {
    const lines = [...(this.#goneOn.get(wire) ?? [])].filter(([other]) => other !== namespace)
    for (const one of GoneFirst.merged(lines.map(([, line]) => line))) if (isKept(one)) yield one
  }

  /** Those that are gone longest, of a namespace that keeps too many. */
  beyondKept(namespace: string): readonly Held[] {
    const all = this.#goneIn.get(namespace)
    return all?.first(all.size - mostKept) ?? []
  }

  /** Whether it is one of those. */
  isBeyondKept(held: Held): boolean {
    const all = this.#goneIn.get(namespaceOf(held))
    const before = all?.indexOf(held)
    return all !== undefined && before !== undefined && before < all.size - mostKept
  }

  on(wire: string): Iterable<Ip> {
    return this.#wires.get(wire)?.keys() ?? []
  }

  wires(): Iterable<string> {
    return this.#wires.keys()
  }

  set(whose: Whose, said: Partial<Held>): Held {
    const { wire, address, key } = whose
    const onWire = entry(this.#wires, wire, () => new Map<Ip, Holders<Known>>())
    const here = entry(onWire, address, () => new Holders<Known>())
    const held = Object.assign(here.get(key) ?? blankFor(whose), said)
    here.put(held)
    entry(this.#byKey, key, () => new Set<Held>()).add(held)
    entry(this.#byBlock, held.block, () => new Set<Holders<Known>>()).add(here)
    this.#note(held)
    return held
  }

  #note(held: Held): void {
    const { wire, claim } = held
    const namespace = namespaceOf(held)
    const isGone = claim !== undefined && claim.gone !== ''
    const onWire = entry(this.#goneOn, wire, () => new Map<string, GoneFirst<Held>>())
    for (const index of [this.#goneIn, onWire]) {
      const line = entry(index, namespace, () => new GoneFirst<Held>())
      if (isGone) line.note(held, goneText(held))
      else line.delete(held)
      if (line.size === 0) index.delete(namespace)
    }
    if (onWire.size === 0) this.#goneOn.delete(wire)
  }

  /** Answers whether the address is free after that. */
  unset({ wire, address, key }: Whose, said: Partial<Held>): boolean {
    const onWire = this.#wires.get(wire)
    const here = onWire?.get(address)
    const held = here?.get(key)
    if (onWire === undefined || here === undefined || held === undefined) return false
    this.#note(Object.assign(held, said))
    here.put(held)
    if (held.isReserved || held.isPending || held.claim !== undefined) return false
    here.delete(held)
    prune(this.#byKey, key, held)
    if (here.size > 0) return false
    prune(this.#byBlock, held.block, here)
    onWire.delete(address)
    if (onWire.size === 0) this.#wires.delete(wire)
    return true
  }
}

const none: ReadonlySet<Held> = new Set()

const blankFor = ({ wire, address, key }: Whose): Known => ({
  wire,
  address,
  key,
  block: blockName(wire, address),
  network: '',
  isReserved: false,
  isPending: false,
  claim: undefined,
})

function entry<K, V>(index: Map<K, V>, key: K, make: () => V): V {
  const known = index.get(key)
  if (known !== undefined) return known
  const made = make()
  index.set(key, made)
  return made
}

function prune<T>(index: Map<string, Set<T>>, key: string, one: T): void {
  const known = index.get(key)
  known?.delete(one)
  if (known?.size === 0) index.delete(key)
}
