// How is OpenSSL itself called? It is part of Node, which exports it for native modules. One
// context is given key and nonce for each message, so that nothing is made or looked up: messages
// are most of what a speaker does when nothing happens, and node:crypto takes five times as long.
import { nativeLibrary } from '../packet/libc.ts'
import { type Gcm, keyBytes, nonceBytes, tagBytes, type Use } from './gcm.ts'
import { nodeGcm } from './nodeGcm.ts'

/** Undefined where there is no such library, or it is another one. */
export function opensslGcm(): Gcm | undefined {
  const c = callsOrNone()
  const context = c?.newContext() ?? 0
  if (c === undefined || context === 0) return undefined
  const isBegun = c.init(context, c.aes256Gcm(), 0, null, null, sealing) === 1
  const gcm = usingContext(c, context)
  if (isBegun && isAsNodeDoes(gcm)) return gcm
  c.clearErrors()
  c.freeContext(context)
  return undefined
}

/** By one message of zeros. */
function isAsNodeDoes(gcm: Gcm): boolean {
  const use = { key: Buffer.alloc(keyBytes), nonce: Buffer.alloc(nonceBytes) }
  const [header, payload] = [Buffer.alloc(tagBytes), Buffer.alloc(tagBytes)]
  const sealed = nodeGcm.seal(use, header, payload)
  const isSame = Buffer.compare(gcm.seal(use, header, payload), sealed) === 0
  return isSame && gcm.open(use, sealed, header.length)?.length === payload.length
}

const [getTag, setTag] = [0x10, 0x11]
const [opening, sealing] = [0, 1]

function usingContext(c: Calls, context: number): Gcm {
  /** Both are written to and read by nobody: in this mode nothing is left for the end. */
  const [done, rest] = [Buffer.alloc(4), Buffer.alloc(tagBytes)]
  const isGiven = ({ key, nonce }: Use, way: number): boolean =>
    key.length === keyBytes &&
    nonce.length === nonceBytes &&
    c.init(context, 0, 0, key, nonce, way) === 1
  const isHeaderRead = (bytes: Uint8Array, length: number): boolean =>
    length === 0 || c.update(context, null, done, bytes, length) === 1
  const isTurned = (from: Uint8Array, to: Uint8Array, length: number): boolean =>
    length === 0 || c.update(context, to, done, from, length) === 1
  return {
    seal(use, header, payload) {
      // In place: bytes of V8's own heap, as short ones are, would have to be moved out of it.
      const sealed = Buffer.allocUnsafe(header.length + payload.length + tagBytes)
      sealed.set(header)
      sealed.set(payload, header.length)
      const body = sealed.subarray(header.length)
      const isSealed =
        isGiven(use, sealing) &&
        isHeaderRead(sealed, header.length) &&
        isTurned(body, body, payload.length) &&
        c.final(context, rest, done) === 1 &&
        c.control(context, getTag, tagBytes, body.subarray(payload.length)) === 1
      if (isSealed) return sealed
      c.clearErrors()
      return nodeGcm.seal(use, header, payload)
    },
    open(use, bytes, headerBytes) {
      const length = bytes.length - headerBytes - tagBytes
      if (length < 0) return undefined
      const payload = Buffer.allocUnsafe(length)
      const isOpened =
        isGiven(use, opening) &&
        isHeaderRead(bytes, headerBytes) &&
        isTurned(bytes.subarray(headerBytes), payload, length) &&
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
/** Contexts are addresses. Each call gives 1 when it has succeeded, if it gives anything. */
type Calls = {
  readonly newContext: () => number
  readonly freeContext: (context: number) => void
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
    done: Uint8Array,
    from: Uint8Array,
    length: number,
  ) => number
  readonly final: (context: number, to: Uint8Array, done: Uint8Array) => number
  readonly control: (context: number, what: number, length: number, bytes: Uint8Array) => number
  readonly clearErrors: () => void
}

function callsOrNone(): Calls | undefined {
  try {
    const c = nativeLibrary()
    return {
      newContext: c.func('uintptr_t EVP_CIPHER_CTX_new()'),
      freeContext: c.func('void EVP_CIPHER_CTX_free(uintptr_t)'),
      aes256Gcm: c.func('uintptr_t EVP_aes_256_gcm()'),
      init: c.func('int EVP_CipherInit_ex(uintptr_t, uintptr_t, uintptr_t, void *, void *, int)'),
      update: c.func('int EVP_CipherUpdate(uintptr_t, void *, void *, void *, int)'),
      final: c.func('int EVP_CipherFinal_ex(uintptr_t, void *, void *)'),
      control: c.func('int EVP_CIPHER_CTX_ctrl(uintptr_t, int, int, void *)'),
      clearErrors: c.func('void ERR_clear_error()'),
    }
  } catch {
    // No koffi, or a Node that was built without OpenSSL: sealing goes on, at a higher price.
    return undefined
  }
}
