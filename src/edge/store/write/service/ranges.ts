// From which ranges are cluster IPs and node ports allocated? One network for each family, and one
// port range.
import {
  type Family,
  familyOf,
  fromBigInt,
  type Ip,
  parseIp,
  toBigInt,
} from '../../../../core/net/ip.ts'
import { parsePrefix, rangeOf } from '../../../../core/net/range.ts'

export type ServiceRanges = {
  /** The default family first; at most one of each. */
  readonly clusterIps: readonly string[]
  readonly firstPort: number
  readonly lastPort: number
}

export const usualRanges: ServiceRanges = {
  clusterIps: ['10.96.0.0/12', 'fd00:10:96::/112'],
  firstPort: 30_000,
  lastPort: 32_767,
}

/** Next-fit, so that a released value is not reused at once. */
export class Numbers {
  readonly #first: bigint
  readonly #count: bigint
  #next: bigint

  constructor(first: bigint, last: bigint, start: number) {
    this.#first = first
    this.#count = last - first + 1n
    this.#next = BigInt(Math.floor(start * Number(this.#count))) % this.#count
  }

  get size(): number {
    return Number(this.#count)
  }

  has(number: bigint): boolean {
    return number >= this.#first && number < this.#first + this.#count
  }

  /** Undefined if all are taken. */
  free(isTaken: (number: bigint) => boolean): bigint | undefined {
    for (let tried = 0n; tried < this.#count; tried++) {
      const number = this.#first + this.#next
      this.#next = (this.#next + 1n) % this.#count
      if (!isTaken(number)) return number
    }
    return undefined
  }
}

export type Network = {
  readonly family: Family
  readonly has: (ip: Ip) => boolean
  readonly free: (isTaken: (ip: Ip) => boolean) => Ip | undefined
  /** The address of the API. */
  readonly first: Ip
}

/** Without the network address and, in IPv4, the broadcast address. */
export function networkOf(text: string, start: number): Network {
  const prefix = parsePrefix(text)
  if (!prefix.ok) throw new Error(`cluster IPs: ${prefix.why}`)
  const { family, first, last } = rangeOf(prefix.value)
  const numbers = new Numbers(first + 1n, family === 'IPv4' ? last - 1n : last, start)
  return {
    family,
    has: (ip) => familyOf(ip) === family && numbers.has(toBigInt(ip)),
    free(isTaken) {
      const found = numbers.free((number) => isTaken(fromBigInt(family, number)))
      return found === undefined ? undefined : fromBigInt(family, found)
    },
    first: fromBigInt(family, first + 1n),
  }
}

export function ipOf(text: string): Ip | undefined {
  const parsed = parseIp(text)
  return parsed.ok ? parsed.value : undefined
}
