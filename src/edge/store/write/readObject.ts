// How is a sent object read? Unknown fields are dropped and defaults set. Depending on the request,
// unknown and repeated fields are refused, reported as warnings or ignored.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../../kube/decode/fields.ts'
import { mostErrors } from '../../kube/schema/schemaCheck.ts'
import { withDefaults } from '../../kube/schema/schemaDefault.ts'
import { prune } from '../../kube/schema/schemaPrune.ts'
import { contentOf, objectMeta } from '../kinds/completeSchema.ts'
import { definition } from '../kinds/definitions.ts'
import type { RequestedKind } from '../kinds/kinds.ts'
import { apiVersionOf } from '../kinds/storedKind.ts'
import { longestMessage } from '../values/longestMessage.ts'
import { converting, reading } from './goWords.ts'
import { readBuiltIn } from './readBuiltIn.ts'
import { strategyOf } from './strategies.ts'

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict'
type Reading = {
  readonly found: RequestedKind
  readonly fieldValidation: FieldValidation
  /** Repeated fields in the text. */
  readonly duplicates: readonly string[]
  /** The result of a strategic patch is not decoded from JSON. */
  readonly isConverted?: boolean
}
type ReadSent =
  | { readonly ok: true; readonly object: JsonObject; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly why: string }

export function readObject(
  { found, fieldValidation, duplicates, isConverted = false }: Reading,
  sent: JsonObject,
): ReadSent {
  const read = found.kind.isBuiltIn
    ? readBuiltIn(found.version.schema, sent, isConverted ? converting : reading)
    : readCustom(found, sent)
  if (!read.ok) return read
  const unknown = read.unknownFields
    .slice(0, mostErrors)
    .map((path) => path.slice(0, longestMessage))
  const said = [
    ...duplicates.map((path) => `duplicate field "${path}"`),
    ...unknown.map((path) => `unknown field "${path}"`),
  ]
  if (fieldValidation === 'Strict' && said.length > 0) {
    return { ok: false, why: `strict decoding error: ${said.join(', ')}` }
  }
  const object = strategyOf(found).defaulted(named(found, read.json))
  return { ok: true, object, warnings: fieldValidation === 'Warn' ? said : [] }
}

/** Sets kind and apiVersion of the path, whatever was sent. */
function named({ kind, version }: RequestedKind, object: JsonObject): JsonObject {
  const { kind: _, apiVersion: __, metadata = {}, ...rest } = object
  return { kind: kind.kind, apiVersion: apiVersionOf(kind, version.name), metadata, ...rest }
}

/** Metadata is read as in built-in kinds, the rest by the schema of the definition. */
function readCustom({ version }: RequestedKind, sent: JsonObject) {
  const { metadata = {} } = sent
  const meta = isRecord(metadata) ? readBuiltIn(definition(objectMeta), metadata) : notAnObject
  if (!meta.ok) return meta
  const schema = contentOf(version.schema)
  const pruned = prune(schema, { ...sent, metadata: meta.json })
  const object = withDefaults(schema, pruned.value)
  const unknownMeta = meta.unknownFields.map((path) => `metadata.${path}`)
  return {
    ok: true,
    json: isRecord(object) ? object : {},
    unknownFields: [...unknownMeta, ...pruned.unknownFields].sort(),
  } as const
}

const notAnObject = {
  ok: false,
  why: 'json: cannot unmarshal into Go struct field .metadata of type v1.ObjectMeta',
} as const
