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

type Standing = { readonly node: string; readonly score: number; readonly digest: Uint8Array }

/** The first one announces; each of the others would, were those before it gone. */
export function electionOrder({ ip, nodes, scoreOf }: Contest): string[] {
  const standings = Array.from(nodes, (node) => ({
    node,
    score: scoreOf(node),
    digest: sha256(utf8ToBytes(`${node}#${ip}`)),
  }))
  return standings.sort(compare).map(({ node }) => node)
}

function compare(one: Standing, other: Standing): number {
  return other.score - one.score || compareBytes(one.digest, other.digest)
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  for (const [at, byte] of one.entries()) {
    const difference = byte - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
