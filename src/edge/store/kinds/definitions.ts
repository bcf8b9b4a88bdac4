// What are the schemas of the built-in kinds? Those that Kubernetes publishes, in deploy/openapi:
// read when first needed, with every reference resolved.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Schema } from '../../kube/schema/schema.ts'

/** Values that plain JSON types cannot describe. */
type Form = 'Time' | 'MicroTime' | 'Quantity' | 'SchemaOrBool' | 'Anything'

/** A schema with what only built-in kinds have. */
export type BuiltInSchema = Schema & {
  readonly properties?: Readonly<Record<string, BuiltInSchema>>
  readonly additionalProperties?: BuiltInSchema | boolean
  readonly items?: BuiltInSchema
  readonly 'x-kubernetes-patch-merge-key'?: string
  readonly 'x-kubernetes-patch-strategy'?: string
  /** An empty value is kept as given, or shown even when absent; by default it is dropped. */
  readonly 'x-berth-empty'?: 'kept' | 'shown'
  readonly 'x-berth-form'?: Form
  /** The name of its Go type. */
  readonly 'x-berth-type'?: string
}

/** As published: `$ref` names another definition. */
type Published = Omit<BuiltInSchema, 'properties' | 'items' | 'additionalProperties'> & {
  readonly $ref?: string
  readonly allOf?: readonly { readonly $ref?: string }[]
  readonly properties?: Readonly<Record<string, Published>>
  readonly additionalProperties?: Published | boolean
  readonly items?: Published
}
type File = Readonly<Record<string, Published>>

const folder = fileURLToPath(new URL('../../../../deploy/openapi', import.meta.url))
const files = new Map<string, File>()

/** `io.k8s.api.core.v1.Service` is in the file of its package, `io.k8s.api.core.v1`. */
export function published(name: string): Published {
  const file = name.slice(0, name.lastIndexOf('.'))
  const known = files.get(file) ?? readDefinitions(file)
  files.set(file, known)
  const found = known[name]
  if (found === undefined) throw new Error(`deploy/openapi does not define ${name}`)
  return found
}

const readDefinitions = (file: string): File =>
  JSON.parse(readFileSync(`${folder}/${file}.json`, 'utf8')) as File

/** The definition that a node refers to; its other properties describe the field. */
const referenceIn = ({ $ref, allOf }: Published): string | undefined =>
  ($ref ?? allOf?.[0]?.$ref)?.slice('#/components/schemas/'.length)

const schemaProps = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'
const forms: Readonly<Record<string, BuiltInSchema>> = {
  Time: { type: 'string', format: 'date-time', 'x-berth-form': 'Time' },
  MicroTime: { type: 'string', format: 'date-time', 'x-berth-form': 'MicroTime' },
  Quantity: { 'x-berth-form': 'Quantity' },
  IntOrString: { 'x-kubernetes-int-or-string': true },
  FieldsV1: { type: 'object', 'x-berth-form': 'Anything' },
  JSON: { 'x-berth-form': 'Anything' },
}
const resolved = new Map<string, BuiltInSchema>()

export function definition(name: string): BuiltInSchema {
  const known = resolved.get(name)
  if (known !== undefined) return known
  const form = forms[name.slice(name.lastIndexOf('.') + 1)]
  if (form !== undefined) return remember(name, form)
  if (name === `${schemaProps}OrBool` || name === `${schemaProps}OrArray`) {
    return remember(name, { ...definition(schemaProps), 'x-berth-form': 'SchemaOrBool' })
  }
  if (name === `${schemaProps}OrStringArray`) return remember(name, { 'x-berth-form': 'Anything' })
  const { properties: fields, ...rest } = published(name)
  if (fields === undefined) return remember(name, resolve(rest))
  // Entered before it is complete, because a definition may contain itself.
  const properties: Record<string, BuiltInSchema> = {}
  const goType = name.slice(name.lastIndexOf('.') + 1)
  const schema = remember(name, { ...resolve(rest), properties, 'x-berth-type': goType })
  for (const [field, node] of Object.entries(fields)) properties[field] = resolve(node)
  return schema
}

function remember(name: string, schema: BuiltInSchema): BuiltInSchema {
  resolved.set(name, schema)
  return schema
}

function resolve(node: Published): BuiltInSchema {
  const { $ref: _, allOf: __, properties, items, additionalProperties: others, ...own } = node
  const reference = referenceIn(node)
  const inside = Object.entries(properties ?? {}).map(([name, field]) => [name, resolve(field)])
  return {
    ...(reference === undefined ? {} : definition(reference)),
    ...own,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(inside) }),
    ...(items === undefined ? {} : { items: resolve(items) }),
    ...(others === undefined
      ? {}
      : { additionalProperties: isNode(others) ? resolve(others) : others }),
  }
}

const isNode = (node: Published | boolean): node is Published => typeof node === 'object'
