// What does `kubectl get` print? The Table of meta.k8s.io: columns, and a row for each object.
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Schema } from '../../kube/schema/schema.ts'
import { resourceOf, type ServedVersion, type StoredKind } from '../kinds/storedKind.ts'
import { builtInShapes, createdAtShape } from './builtInShapes.ts'
import { customShape } from './customShape.ts'
import { type Cell, fieldsOf, type Heading, type RowCondition, type Shape } from './shape.ts'

export type ColumnDefinition = {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}
export type Row = {
  readonly cells: readonly Cell[]
  readonly conditions?: readonly RowCondition[]
  readonly object: JsonObject | null
}
export type Table = {
  readonly kind: 'Table'
  readonly apiVersion: string
  readonly metadata: JsonObject
  readonly columnDefinitions: readonly ColumnDefinition[] | null
  readonly rows: readonly Row[]
}
export type TableRequest = {
  readonly kind: StoredKind
  readonly version: ServedVersion
  /** In `version`, each with apiVersion and kind. */
  readonly objects: readonly JsonObject[]
  /** The metadata of the list, or the resourceVersion of the single object. */
  readonly metadata: JsonObject
  readonly nowMs: number
  /** What is sent with each row; the default is Metadata. */
  readonly includeObject: 'Metadata' | 'None' | 'Object'
  /** The version of meta.k8s.io, by default v1. */
  readonly metaVersion?: 'v1' | 'v1beta1'
}

export function tableOf(request: TableRequest): Table {
  const { kind, version, objects, metadata, nowMs, includeObject, metaVersion = 'v1' } = request
  const apiVersion = `meta.k8s.io/${metaVersion}`
  const { shape, columnDefinitions } = layoutOf(kind, version)
  const rows = objects.map((object): Row => {
    const cells = shape.cells(object, nowMs)
    const conditions = shape.conditions?.(object)
    const included = includedOf(object, { includeObject, apiVersion })
    return { cells, ...(conditions === undefined ? {} : { conditions }), object: included }
  })
  return { kind: 'Table', apiVersion, metadata, columnDefinitions, rows }
}

/** A watch sends the columns only with its first event. */
export const withoutColumns = (table: Table): Table => ({ ...table, columnDefinitions: null })

type Layout = {
  readonly shape: Shape
  readonly columnDefinitions: readonly ColumnDefinition[]
}
const layouts = new WeakMap<ServedVersion, Layout>()

/** Cached while a definition is unchanged, because paths are parsed and descriptions looked up. */
function layoutOf(kind: StoredKind, version: ServedVersion): Layout {
  const known = layouts.get(version)
  if (known !== undefined) return known
  const shape = kind.isBuiltIn
    ? (builtInShapes[resourceOf(kind)] ?? createdAtShape)
    : customShape(version.columns)
  const columnDefinitions = shape.headings.map((heading) => columnOf(heading, version.schema))
  const layout = { shape, columnDefinitions }
  layouts.set(version, layout)
  return layout
}

function columnOf(heading: Heading, schema: Schema): ColumnDefinition {
  const { name, of, description = '', type = 'string', format = '', priority = 0 } = heading
  const said = of === undefined ? description : descriptionAt(schema, of)
  return { name, type, format, description: said, priority }
}

/** The description of a field, without the enum values that only schemas list. */
function descriptionAt(schema: Schema, path: string): string {
  let node: Schema | undefined = schema
  for (const name of path.split('.')) node = node?.properties?.[name]
  return node?.description?.split('\n\nPossible enum values:')[0] ?? ''
}

type Wanted = Pick<TableRequest, 'includeObject'> & { readonly apiVersion: string }

/**
 * Metadata is always sent for a bookmark, because an annotation marks the end of initial events.
 */
const endOfFirstEvents = 'k8s.io/initial-events-end'

function includedOf(object: JsonObject, { includeObject, apiVersion }: Wanted): JsonObject | null {
  if (includeObject === 'Object') return object
  const annotations = fieldsOf(object).inner('metadata').labels('annotations')
  if (includeObject === 'None' && annotations[endOfFirstEvents] !== 'true') return null
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: object['metadata'] ?? {} }
}
