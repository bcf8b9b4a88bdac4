// How is an object written down? As the bytes of its JSON.
import type { JsonObject } from '../../../core/model/gate.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Our own: what the store keeps was written by it. */
export const jsonOf = (bytes: Uint8Array): JsonObject =>
  JSON.parse(decoder.decode(bytes)) as JsonObject

export const jsonBytes = (json: unknown): Uint8Array => encoder.encode(JSON.stringify(json))
