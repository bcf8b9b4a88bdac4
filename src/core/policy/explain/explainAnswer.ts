// What does a rule say, and which objection is the first? `explain` keeps every answer.
import type { Reason, Verdict } from '../../model/reason.ts'

export type Judgement = {
  readonly rule: string
  readonly ok: boolean
  /** Only an objection can have one; some only pass a pool over, which is no reason to wait. */
  readonly reason?: Reason
  readonly message: string
}
export type Answer = Omit<Judgement, 'ok'> & {
  readonly verdict: 'ok' | 'first-objection' | 'objection'
}

export const allows = (rule: string, message = ''): Judgement => ({ rule, ok: true, message })

export const objects = (rule: string, message: string): Judgement => ({ rule, ok: false, message })

/** The verdict of a rule that decisions use; the sentence is for when it says yes. */
export const judged = (rule: string, verdict: Verdict, sentence = ''): Judgement =>
  verdict.ok ? allows(rule, sentence) : { rule, ...verdict }

export function answersOf(judgements: readonly Judgement[]): Answer[] {
  const first = judgements.find(({ ok }) => !ok)
  return judgements.map(({ ok, ...answer }, index) => {
    const isFirst = judgements[index] === first
    return { ...answer, verdict: ok ? 'ok' : isFirst ? 'first-objection' : 'objection' }
  })
}

export const isObjection = ({ verdict }: Answer): boolean => verdict !== 'ok'
