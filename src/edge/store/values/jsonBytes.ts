// How is an object encoded? As the bytes of its JSON.
import type { JsonObject } from '../../../core/model/gate.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Only for bytes that the store itself has written. */
export const jsonOf = (bytes: Uint8Array): JsonObject =>
  JSON.parse(decoder.decode(bytes)) as JsonObject

export const jsonBytes = (json: unknown): Uint8Array => encoder.encode(JSON.stringify(json))
