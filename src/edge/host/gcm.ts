// How is a message sealed with AES-256-GCM? By the OpenSSL that is part of Node, which hands it on
// to native modules, called directly: node:crypto makes an object and a cipher for each message,
// which takes five times as long, and messages are most of what a speaker has to do when nothing
// happens. Where it cannot be reached so, node:crypto does it.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { nativeLibrary } from './packet/libc.ts'

export const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16]

export type Gcm = {
  /** The header as it is, the payload sealed, and the tag of both. */
  seal(use: Use, header: Uint8Array, payload: Uint8Array): Uint8Array
  /** The payload; undefined where it was not sealed with this key, or anything is different. */
  open(use: Use, bytes: Uint8Array, headerBytes: number): Uint8Array | undefined
}

/** No nonce comes twice under one key. */
export type Use = { readonly key: Uint8Array; readonly nonce: Uint8Array }

let chosen: Gcm | undefined

export function gcm(): Gcm {
  chosen ??= opensslGcm() ?? nodeGcm
  return chosen
}

export const nodeGcm: Gcm = {
  seal({ key, nonce }, header, payload) {
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    cipher.setAAD(header)
    const sealed = cipher.update(payload)
    cipher.final()
    return Buffer.concat([header, sealed, cipher.getAuthTag()])
  },
  open({ key, nonce }, bytes, headerBytes) {
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
  },
}

const [getTag, setTag] = [0x10, 0x11]
const [opening, sealing] = [0, 1]

/** Undefined where there is no such library, or it is another one. */
export function opensslGcm(): Gcm | undefined {
  try {
    const c = callsOf()
    const context = c.newContext()
    if (context === 0 || c.init(context, c.aes256Gcm(), 0, null, null, sealing) !== 1) return
    return usingContext(c, context)
  } catch {
    return undefined
  }
}

/** One for all messages of this thread: it is given key and nonce for each. */
function usingContext(c: Calls, context: number): Gcm {
  /** Both are written to by it and read by nobody: in this mode nothing is left for the end. */
  const [done, rest] = [Buffer.alloc(4), Buffer.alloc(tagBytes)]
  const begin = ({ key, nonce }: Use, way: number, header: Uint8Array, length: number): boolean =>
    key.length === keyBytes &&
    nonce.length === nonceBytes &&
    c.init(context, 0, 0, key, nonce, way) === 1 &&
    c.update(context, null, done, header, length) === 1
  /** It may not be handed nothing. */
  const turn = (from: Uint8Array, to: Uint8Array, length: number): boolean =>
    length === 0 || c.update(context, to, done, from, length) === 1
  return {
    seal(use, header, payload) {
      // In place: bytes of V8's own heap, as short ones are, would have to be moved out of it.
      const sealed = Buffer.allocUnsafe(header.length + payload.length + tagBytes)
      sealed.set(header)
      sealed.set(payload, header.length)
      const body = sealed.subarray(header.length)
      const isSealed =
        begin(use, sealing, sealed, header.length) &&
        turn(body, body, payload.length) &&
        c.final(context, rest, done) === 1 &&
        c.control(context, getTag, tagBytes, body.subarray(payload.length)) === 1
      if (!isSealed) throw new Error('OpenSSL does not seal')
      return sealed
    },
    open(use, bytes, headerBytes) {
      const length = bytes.length - headerBytes - tagBytes
      if (length < 0) return undefined
      const payload = Buffer.allocUnsafe(length)
      const isOpened =
        begin(use, opening, bytes, headerBytes) &&
        turn(bytes.subarray(headerBytes), payload, length) &&
        c.control(context, setTag, tagBytes, bytes.subarray(headerBytes + length)) === 1 &&
        c.final(context, rest, done) === 1
      if (isOpened) return payload
      // Whoever looks next, such as TLS, would take it for its own.
      c.clearErrors()
      return undefined
    },
  }
}

type Bytes = Uint8Array | null
/** Each gives 1 when it has succeeded. */
type Calls = {
  readonly newContext: () => number
  readonly aes256Gcm: () => number
  readonly init: (
    context: number,
    cipher: number,
    engine: number,
    key: Bytes,
    nonce: Bytes,
    way: number,
  ) => number
  readonly update: (
    context: number,
    to: Bytes,
    done: Bytes,
    from: Uint8Array,
    length: number,
  ) => number
  readonly final: (context: number, to: Uint8Array, done: Bytes) => number
  readonly control: (context: number, what: number, length: number, bytes: Uint8Array) => number
  readonly clearErrors: () => void
}

function callsOf(): Calls {
  const c = nativeLibrary()
  const context = 'uintptr_t'
  return {
    newContext: c.func(`${context} EVP_CIPHER_CTX_new()`),
    aes256Gcm: c.func('uintptr_t EVP_aes_256_gcm()'),
    init: c.func(`int EVP_CipherInit_ex(${context}, uintptr_t, uintptr_t, void *, void *, int)`),
    update: c.func(`int EVP_CipherUpdate(${context}, void *, void *, void *, int)`),
    final: c.func(`int EVP_CipherFinal_ex(${context}, void *, void *)`),
    control: c.func(`int EVP_CIPHER_CTX_ctrl(${context}, int, int, void *)`),
    clearErrors: c.func('void ERR_clear_error()'),
  }
}
