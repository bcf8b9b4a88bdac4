// At which position of its pool does an address stand? Ranges in the order of the pool, ascending
// inside each; addresses that avoidBuggyIPs leaves out have no position, by arithmetic (M1.1).
import { type Family, fromBigInt, type Ip, toBigInt } from '../net/ip.ts'
import type { Range } from '../net/range.ts'

type Segment = { readonly range: Range; readonly start: bigint; readonly size: bigint }

/** Past this the position is not tracked: nobody fills a pool up to there. */
export const farAway = 2 ** 50

export class Space {
  readonly size: bigint
  readonly family: Family
  readonly #avoids: boolean
  readonly #inOrder: readonly Segment[]
  readonly #byFirst: readonly Segment[]

  constructor(family: Family, ranges: readonly Range[], avoidBuggyIPs: boolean) {
    this.family = family
    this.#avoids = avoidBuggyIPs && family === 'IPv4'
    let start = 0n
    this.#inOrder = ranges
      .filter((range) => range.family === family)
      .map((range) => {
        const size = this.#usableBelow(range.last + 1n) - this.#usableBelow(range.first)
        start += size
        return { range, start: start - size, size }
      })
    this.size = start
    this.#byFirst = [...this.#inOrder].sort((a, b) => (a.range.first < b.range.first ? -1 : 1))
  }

  /** undefined: not one of the pool's addresses. */
  positionOf(ip: Ip): number | undefined {
    const value = toBigInt(ip)
    const segment = lastUpTo(this.#byFirst, ({ range }) => range.first <= value)
    if (segment === undefined || value > segment.range.last || this.#isAvoided(value)) {
      return undefined
    }
    const { start, range } = segment
    return Number(start + this.#usableBelow(value) - this.#usableBelow(range.first))
  }

  addressAt(position: number): Ip {
    const wanted = BigInt(position)
    const segment = lastUpTo(this.#inOrder, ({ start }) => start <= wanted)
    if (segment === undefined) return fromBigInt(this.family, 0n)
    const offset = wanted - segment.start
    return fromBigInt(this.family, this.#usable(this.#usableBelow(segment.range.first) + offset))
  }

  /** Where the next one stands that lies past the address, or in another of the ranges. */
  positionPast(position: number, ip: Ip): number {
    const wanted = BigInt(position)
    const segment = lastUpTo(this.#inOrder, ({ start }) => start <= wanted)
    if (segment === undefined) return position + 1
    const { range, start, size } = segment
    const value = toBigInt(ip)
    if (value >= range.last) return Number(start + size)
    return Number(start + this.#usableBelow(value + 1n) - this.#usableBelow(range.first))
  }

  #isAvoided(value: bigint): boolean {
    const last = value & 255n
    return this.#avoids && (last === 0n || last === 255n)
  }

  /** How many usable addresses lie below the value: 254 of each 256 when the edges are avoided. */
  #usableBelow(value: bigint): bigint {
    if (!this.#avoids) return value
    const rest = value & 255n
    return (value >> 8n) * 254n + (rest === 0n ? 0n : rest - 1n)
  }

  #usable(index: bigint): bigint {
    return this.#avoids ? (index / 254n) * 256n + (index % 254n) + 1n : index
  }
}

/** How many items the claim holds for, in a list where it holds for a first part only. */
export function countUpTo<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && holds(item)) low = middle + 1
    else high = middle
  }
  return low
}

/** The last item of that first part. */
export const lastUpTo = <T>(items: readonly T[], holds: (item: T) => boolean): T | undefined =>
  items[countUpTo(items, holds) - 1]
