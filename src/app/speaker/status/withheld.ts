// Which Services show an address that this speaker does not begin to announce, since no Address
// records it for them (R8.13)? Record and status come moments apart: only what lasts counts.
import type { ServiceView } from '../../../core/model/service.ts'
import { objectOf } from '../../../core/model/view.ts'
import type { Clock } from '../../../edge/kube/api/clock.ts'
import type { NodeProblem } from './nodeReport.ts'

type WithheldParts = {
  readonly clock: Pick<Clock, 'nowMs'>
  /** As they are in the API, and what of them nobody records. */
  readonly withheld: () => readonly Unrecorded[]
}

export type Unrecorded = {
  readonly service: ServiceView
  readonly addresses: ServiceView['ingress']
}

const lastsMs = 10_000
/** One cause may concern thousands. */
const mostTold = 20

export class Withheld {
  readonly #parts: WithheldParts
  /** Since when, by UID. */
  #since = new Map<string, number>()

  constructor(parts: WithheldParts) {
    this.#parts = parts
  }

  problems(): readonly NodeProblem[] {
    const { clock, withheld } = this.#parts
    const nowMs = clock.nowMs()
    const all = withheld()
    const before = this.#since
    const sinceOf = ({ service: { uid } }: Unrecorded): number => before.get(uid) ?? nowMs
    this.#since = new Map(all.map((one) => [one.service.uid, sinceOf(one)]))
    return all
      .filter((one) => nowMs - sinceOf(one) >= lastsMs)
      .map(problemOf)
      .sort((one, other) => (one.object < other.object ? -1 : 1))
      .slice(0, mostTold)
  }
}

function problemOf({ service, addresses }: Unrecorded): NodeProblem {
  const shown = addresses.join(' and ')
  const message = `its status shows ${shown}, which no Address records for it: not announced here`
  return { code: 'address-not-recorded', object: objectOf(service), message }
}
