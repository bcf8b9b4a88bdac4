// What is it to seal a message with AES-256-GCM? Nobody can read it without the key, nor change it.

export type Gcm = {
  /** The header as it is, the payload sealed, and the tag of both. */
  seal(use: Use, header: Uint8Array, payload: Uint8Array): Uint8Array
  /** The payload; undefined where it was not sealed with this key, or anything is different. */
  open(use: Use, bytes: Uint8Array, headerBytes: number): Uint8Array | undefined
}

/** No nonce comes twice under one key. */
export type Use = { readonly key: Uint8Array; readonly nonce: Uint8Array }

export const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16]
