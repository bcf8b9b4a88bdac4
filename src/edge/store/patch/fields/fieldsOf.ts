// Which fields does an object set? Every leaf, and every item of maps and lists.
import { isRecord } from '../../../kube/decode/fields.ts'
import { type FieldSet, nothing, owned } from './fieldSet.ts'
import { itemsByElement } from './itemOf.ts'
import { fieldElement } from './pathElement.ts'
import { type ListShape, type MapShape, type Shape, untyped } from './shape.ts'
import { listIn, mapIn, valueAs } from './valueAs.ts'

export function fieldsOf(shape: Shape, value: unknown): FieldSet {
  const as = valueAs(shape, value)
  if (as === 'map' && shape.map) return shape.map.isAtomic ? owned : inMap(shape.map, value)
  if (as === 'list' && shape.list) {
    return shape.list.type === 'atomic' ? owned : inList(shape.list, value)
  }
  return owned
}

/** Declared fields are owned by their leaves; entries of a map are also owned themselves. */
function inMap(map: MapShape, value: unknown): FieldSet {
  const under = new Map<string, FieldSet>()
  for (const [name, field] of Object.entries(mapIn(value))) {
    const { isOwned, under: inside } = fieldsOf(map.field(name) ?? untyped, field)
    const isVoid = field === null || (isRecord(field) && Object.keys(field).length === 0)
    const node = { isOwned: isOwned || isVoid || !map.isDeclared(name), under: inside }
    if (node.isOwned || inside.size > 0) under.set(fieldElement(name), node)
  }
  return under.size === 0 ? nothing : { isOwned: false, under }
}

/** Duplicate items are owned as a whole. */
function inList(list: ListShape, value: unknown): FieldSet {
  const under = new Map<string, FieldSet>()
  for (const [element, [item, ...alike]] of itemsByElement(list, listIn(value))) {
    const inside = alike.length > 0 ? nothing : fieldsOf(list.items, item)
    under.set(element, { isOwned: true, under: inside.under })
  }
  return under.size === 0 ? nothing : { isOwned: false, under }
}

/** Adds declared fields where only their contents are in the set. */
export function withDeclared(shape: Shape | undefined, { isOwned, under }: FieldSet): FieldSet {
  const after = new Map<string, FieldSet>()
  for (const [element, node] of under) {
    const name = element.slice(2)
    const isField = element[0] === 'f' && shape?.map !== undefined
    const inside = withDeclared(shapeUnder(shape, element), node)
    const isDeclared = isField && node.under.size > 0 && shape.map.isDeclared(name)
    after.set(element, isDeclared ? { ...inside, isOwned: true } : inside)
  }
  return { isOwned, under: after }
}

/** Adapted to the current schema: a field that became atomic is owned as a whole. */
export function refitted(shape: Shape | undefined, fields: FieldSet): FieldSet {
  if (shape === undefined || fields.under.size === 0) return fields
  if (shape.map ? shape.map.isAtomic : !shape.scalar && shape.list?.type === 'atomic') return owned
  const under = new Map<string, FieldSet>()
  for (const [element, node] of fields.under) {
    under.set(element, refitted(shapeUnder(shape, element), node))
  }
  return { isOwned: fields.isOwned, under }
}

function shapeUnder(shape: Shape | undefined, element: string): Shape | undefined {
  if (element[0] === 'f') return shape?.map?.field(element.slice(2))
  return element[0] === 'k' ? shape?.list?.items : undefined
}
