// How is a conflict between managers reported? As in Kubernetes, with a cause for each field.
import { counted } from '../../../core/net/counted.ts'
import { type Cause, type Refused, refused } from '../values/status.ts'
import type { FieldSet } from './fields/fieldSet.ts'
import { pathsOf } from './fields/fieldsV1.ts'
import { compareText } from './managedFields.ts'
import type { Managers } from './managers.ts'

/** Objects can have a hundred thousand fields; the message says how many are in conflict. */
const mostShown = { managers: 10, paths: 100 }

/** Conflicts are keyed by identity, as managers are. */
export function conflictRefusal(
  managers: Managers,
  conflicts: ReadonlyMap<string, FieldSet>,
): Refused {
  const found = [...conflicts]
    .sort(([one], [other]) => compareText(one, other))
    .map(([identity, fields]) => ({ who: nameOf(managers, identity), paths: pathsOf(fields) }))
  const shown = found
    .slice(0, mostShown.managers)
    .map(({ who, paths }) => ({ who, paths: paths.slice(0, mostShown.paths) }))
  const causes: Cause[] = shown.flatMap(({ who, paths }) =>
    paths.map((field) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${who}`,
      field,
    })),
  )
  const [only] = causes
  const count = found.reduce((sum, { paths }) => sum + paths.length, 0)
  const failed = `Apply failed with ${counted(count, 'conflict')}`
  const message =
    causes.length === 1 && only !== undefined
      ? `${failed}: ${only.message}: ${only.field}`
      : `${failed}: ${shown.map(listed).join('\n')}`
  return refused({ code: 409, reason: 'Conflict', message }, { causes })
}

type ManagerConflict = { readonly who: string; readonly paths: readonly string[] }

const listed = ({ who, paths }: ManagerConflict): string =>
  [`conflicts with ${who}:`, ...paths.map((path) => `- ${path}`)].join('\n')

function nameOf(managers: Managers, identity: string): string {
  const { manager = '', operation, apiVersion, subresource = '' } = managers.get(identity) ?? {}
  const through = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`
  const using = operation === 'Update' ? ` using ${apiVersion}` : ''
  return `${JSON.stringify(manager)}${through}${using}`
}
