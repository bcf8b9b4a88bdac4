// Who may speak for a node? Only what comes from its address: the key proves no more than that the
// sender has the key, and every node has it.
import type { Ip } from '../../net/ip.ts'
import type { Roster } from './roster.ts'

/** Where a node's speaker is, as the API or a list says; without a node, whoever speaks there. */
export type NodeAddresses = { readonly node: string | undefined; readonly addresses: readonly Ip[] }

export class Origins {
  readonly #roster: Roster
  readonly #placed = new Map<string, ReadonlySet<Ip>>()
  #unnamed: ReadonlySet<Ip> = new Set()
  #refused = 0

  constructor(roster: Roster) {
    this.#roster = roster
  }

  /** How many messages came from an address that is not their node's. */
  get refused(): number {
    return this.#refused
  }

  /** A node that is listed no more keeps its place: its speaker may still run and announce. */
  list(places: readonly NodeAddresses[]): void {
    for (const { node, addresses } of places) {
      if (node !== undefined && addresses.length > 0) this.#placed.set(node, new Set(addresses))
    }
    this.#unnamed = new Set(
      places.flatMap(({ node, addresses }) => (node === undefined ? addresses : [])),
    )
  }

  accepts(node: string, from: Ip): boolean {
    const isAccepted = this.speaksFor(node, from)
    if (!isAccepted) this.#refused++
    return isAccepted
  }

  /** Where nobody lists the nodes, the first one to use a name keeps it as long as it lives. */
  speaksFor(node: string, from: Ip): boolean {
    const { own } = this.#roster
    if (node === own.node) return from === own.facts.endpoint.address
    const placed = this.#placed.get(node)
    if (placed !== undefined) return placed.has(from)
    const isListed = this.#placed.size > 0 || this.#unnamed.size > 0
    if (isListed && !this.#unnamed.has(from)) return false
    const peer = this.#roster.get(node)
    return peer?.state !== 'alive' || peer.heardFrom === from
  }
}
