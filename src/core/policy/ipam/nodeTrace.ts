// What did the rules answer while an IPSet was decided? Recorded only for `explain`.
import type { NetworkRequest } from '../../model/ipam/ipSet.ts'
import type { Listener, RuleResult } from '../rule.ts'
import type { Outcome } from './allocateNode.ts'

export class NodeTrace {
  /** Absent where nothing is allocated: without a NetConfig, or while it is deleted. */
  outcomes: readonly Outcome[] | undefined
  readonly #answers = new Map<NetworkRequest, RuleResult[]>()

  /** Hears of the one address that a request names. */
  readonly on = (request: NetworkRequest): Listener => {
    const answers: RuleResult[] = []
    this.#answers.set(request, answers)
    return (result) => answers.push(result)
  }

  of(request: NetworkRequest): readonly RuleResult[] {
    return this.#answers.get(request) ?? []
  }
}
