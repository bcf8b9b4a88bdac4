// What does a rule answer? Rules are asked in their order and the first objection decides. Whoever
// listens hears all of them; for nobody, nothing is recorded.
import type { Reason } from '../model/reason.ts'

type Yes = { readonly ok: true }
/** Without a reason it only passes a pool over, which is not why a Service waits. */
export type Objection = {
  readonly ok: false
  readonly reason?: Reason
  readonly message: string
  readonly remedy?: string
}
/** Whatever list its reason is from. */
type AnyObjection = { readonly ok: false; readonly reason?: string; readonly message: string }
export type RuleResult = Omit<AnyObjection, 'ok'> & { readonly rule: string; readonly ok: boolean }
export type Listener = (result: RuleResult) => void

type More<Subject> = {
  /** Elsewhere it has nothing to say. */
  readonly concerns?: ((subject: Subject) => boolean) | undefined
  /** What a listener is told with a yes. */
  readonly says?: (subject: Subject) => string
}
export type Rule<Subject, No extends AnyObjection = Objection> = Required<More<Subject>> & {
  readonly name: string
  readonly evaluate: (subject: Subject) => Yes | No
}

/** All rules have one shape, so that asking them is fast. */
export const rule = <Subject, No extends AnyObjection>(
  name: string,
  evaluate: (subject: Subject) => Yes | No,
  { concerns, says = () => '' }: More<Subject> = {},
): Rule<Subject, No> => ({ name, evaluate, concerns, says })

export const passOver = (message: string): Objection => ({ ok: false, message })

/** The first objection, if there is one. */
export function ask<Subject, No extends AnyObjection>(
  rules: readonly Rule<Subject, No>[],
  subject: Subject,
  listener?: Listener,
): No | undefined {
  let first: No | undefined
  for (const rule of rules) {
    if (rule.concerns !== undefined && !rule.concerns(subject)) continue
    const answer = rule.evaluate(subject)
    if (listener !== undefined) listener(resultOf(rule, subject, answer))
    if (answer.ok) continue
    if (listener === undefined) return answer
    first ??= answer
  }
  return first
}

const resultOf = <Subject>(
  { name, says }: Rule<Subject, AnyObjection>,
  subject: Subject,
  answer: Yes | AnyObjection,
): RuleResult =>
  answer.ok ? { rule: name, ok: true, message: says(subject) } : { rule: name, ...answer }
