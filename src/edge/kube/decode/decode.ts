// What does this object mean to us? One decoder a kind, found by group and kind.
import type { FieldError } from '../../../core/model/admission.ts'
import type { View } from '../../../core/model/view.ts'
import { type KindRow, kinds } from '../kinds.ts'
import { Fields } from './fields.ts'

/** `held` is a kind that we keep, or may meet, but that no decision is made from. */
export type Decoded =
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'refused'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'held' | 'unknown-kind' | 'unknown-group' }

type Decode = (json: unknown) => Decoded

/** Groups whose every kind is in the table, so that one that is not is a mistake. */
const ownGroups = new Set(['metallb.io', 'berth.dev'])

/** The group of an apiVersion; empty for the core group. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0))

function decoderOf(rows: readonly KindRow[]): Decode {
  const known = new Map(rows.map((row) => [`${row.group}/${row.kind}`, row]))
  const groups = new Set(rows.filter((row) => row.decode !== undefined).map(({ group }) => group))
  return (json) => {
    const errors: FieldError[] = []
    const object = new Fields(json, errors)
    const group = groupOf(object.text('apiVersion'))
    if (!groups.has(group)) return { kind: 'unknown-group' }
    const row = known.get(`${group}/${object.text('kind')}`)
    if (row === undefined) return { kind: ownGroups.has(group) ? 'unknown-kind' : 'held' }
    const view = row.decode?.(object)
    if (errors.length > 0) return { kind: 'refused', errors }
    return view === undefined ? { kind: 'held' } : { kind: 'view', view }
  }
}

export const decode: Decode = decoderOf(kinds)
