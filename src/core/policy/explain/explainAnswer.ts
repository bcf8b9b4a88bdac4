// What did a rule say, and which objection was the first? `explain` keeps every answer.
import type { RuleResult } from '../rule.ts'

export type Answer = Omit<RuleResult, 'ok'> & {
  readonly verdict: 'ok' | 'first-objection' | 'objection'
}

export function answersOf(results: readonly RuleResult[]): Answer[] {
  const first = results.find(({ ok }) => !ok)
  return results.map(({ ok, ...answer }, index) => {
    const isFirst = results[index] === first
    return { ...answer, verdict: ok ? 'ok' : isFirst ? 'first-objection' : 'objection' }
  })
}
