// How are objects of a schema merged? Says which parts are atomic, sets or lists with keys, and
// which have owners of their own. Without a schema the value decides.
import type { Schema } from '../../../kube/schema/schema.ts'
import { perNode, propertiesOf } from '../../../kube/schema/schemaNodes.ts'

export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped'
export type ListShape = {
  readonly type: 'atomic' | 'set' | 'map'
  readonly keys: readonly string[]
  readonly items: Shape
  /** The default of a missing key. */
  readonly keyDefault: (key: string) => unknown
}
export type MapShape = {
  readonly isAtomic: boolean
  readonly isDeclared: (name: string) => boolean
  /** Undefined for an unknown field. */
  readonly field: (name: string) => Shape | undefined
}
/** The types that a value may have, each with its shape. */
export type Shape = {
  readonly scalar?: Scalar
  readonly list?: ListShape
  readonly map?: MapShape
}

const atomicList: ListShape = {
  type: 'atomic',
  keys: [],
  get items() {
    return untyped
  },
  keyDefault: () => undefined,
}

/** Any value, atomic. */
export const untyped: Shape = {
  scalar: 'untyped',
  list: atomicList,
  map: { isAtomic: true, isDeclared: () => false, field: () => untyped },
}

/** Any value, with an owner for each field of an object. */
const deduced: Shape = {
  scalar: 'untyped',
  list: atomicList,
  map: { isAtomic: false, isDeclared: () => false, field: () => deduced },
}

export const shapeOf = (schema: Schema): Shape => shapes.closed(schema)

/** A schema that preserves unknown fields does so at all levels below. */
const shapes: Readonly<Record<Openness, (schema: Schema) => Shape>> = {
  closed: perNode((schema) => madeShape(schema, 'closed')),
  open: perNode((schema) => madeShape(schema, 'open')),
}
type Openness = 'closed' | 'open'

function madeShape(schema: Schema, outside: Openness): Shape {
  const openness = schema['x-kubernetes-preserve-unknown-fields'] === true ? 'open' : outside
  switch (schema.type) {
    case 'object':
      return { map: mapShape(schema, openness) }
    case 'array':
      return { list: listShape(schema, openness) }
    case 'integer':
    case 'number':
      return { scalar: 'numeric' }
    case 'boolean':
      return { scalar: 'boolean' }
    case 'string':
      return { scalar: ['', 'byte'].includes(schema.format ?? '') ? 'string' : 'untyped' }
    default: {
      const [map, list] = [mapShape(schema, openness), listShape(schema, openness)]
      return { scalar: 'untyped', list, map }
    }
  }
}

function mapShape(schema: Schema, openness: Openness): MapShape {
  const properties = propertiesOf(schema)
  const { additionalProperties: others } = schema
  const isFree =
    others === undefined ? openness === 'open' || properties.size === 0 : others === true
  return {
    isAtomic: schema['x-kubernetes-map-type'] === 'atomic',
    isDeclared: (name) => properties.has(name),
    field(name) {
      const own = properties.get(name)
      if (own !== undefined) return shapes[openness](own)
      if (typeof others === 'object') return shapes[openness](others)
      return isFree || isOfResource(schema, name) ? deduced : undefined
    },
  }
}

/** The fields that every embedded object has. */
const isOfResource = (schema: Schema, name: string): boolean =>
  schema['x-kubernetes-embedded-resource'] === true &&
  ['apiVersion', 'kind', 'metadata'].includes(name)

function listShape(schema: Schema, openness: Openness): ListShape {
  const { items } = schema
  return {
    ...listType(schema),
    get items() {
      return items === undefined ? untyped : shapes[openness](items)
    },
    keyDefault: (key) => (items && propertiesOf(items).get(key)?.default) ?? undefined,
  }
}

/** Older lists of Kubernetes have only a patch strategy. */
function listType(schema: Schema): Pick<ListShape, 'type' | 'keys'> {
  const type = schema['x-kubernetes-list-type']
  if (type === 'map') return { type, keys: schema['x-kubernetes-list-map-keys'] ?? [] }
  if (type !== undefined) return { type, keys: [] }
  const isMerged = schema['x-kubernetes-patch-strategy']?.split(',').includes('merge') === true
  const mergeKey = schema['x-kubernetes-patch-merge-key']
  if (!isMerged) return { type: 'atomic', keys: [] }
  return mergeKey === undefined ? { type: 'set', keys: [] } : { type: 'map', keys: [mergeKey] }
}
