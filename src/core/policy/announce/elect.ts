// Which node announces an address by layer 2? MetalLB's formula (M5.3), so that both agree.
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import type { Ip } from '../../net/ip.ts'

export type Contest = {
  /** The first ingress address, as written. */
  readonly ip: Ip
  readonly nodes: Iterable<string>
  readonly scoreOf: (node: string) => number
}

type Standing = { readonly node: string; readonly score: number; readonly start: number }

/** The first one announces; each of the others would, were those before it gone. */
export function electionOrder({ ip, nodes, scoreOf }: Contest): string[] {
  const standings = Array.from(nodes, (node) => ({
    node,
    score: scoreOf(node),
    start: starts.of(node, ip),
  }))
  const compare = (one: Standing, other: Standing): number =>
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
/** 32 MB: 10,000 addresses on 400 nodes. What does not fit is computed again. */
const mostKept = 4_194_304

/**
 * What a digest begins with never changes, and every speaker needs it for every address and node
 * whenever somebody comes or goes: a row of numbers for each address, a column for each node.
 */
class Starts {
  readonly #columns = new Map<string, number>()
  /** Of V8's lists of numbers, which are a third as large as a typed array of so few. */
  readonly #rows = new Map<Ip, number[]>()

  of(node: string, ip: Ip): number {
    const column = this.#columnOf(node)
    const row = this.#rowOf(ip, column)
    const known = row[column] ?? Number.NaN
    if (!Number.isNaN(known)) return known
    const start = digestOf(node, ip)
      .subarray(0, startBytes)
      .reduce((value, byte) => value * 256 + byte, 0)
    row[column] = start
    return start
  }

  #columnOf(node: string): number {
    const known = this.#columns.get(node)
    if (known !== undefined) return known
    this.#columns.set(node, this.#columns.size)
    return this.#columns.size - 1
  }

  #rowOf(ip: Ip, column: number): number[] {
    const known = this.#rows.get(ip)
    if (known !== undefined && column < known.length) return known
    if (this.#rows.size * this.#columns.size > mostKept) this.#rows.clear()
    const length = this.#columns.size + spare
    const row = Array.from({ length }, (_, at) => known?.[at] ?? Number.NaN)
    this.#rows.set(ip, row)
    return row
  }
}

/** Columns for nodes that come later. */
const spare = 4
const starts = new Starts()
