// What did a rule say, and which objection was the first? `explain` keeps every answer.
import type { Judgement } from '../rule.ts'

export type Answer = Omit<Judgement, 'ok'> & {
  readonly verdict: 'ok' | 'first-objection' | 'objection'
}

export function answersOf(judgements: readonly Judgement[]): Answer[] {
  const first = judgements.find(({ ok }) => !ok)
  return judgements.map(({ ok, ...answer }, index) => {
    const isFirst = judgements[index] === first
    return { ...answer, verdict: ok ? 'ok' : isFirst ? 'first-objection' : 'objection' }
  })
}
