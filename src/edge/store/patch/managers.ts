// Which managers own which fields? One entry for each name and way of writing.
import type { FieldSet } from './fields/fieldSet.ts'

/** Identifies an entry. */
export type Writer = {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  /** '' for the object itself. */
  readonly subresource: string
}
export type Entry = Writer & {
  /** RFC 3339, in seconds; undefined for a manager that has never changed anything. */
  readonly time: string | undefined
  readonly fields: FieldSet
}
/** By identity. */
export type Managers = ReadonlyMap<string, Entry>

export const nobody: Managers = new Map()

/** Every write looks at all of them. In Kubernetes the size of etcd's requests is the limit. */
export const mostManagers = 1_000

/** A manager that applies is the same in all versions. */
export function identityOf({ manager, operation, apiVersion, subresource }: Writer): string {
  return JSON.stringify({
    ...(manager === '' ? {} : { manager }),
    operation,
    ...(operation === 'Apply' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  })
}

/** Oldest first, then by name; an entry without a time is the oldest. */
export const byTime = (one: Entry, other: Entry): number => secondsOf(one) - secondsOf(other)

function secondsOf({ time }: Entry): number {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000)
}
