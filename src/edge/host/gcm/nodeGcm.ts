// How does Node itself seal a message? An object and a cipher are made for each.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { type Gcm, tagBytes } from './gcm.ts'

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
