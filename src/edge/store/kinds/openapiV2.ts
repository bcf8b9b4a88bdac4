// What is published as OpenAPI v2? In JSON the schemas of v3 in the words of v2, for Terraform. As
// protobuf an empty document: kubectl asks for it before it sends a List, and leaves validation to
// the server if a kind is missing.
import type { JsonObject } from '../../../core/model/gate.ts'

const [swagger, title, version] = ['2.0', 'Kubernetes', '1.36']

export function openApiV2(schemas: Readonly<Record<string, object>>): JsonObject {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, olderNode(schema)])
  const definitions = Object.fromEntries(entries)
  return { swagger, info: { title, version }, paths: {}, definitions }
}

type Node = {
  readonly $ref?: string
  readonly allOf?: readonly Node[]
  readonly oneOf?: readonly Node[]
  readonly anyOf?: unknown
  readonly not?: unknown
  readonly default?: unknown
  readonly nullable?: unknown
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly additionalProperties?: Node | boolean
}

/** Kubernetes leaves out the same: v2 cannot say it. */
function olderNode(node: Node): object {
  const { $ref, allOf, oneOf, anyOf: _, not: __, default: ___, nullable: ____, ...rest } = node
  const { properties, items, additionalProperties: others, ...own } = rest
  const reference = $ref ?? allOf?.[0]?.$ref
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, olderNode(field)])
  return {
    ...own,
    // A quantity, or a port by number or name.
    ...(oneOf !== undefined && !('type' in own) ? { type: 'string' } : {}),
    ...(reference === undefined
      ? {}
      : { $ref: reference.replace('#/components/schemas/', '#/definitions/') }),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(fields) }),
    ...(items === undefined ? {} : { items: olderNode(items) }),
    ...(others === undefined
      ? {}
      : { additionalProperties: typeof others === 'boolean' ? others : olderNode(others) }),
  }
}

/** The only form that kubectl reads. */
export const openApiV2Type = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
export const openApiV2Bytes: Uint8Array = Buffer.concat([
  field(1, Buffer.from(swagger, 'utf8')),
  field(2, Buffer.concat([title, version].map((text, at) => field(at + 1, Buffer.from(text))))),
])

/** Protobuf: field number and wire type 2, the length (below 128 here), and the bytes. */
function field(number: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes])
}
