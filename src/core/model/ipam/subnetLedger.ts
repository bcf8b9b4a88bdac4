// What is free in the allocation ranges of a subnet? Ranges in their order, each from the bottom;
// what is never given has no turn (R12.3). What is held is noted where a search comes across it:
// a namespace can have thousands of subnets and of addresses, and not every pair is looked at.
import { contains, covers } from '../../net/intervals.ts'
import { bitsOf, type Family, familyOf, fromBigInt, type Ip, toBigInt } from '../../net/ip.ts'
import { type Range, rangeOf } from '../../net/range.ts'
import { Taken } from '../bits.ts'
import { farAway, Space } from '../space.ts'
import type { NodeSubnet } from './nodePlan.ts'

/** What policy may ask. */
export type ReadonlySubnetLedger = Pick<
  SubnetLedger,
  'wire' | 'size' | 'held' | 'isFull' | 'free' | 'has'
>

/** Holders of addresses on the wire are known elsewhere; hosts that met one have to be woken. */
type OnWire = {
  readonly wire: string
  readonly isHeld: (ip: Ip) => boolean
  readonly noted: (ip: Ip) => void
  /** The end of the range of another tenant that it lies in: there can be billions of them. */
  readonly lastOfAnothers: (ip: Ip) => Ip | undefined
}

export class SubnetLedger {
  readonly wire: string
  readonly size: bigint
  readonly #onWire: OnWire
  readonly #space: Space
  readonly #taken: Taken
  readonly #capacity: number
  /** Those that a search came across. */
  readonly #held = new Map<Ip, number>()

  constructor(subnet: NodeSubnet, onWire: OnWire, skipsAsUpstream: boolean) {
    const family = subnet.cidr?.family ?? subnet.ranges[0]?.family ?? 'IPv4'
    this.wire = onWire.wire
    this.#onWire = onWire
    this.#space = new Space(family, within(subnet), false)
    this.size = this.#space.size
    this.#capacity = Math.min(Number(this.size), farAway)
    this.#taken = new Taken(this.#capacity)
    for (const ip of skipsAsUpstream ? [] : special(subnet)) this.#mark(ip)
  }

  /** As far as somebody has searched: all of them once it is full. */
  get held(): number {
    return this.#held.size
  }

  get noted(): Iterable<Ip> {
    return this.#held.keys()
  }

  get isFull(): boolean {
    return this.free().next().done === true
  }

  /** Whether it lies in the ranges. */
  has(ip: Ip): boolean {
    return this.#positionOf(ip) !== undefined
  }

  /** Answers whether it was noted, and can be given again. */
  release(ip: Ip): boolean {
    const position = this.#held.get(ip)
    if (position === undefined) return false
    this.#held.delete(ip)
    this.#taken.delete(position)
    return true
  }

  /** Lowest first. Upstream passes over addresses that end in zero, and so do we. */
  *free(): Generator<Ip, void> {
    let at = this.#taken.lowestFree()
    while (at < this.#capacity) {
      const ip = this.#space.addressAt(at)
      const last = this.#onWire.lastOfAnothers(ip)
      if (last === undefined) {
        // Noted, so that nobody comes across it again.
        if (endsInZero(ip)) this.#taken.add(at)
        else if (this.#onWire.isHeld(ip)) this.#note(ip, at)
        else yield ip
      }
      const next = last === undefined ? at + 1 : this.#space.positionPast(at, last)
      at = this.#taken.freeFrom(next)
    }
  }

  #note(ip: Ip, at: number): void {
    this.#taken.add(at)
    this.#held.set(ip, at)
    this.#onWire.noted(ip)
  }

  #mark(ip: Ip): void {
    const position = this.#positionOf(ip)
    if (position !== undefined) this.#taken.add(position)
  }

  #positionOf(ip: Ip): number | undefined {
    if (familyOf(ip) !== this.#space.family) return undefined
    const position = this.#space.positionOf(ip)
    return position === undefined || position >= this.#capacity ? undefined : position
  }
}

/** Only what lies in the subnet can be used on its wire. */
function within({ cidr, ranges }: NodeSubnet): readonly Range[] {
  if (cidr === undefined) return []
  const whole = rangeOf(cidr)
  return ranges.filter((range) => covers(whole, range))
}

/** The ends of the real prefix, the gateway and the next hops. */
export function special({ cidr, gateway, nextHops }: NodeSubnet): readonly Ip[] {
  const hops = gateway === undefined ? nextHops : [gateway, ...nextHops]
  return cidr === undefined
    ? hops
    : [...endsOf(rangeOf(cidr), bitsOf(cidr.family) - cidr.length), ...hops]
}

/** IPv6 has no broadcast address, and networks of one or two addresses have neither (RFC 3021). */
function endsOf({ family, first, last }: Range, hostBits: number): readonly Ip[] {
  if (hostBits < 2) return []
  return (family === 'IPv4' ? [first, last] : [first]).map((value) => fromBigInt(family, value))
}

const zeroBits: Readonly<Record<Family, bigint>> = { IPv4: 0xffn, IPv6: 0xffffn }

const endsInZero = (ip: Ip): boolean => (toBigInt(ip) & zeroBits[familyOf(ip)]) === 0n

export const liesIn = ({ cidr }: NodeSubnet, ip: Ip): boolean =>
  cidr !== undefined && contains(rangeOf(cidr), ip)
