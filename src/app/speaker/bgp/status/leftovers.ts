// Who clears what a dead node reported about BGP? No node watches what the others report, so the
// first live one deletes all of a node that is gone, with one call for each kind.
import type { Speakers } from '../../../../core/policy/announce/advertise.ts'
import { seesMajority } from '../../../../core/policy/announce/majority.ts'
import type { Api } from '../../../../edge/kube/api/client.ts'
import { ifThere } from '../../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../../edge/kube/api/resource.ts'
import { canTell, ofNode } from '../../../../edge/kube/decode/decodeServiceStatus.ts'
import { resourceOf } from '../../../../edge/kube/kinds.ts'

type LeftoverParts = {
  readonly api: Api
  readonly node: string
  readonly namespace: string
  /** All Nodes of the cluster. */
  readonly nodes: () => Iterable<string>
  readonly nowMs: () => number
}

/** A speaker that restarts finds its reports again. */
const patienceMs = 5_000

export class Leftovers {
  readonly #parts: LeftoverParts
  /** Since when a node is gone. */
  readonly #gone = new Map<string, number>()
  readonly #cleared = new Set<string>()

  constructor(parts: LeftoverParts) {
    this.#parts = parts
  }

  /** Throws if something could not be deleted; the next round tries again. */
  async round(speakers: Speakers | undefined): Promise<void> {
    const { node, nodes, nowMs } = this.#parts
    if (speakers === undefined) return
    const seen = speakers.seen ?? speakers.live
    for (const back of [...this.#gone.keys()].filter((name) => seen.has(name))) {
      this.#gone.delete(back)
      this.#cleared.delete(back)
    }
    for (const name of [...nodes(), ...speakers.expected]) {
      if (!seen.has(name) && !this.#gone.has(name)) this.#gone.set(name, nowMs())
    }
    // A node that is cut off takes all others for dead.
    if (!isFirstOf(node, seen) || !seesMajority(speakers)) return
    for (const [name, sinceMs] of this.#gone) {
      if (this.#cleared.has(name) || nowMs() - sinceMs < patienceMs) continue
      if (canTell(name)) await this.#clear(name)
      this.#cleared.add(name)
    }
  }

  async #clear(name: string): Promise<void> {
    const { api, namespace } = this.#parts
    for (const resource of [resourceOf('ServiceBGPStatus', namespace), resourceOf('BGPSession')]) {
      await ifThere(api.call({ method: 'DELETE', path: pathOf(resource), query: ofNode(name) }))
    }
  }
}

const isFirstOf = (node: string, seen: ReadonlySet<string>): boolean => [...seen].sort()[0] === node
