// What does a CustomResourceDefinition define? Names, versions, their schemas and printer columns.
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord } from '../decode/fields.ts'
import type { Schema } from './schema.ts'

export type Column = {
  readonly name: string
  readonly type: string
  readonly jsonPath: string
  readonly format?: string
  readonly description?: string
  /** Above 0: shown in wide tables only. */
  readonly priority?: number
}
export type CrdVersion = {
  readonly name: string
  readonly served: boolean
  readonly storage: boolean
  readonly schema: Schema
  readonly columns: readonly Column[]
  /** The warning for clients of a deprecated version. */
  readonly deprecationWarning?: string
  readonly hasStatus: boolean
}
export type Crd = {
  readonly group: string
  readonly kind: string
  readonly listKind: string
  readonly plural: string
  readonly singular: string
  readonly scope: 'Cluster' | 'Namespaced'
  readonly versions: readonly CrdVersion[]
}

/** Undefined if json is not a CustomResourceDefinition of apiextensions.k8s.io/v1. */
export function readCrd(json: unknown): Crd | undefined {
  const { apiVersion, kind: definition, spec } = fields(json)
  if (apiVersion !== 'apiextensions.k8s.io/v1') return undefined
  if (definition !== 'CustomResourceDefinition') return undefined
  const { group, scope, names, versions } = fields(spec)
  const { kind, plural, singular, listKind } = fields(names)
  if (!isText(group) || !isText(kind) || !isText(plural)) return undefined
  if ((scope !== 'Cluster' && scope !== 'Namespaced') || !Array.isArray(versions)) return undefined
  const read = versions.map((version) => readVersion(version, { group, kind }))
  if (!read.every((version) => version !== undefined)) return undefined
  if (read.filter((version) => version.storage).length !== 1) return undefined
  return {
    group,
    kind,
    listKind: isText(listKind) ? listKind : `${kind}List`,
    plural,
    singular: isText(singular) ? singular : kind.toLowerCase(),
    scope,
    versions: read,
  }
}

type Owner = { readonly group: string; readonly kind: string }

function readVersion(json: unknown, { group, kind }: Owner): CrdVersion | undefined {
  const { name, served, storage, schema, subresources, ...rest } = fields(json)
  const { additionalPrinterColumns: columns = [], deprecated, deprecationWarning } = rest
  const { openAPIV3Schema: root } = fields(schema)
  const { status } = fields(subresources)
  if (!isText(name) || !isFlag(served) || !isFlag(storage)) return undefined
  if (!isSchema(root) || !Array.isArray(columns) || !columns.every(isColumn)) return undefined
  const usual = `${group}/${name} ${kind} is deprecated`
  const warning = isText(deprecationWarning) ? deprecationWarning : usual
  return {
    name,
    served,
    storage,
    schema: root,
    columns,
    ...(deprecated === true ? { deprecationWarning: warning } : {}),
    hasStatus: isRecord(status),
  }
}

type Is = (json: unknown) => boolean

const fields = (json: unknown): JsonObject => (isRecord(json) ? json : {})
const isText = (json: unknown): json is string => typeof json === 'string'
const isFlag = (json: unknown): json is boolean => typeof json === 'boolean'
const isNumber: Is = (json) => typeof json === 'number'
const isAnything: Is = () => true

function isListOf(isItem: Is): Is {
  return (json) => Array.isArray(json) && json.every((item) => isItem(item))
}
function isMapOf(isValue: Is): Is {
  return (json) => isRecord(json) && Object.values(json).every((value) => isValue(value))
}
function isOneOf(...words: readonly string[]): Is {
  return (json) => words.some((word) => word === json)
}
/** Fields that the table does not list are not checked. */
function hasRightFields(json: unknown, table: Readonly<Record<string, Is>>): json is JsonObject {
  if (!isRecord(json)) return false
  return Object.entries(table).every(([name, is]) => !Object.hasOwn(json, name) || is(json[name]))
}

const columnFields: { readonly [K in keyof Column]-?: Is } = {
  name: isText,
  type: isText,
  jsonPath: isText,
  format: isText,
  description: isText,
  priority: isNumber,
}

const isColumn = (json: unknown): json is Column =>
  hasRightFields(json, columnFields) && 'name' in json && 'type' in json && 'jsonPath' in json

const isRule: Is = (json) =>
  hasRightFields(json, { rule: isText, message: isText }) && 'rule' in json

const isSchema = (json: unknown): json is Schema => hasRightFields(json, schemaFields)

const schemaFields: { readonly [K in keyof Schema]-?: Is } = {
  type: isOneOf('object', 'array', 'string', 'integer', 'number', 'boolean'),
  description: isText,
  format: isText,
  nullable: isFlag,
  default: isAnything,
  enum: isListOf(isAnything),
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isFlag,
  exclusiveMaximum: isFlag,
  multipleOf: isNumber,
  minLength: isNumber,
  maxLength: isNumber,
  pattern: isText,
  minItems: isNumber,
  maxItems: isNumber,
  uniqueItems: isFlag,
  minProperties: isNumber,
  maxProperties: isNumber,
  required: isListOf(isText),
  properties: isMapOf(isSchema),
  additionalProperties: (json) => isFlag(json) || isSchema(json),
  items: isSchema,
  allOf: isListOf(isSchema),
  anyOf: isListOf(isSchema),
  oneOf: isListOf(isSchema),
  not: isSchema,
  'x-kubernetes-preserve-unknown-fields': isFlag,
  'x-kubernetes-embedded-resource': isFlag,
  'x-kubernetes-int-or-string': isFlag,
  'x-kubernetes-list-type': isOneOf('atomic', 'set', 'map'),
  'x-kubernetes-list-map-keys': isListOf(isText),
  'x-kubernetes-map-type': isOneOf('atomic', 'granular'),
  'x-kubernetes-patch-merge-key': isText,
  'x-kubernetes-patch-strategy': isText,
  'x-kubernetes-validations': isListOf(isRule),
}
