// What is a kind that the embedded API serves? Its names, scope and versions.
import type { Column } from '../../kube/schema/crd.ts'
import type { Schema } from '../../kube/schema/schema.ts'

export type ServedVersion = {
  readonly name: string
  /** Complete, with metadata, defaults, list types and merge keys. */
  readonly schema: Schema
  readonly hasStatus: boolean
  /** Only for custom kinds; table/ has the columns of built-in ones. */
  readonly columns: readonly Column[]
  readonly deprecationWarning?: string
}

export type StoredKind = {
  /** '' for the core group. */
  readonly group: string
  readonly kind: string
  readonly listKind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly isNamespaced: boolean
  /** Built-in kinds support strategic patches, and list items without apiVersion and kind. */
  readonly isBuiltIn: boolean
  /** The version that objects are stored in, whatever version they were sent in. */
  readonly storage: string
  /** Preferred first. */
  readonly versions: readonly ServedVersion[]
}

/** `services` or `addresses.berth.dev`: the key in storage, and the name in messages. */
export const resourceOf = ({ group, plural }: Pick<StoredKind, 'group' | 'plural'>): string =>
  group === '' ? plural : `${plural}.${group}`

export const apiVersionOf = ({ group }: Pick<StoredKind, 'group'>, version: string): string =>
  group === '' ? version : `${group}/${version}`
