import { createHash, createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { opened, sealed } from './gcm.ts'

const bytes = (hex: string) => Buffer.from(hex, 'hex')
const newKey = () => createSecretKey(randomBytes(32))

// From "The Galois/Counter Mode of Operation" by McGrew and Viega, test cases 13, 14 and 16.
test.each([
  { key: '00'.repeat(32), nonce: '00'.repeat(12), tag: '530f8afbc74536b9a963b4f1c4cb738b' },
  {
    key: '00'.repeat(32),
    nonce: '00'.repeat(12),
    payload: '00'.repeat(16),
    body: 'cea7403d4d606b6e074ec5d3baf39d18',
    tag: 'd0d1c8a799996bf0265b98b5d48ab919',
  },
  {
    key: 'feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308',
    nonce: 'cafebabefacedbaddecaf888',
    header: 'feedfacedeadbeeffeedfacedeadbeefabaddad2',
    payload:
      'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
    body: '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662',
    tag: '76fc6ece0f4e1768cddf8853bb2d551b',
  },
])('published test vector: $tag', ({ key, nonce, header = '', payload = '', body = '', tag }) => {
  const use = { key: createSecretKey(bytes(key)), nonce: bytes(nonce) }
  const whole = sealed(use, bytes(header), bytes(payload))
  expect(Buffer.from(whole).toString('hex')).toBe(`${header}${body}${tag}`)
  expect(opened(use, whole, bytes(header).length)).toEqual(bytes(payload))
})

test('a flipped bit anywhere or a missing byte is refused', () => {
  const use = { key: newKey(), nonce: randomBytes(12) }
  const whole = sealed(use, randomBytes(32), randomBytes(20))
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole)
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
    expect(opened(use, changed, 32)).toBeUndefined()
    expect(opened(use, whole.subarray(0, at), 32)).toBeUndefined()
  }
  expect(opened({ ...use, key: newKey() }, whole, 32)).toBeUndefined()
  expect(opened({ ...use, nonce: randomBytes(12) }, whole, 32)).toBeUndefined()
  expect(opened(use, whole, 32)).toHaveLength(20)
})

test('the input is not modified', () => {
  const use = { key: newKey(), nonce: randomBytes(12) }
  const [header, payload] = [randomBytes(32), randomBytes(40)]
  const whole = sealed(use, header, payload)
  const sum = () => createHash('sha256').update(header).update(payload).update(whole).digest('hex')
  const before = sum()
  opened(use, whole, 32)
  sealed(use, header, payload)
  expect(sum()).toBe(before)
})
