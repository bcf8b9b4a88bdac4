// What does a page or a program get to read about findings? Plain data under a named schema.
import type { Conflict } from './lintConflicts.ts'
import type { LintFinding } from './lintFinding.ts'

export type LintSummary = {
  /** A conflict that is reported for both of its objects counts once. */
  readonly errors: number
  readonly warnings: number
  /** Left out, since somebody does not want to hear of them. */
  readonly ignored?: number
  readonly objects: number
  /** Services that have an address and that nobody announces. */
  readonly notAnnounced: number
  /** There are more of which that cannot be told, since no Node is there. */
  readonly areAnnouncersUnknown: boolean
  /** The others are those that speakers would announce: none runs yet. */
  readonly areForeseen?: boolean
  /** 0 when the objects came from a running API. */
  readonly files: number
  /** Skipped objects by API group; '' is the core group. */
  readonly passedOver: ReadonlyMap<string, number>
}
export type LintReport = {
  readonly findings: readonly LintFinding[]
  readonly conflicts: readonly Conflict[]
  readonly summary: LintSummary
}

export function lintView({ findings, summary }: LintReport): object {
  const passedOver = Object.fromEntries([...summary.passedOver].sort())
  return { schema: 'berth.dev/lint/v1', findings, summary: { ...summary, passedOver } }
}
