// What does lint report? One thing that is wrong with one object, where it stands, and the way out.
import type { Severity } from '../../model/problem.ts'

export type Location = {
  /** As it was named; '-' is standard input. Empty for what stands in no file. */
  readonly file: string
  /** Counted from 1; 0 without a file. */
  readonly line: number
}
export type LocationOf = (object: string, field: string) => Location
export type LintFinding = Location & {
  readonly code: string
  readonly severity: Severity
  /** Kind/namespace/name, or Kind/name; empty for what could not be read as an object. */
  readonly object: string
  /** Empty when the object as a whole is meant. */
  readonly field: string
  readonly message: string
  readonly remedy: string
  /** A command that mends it in a cluster, where there is exactly one to recommend. */
  readonly fix?: string
}

export const withFix = (finding: LintFinding, fix: string | undefined): LintFinding =>
  fix === undefined ? finding : { ...finding, fix }

/** By file, line and code, so that no report depends on the order of reading. */
export function byLocation(one: LintFinding, other: LintFinding): number {
  return (
    compare(one.file, other.file) ||
    one.line - other.line ||
    compare(one.code, other.code) ||
    compare(textOf(one), textOf(other))
  )
}

const textOf = ({ object, field, message }: LintFinding): string =>
  `${object}\n${field}\n${message}`

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1)
