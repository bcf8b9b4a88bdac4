// What is a kind that the embedded API serves? Names, versions and what each version shows.
import type { Column } from '../../kube/schema/crd.ts'
import type { Schema } from '../../kube/schema/schema.ts'

export type ServedVersion = {
  readonly name: string
  /** Complete, with metadata; defaults, lists and merge keys as Kubernetes states them. */
  readonly schema: Schema
  readonly hasStatus: boolean
  /** Of a custom kind; a built-in kind has a table of its own. */
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
  /** Built-in kinds take strategic patches; items of their lists have no apiVersion and kind. */
  readonly isBuiltIn: boolean
  /** In this version objects are kept from now on, whatever version they came in. */
  readonly storage: string
  /** Preferred first. */
  readonly versions: readonly ServedVersion[]
}

/** `services` or `addresses.berth.dev`: what objects are kept under, and what messages call it. */
export const resourceOf = ({ group, plural }: Pick<StoredKind, 'group' | 'plural'>): string =>
  group === '' ? plural : `${plural}.${group}`

export const apiVersionOf = ({ group }: Pick<StoredKind, 'group'>, version: string): string =>
  group === '' ? version : `${group}/${version}`
