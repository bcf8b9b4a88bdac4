// Which node announces an address by layer 2? MetalLB's formula (M5.3), so that both agree.
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Ip } from '../../net/ip.ts'

type Contest = {
  /** The first ingress address, as written. */
  readonly ip: Ip
  readonly nodes: Iterable<string>
  readonly scoreOf: (node: string) => number
  /** Kept by who asks often. */
  readonly starts?: ElectionStarts | undefined
}

type RankedNode = { readonly node: string; readonly score: number; readonly start: number }

/** The first one announces; each of the others would, were those before it gone. */
export function electionOrder(contest: Contest): string[] {
  const { ip, nodes, scoreOf, starts = new ElectionStarts() } = contest
  const standings = Array.from(nodes, (node) => ({
    node,
    score: scoreOf(node),
    start: starts.of(node, ip),
  }))
  const compare = (one: RankedNode, other: RankedNode): number =>
    other.score - one.score ||
    one.start - other.start ||
    compareBytes(digestOf(one.node, ip), digestOf(other.node, ip))
  return standings.sort(compare).map(({ node }) => node)
}

const digestOf = (node: string, ip: Ip): Uint8Array => sha256(utf8ToBytes(`${node}#${ip}`))

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  for (const [at, byte] of one.entries()) {
    const difference = byte - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** As many bytes of a digest as a number holds exactly: they tell nearly all apart. */
const startBytes = 6
/**
 * 32 MB, half as much again while lists grow: 10,000 addresses on 400 nodes. What does not fit is
 * computed again.
 */
const mostKept = 4_194_304

/**
 * What a digest begins with never changes, and every speaker needs it for every address and node
 * whenever somebody comes or goes: a list of numbers for each node, with a place for each address.
 */
export class ElectionStarts {
  readonly #columns = new Map<string, number[]>()
  readonly #places = new Map<Ip, number>()

  of(node: string, ip: Ip): number {
    if (this.#places.size * this.#columns.size > mostKept) this.#forget()
    const [column, place] = [this.#columnOf(node), this.#placeOf(ip)]
    // Without holes: V8 keeps such lists as plain numbers.
    while (column.length <= place) column.push(Number.NaN)
    const known = column[place] ?? Number.NaN
    if (!Number.isNaN(known)) return known
    const start = digestOf(node, ip)
      .subarray(0, startBytes)
      .reduce((value, byte) => value * 256 + byte, 0)
    column[place] = start
    return start
  }

  #columnOf(node: string): number[] {
    const known = this.#columns.get(node)
    if (known !== undefined) return known
    const column: number[] = []
    this.#columns.set(node, column)
    return column
  }

  #placeOf(ip: Ip): number {
    const known = this.#places.get(ip)
    if (known !== undefined) return known
    this.#places.set(ip, this.#places.size)
    return this.#places.size - 1
  }

  #forget(): void {
    this.#columns.clear()
    this.#places.clear()
  }
}
