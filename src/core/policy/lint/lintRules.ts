// What do people want to hear of? Codes are ignored, by a flag, a file or an object itself, and
// findings weigh more or less than usual.
import { problemRemedies, type Severity } from '../../model/problem.ts'
import { remedies } from '../../model/reason.ts'
import type { Conflict } from './lintConflicts.ts'
import type { LintFinding } from './lintFinding.ts'

export type Weight = Severity | 'off'
export type LintRules = {
  /** By code; `file` is where the finding stands, empty for a running API. */
  readonly weightOf: (code: string, file: string) => Weight | undefined
  /** The annotation of an object, Kind/namespace/name. */
  readonly ignoredOn: (object: string) => string
}

export const ignoreAnnotation = 'berth.dev/lint-ignore'

/** What could not be read is always told: the rest of the report is wrong without it. */
const unignorable = 'unreadable'

/** All that a finding can be called. */
export const lintCodes: ReadonlySet<string> = new Set([
  ...Object.keys(problemRemedies),
  ...Object.keys(remedies),
  ...['invalid', 'duplicate-object', 'unknown-field', 'unknown-annotation', 'kustomize-not-built'],
  ...['deprecated', 'range-not-bound', 'not-announced', 'old-configuration'],
  'policy-not-played',
])

/** A conflict goes as a whole: it is one finding, on whichever side it is ignored. */
export function applyRules(conflicts: readonly Conflict[], rules: LintRules): Conflict[] {
  return conflicts.flatMap((conflict) => {
    const [first, ...others] = conflict.map((side) => weighed(side, rules))
    if (first === undefined || others.includes(undefined)) return []
    return [[first, ...others.filter((side) => side !== undefined)] as const]
  })
}

function weighed(side: LintFinding, { weightOf, ignoredOn }: LintRules): LintFinding | undefined {
  const { code, object, file } = side
  if (code === unignorable) return side
  const here = ignoredOn(object)
    .split(',')
    .map((word) => word.trim())
  if (here.includes(code) || here.includes('*')) return undefined
  const weight = weightOf(code, file)
  if (weight === 'off') return undefined
  return weight === undefined ? side : { ...side, severity: weight }
}
