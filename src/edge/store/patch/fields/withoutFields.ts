// What remains of an object without some of its fields?
import type { FieldSet } from './fieldSet.ts'
import { itemOf } from './itemOf.ts'
import { fieldElement } from './pathElement.ts'
import { type ListShape, type MapShape, type Shape, untyped } from './shape.ts'
import { listIn, mapIn, valueAs } from './valueAs.ts'

/** An atomic value is removed if any part is; a container that becomes empty is null. */
export function withoutFields(shape: Shape, value: unknown, fields: FieldSet): unknown {
  const as = valueAs(shape, value)
  if (as === 'map' && shape.map) return withoutEntries(shape.map, value, fields)
  if (as === 'list' && shape.list) return withoutItems(shape.list, value, fields)
  return value
}

function withoutEntries(map: MapShape, value: unknown, { under }: FieldSet): unknown {
  if (map.isAtomic) return null
  const left = Object.entries(mapIn(value)).flatMap(([name, field]) => {
    const gone = under.get(fieldElement(name))
    if (gone === undefined) return [[name, field] as const]
    if (gone.isOwned) return []
    return [[name, withoutFields(map.field(name) ?? untyped, field, gone)] as const]
  })
  return left.length === 0 ? null : Object.fromEntries(left)
}

function withoutItems(list: ListShape, value: unknown, { under }: FieldSet): unknown {
  if (list.type === 'atomic') return null
  const left = listIn(value).flatMap((item) => {
    const known = itemOf(list, item)
    const gone = 'wrong' in known ? undefined : under.get(known.element)
    if (gone === undefined) return [item]
    return gone.isOwned ? [] : [withoutFields(list.items, item, gone)]
  })
  return left.length === 0 ? null : left
}
