// Who owns which fields? One entry for each writer, known by his name and by how he writes.
import type { FieldSet } from './fields/fieldSet.ts'

/** What two entries must not have in common. */
export type Writer = {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  /** '' for the object itself. */
  readonly subresource: string
}
export type Entry = Writer & {
  /** RFC 3339, in seconds; who has never changed anything has none. */
  readonly time: string | undefined
  readonly fields: FieldSet
}
/** By identity. */
export type Managers = ReadonlyMap<string, Entry>

export const nobody: Managers = new Map()

/** One who applies is the same in all versions. */
export function identityOf({ manager, operation, apiVersion, subresource }: Writer): string {
  return JSON.stringify({
    ...(manager === '' ? {} : { manager }),
    operation,
    ...(operation === 'Apply' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  })
}

/** Oldest first, then by name; without a time it counts as the oldest. */
export const byTime = (one: Entry, other: Entry): number => secondsOf(one) - secondsOf(other)

function secondsOf({ time }: Entry): number {
  const ms = Date.parse(time ?? '')
  return Number.isNaN(ms) ? 0 : Math.floor(ms / 1000)
}
