// What is published as OpenAPI v2? An empty document; schemas are in v3. kubectl asks for it before
// it sends a List, and leaves validation to the server if a kind is missing.

const [swagger, title, version] = ['2.0', 'Kubernetes', '1.36']

export const openApiV2 = { swagger, info: { title, version }, paths: {}, definitions: {} }

/** The same as protobuf, the only form that kubectl reads. */
export const openApiV2Type = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
export const openApiV2Bytes: Uint8Array = Buffer.concat([
  field(1, Buffer.from(swagger, 'utf8')),
  field(2, Buffer.concat([title, version].map((text, at) => field(at + 1, Buffer.from(text))))),
])

/** Protobuf: field number and wire type 2, the length (below 128 here), and the bytes. */
function field(number: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes])
}
