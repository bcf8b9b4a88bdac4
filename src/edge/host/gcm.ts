// How is a message sealed with AES-256-GCM? Without the key it can neither be read nor changed.
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'

/** A nonce must never be used twice with one key. As bytes, a key would be checked for each use. */
export type Use = { readonly key: KeyObject; readonly nonce: Uint8Array }

export const [nonceBytes, tagBytes] = [12, 16]

/** The plain header, the encrypted payload, and a tag that authenticates both. */
export function sealed({ key, nonce }: Use, header: Uint8Array, payload: Uint8Array): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(header)
  const body = cipher.update(payload)
  cipher.final()
  return Buffer.concat([header, body, cipher.getAuthTag()])
}

/** The payload; undefined if the key is wrong or anything was changed. */
export function opened(
  { key, nonce }: Use,
  bytes: Uint8Array,
  headerBytes: number,
): Uint8Array | undefined {
  const tag = bytes.length - tagBytes
  if (tag < headerBytes) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(bytes.subarray(0, headerBytes))
  decipher.setAuthTag(bytes.subarray(tag))
  const payload = decipher.update(bytes.subarray(headerBytes, tag))
  try {
    decipher.final()
    return payload
  } catch {
    return undefined
  }
}
