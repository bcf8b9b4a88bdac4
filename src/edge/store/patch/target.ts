// What is written to? A kind in one version, the object or its status, as ownership needs it.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import type { Schema } from '../../kube/schema/schema.ts'
import { perNode, propertiesOf } from '../../kube/schema/schemaNodes.ts'
import { convert, convertsInProcess } from '../kinds/convert.ts'
import { apiVersionOf, type ServedVersion, type StoredKind } from '../kinds/storedKind.ts'
import { union } from './fields/combine.ts'
import { type FieldSet, fieldAt, nothing } from './fields/fieldSet.ts'
import { type Shape, shapeOf } from './fields/shape.ts'

/** An object in one version, with the shape of that version. */
type Typed = { readonly shape: Shape; readonly object: JsonObject }

export type Target = {
  readonly apiVersion: string
  readonly kind: string
  readonly schema: Schema
  readonly isBuiltIn: boolean
  /** '' for the object itself. */
  readonly subresource: '' | 'status'
  /** The zero value of this kind. */
  readonly empty: JsonObject
  /** Fields that such a write cannot change, and so does not own. */
  readonly unowned: FieldSet
  /** Undefined for a version that is not served. */
  readonly inVersion: (object: JsonObject, apiVersion: string) => Typed | undefined
}

export function targetOf(
  kind: StoredKind,
  served: ServedVersion,
  subresource: Target['subresource'],
): Target {
  const named = { apiVersion: apiVersionOf(kind, served.name), kind: kind.kind }
  const { schema } = served
  return {
    ...named,
    schema,
    isBuiltIn: kind.isBuiltIn,
    subresource,
    empty: kind.isBuiltIn ? zeroOf(schema) : named,
    unowned: unownedIn(kind, subresource, served.hasStatus),
    inVersion(object, apiVersion) {
      const other = kind.versions.find(({ name }) => apiVersionOf(kind, name) === apiVersion)
      if (other === undefined) return undefined
      return { shape: shapeOf(other.schema), object: written(kind, object, other) }
    },
  }
}

/** For versions that differ only in name: pruning and defaults would add fields. */
function written(kind: StoredKind, object: JsonObject, { name }: ServedVersion): JsonObject {
  const apiVersion = apiVersionOf(kind, name)
  if (object['apiVersion'] === apiVersion) return object
  return convertsInProcess(kind) ? convert(kind, object, name) : { ...object, apiVersion }
}

/**
 * The fields that Go always writes, even for an empty built-in object. Their published defaults are
 * empty objects, empty texts and zeros.
 */
const zeroOf = perNode((schema): JsonObject => {
  const shown: [string, unknown][] = []
  for (const [name, field] of propertiesOf(schema)) {
    const { default: zero } = field
    if (zero === '' || zero === 0) shown.push([name, zero])
    else if (isRecord(zero) && Object.keys(zero).length === 0) shown.push([name, zeroOf(field)])
  }
  return Object.fromEntries(shown)
})

function unownedIn(kind: StoredKind, subresource: string, hasStatus: boolean): FieldSet {
  if (subresource === '') return hasStatus ? fieldAt('status') : nothing
  const ofStatus = kind.isBuiltIn
    ? (alsoUnowned.get(kind.kind) ?? []).map((name) => fieldAt('metadata', name))
    : [fieldAt('metadata')]
  return ofStatus.reduce(union, fieldAt('spec'))
}

/** Metadata that a status write does not change in some built-in kinds. */
const alsoUnowned: ReadonlyMap<string, readonly string[]> = new Map([
  ['Pod', ['deletionTimestamp', 'ownerReferences']],
  ['Deployment', ['labels']],
])
