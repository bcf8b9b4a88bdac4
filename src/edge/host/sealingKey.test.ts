import { expect, test } from 'vitest'
import { parseKeys } from './sealingKey.ts'

function hex(text: string, sender: bigint): string {
  const keys = parseKeys(text)
  if (!keys.ok) throw new Error(keys.why)
  return keys.value[0].ofSender(sender).export().toString('hex')
}
const [one, two] = ['the first of keys', 'the second of keys']

test.each([
  { text: 'the first of keys', count: 1 },
  { text: 'the first of keys\n', count: 1 },
  { text: ' a second of them \r\n\nthe first of keys\n', count: 2 },
  { text: 'the first of keys\nthe first of keys', count: 1 },
  { text: '0123456789abcdef', count: 1 },
  { text: 'x'.repeat(10_000), count: 1 },
])('$text: keys $count', ({ text, count }) => {
  const keys = parseKeys(text)
  expect(keys.ok && keys.value.length).toBe(count)
})

test.each(['', '\n', ' \r\n\t'])('%j: no key', (text) => {
  expect(parseKeys(text)).toEqual({ ok: false, why: 'no key found' })
})

test.each(['0123456789abcde', 'short\nthe first of keys', 'the first of keys\nshort'])(
  '%j is too short',
  (text) => {
    const why =
      'a key needs at least 16 characters; generate one with: head -c 32 /dev/urandom | base64'
    expect(parseKeys(text)).toEqual({ ok: false, why })
  },
)

test('each text and each sender has a key of its own, 32 bytes, always the same', () => {
  const keys = [hex(one, 1n), hex(one, 2n), hex(two, 1n), hex(one, 17n)]
  expect(new Set(keys).size).toBe(4)
  expect(keys.map((key) => key.length)).toEqual([64, 64, 64, 64])
  expect(hex(one, 1n)).toBe(keys[0])
})

// Made with OpenSSL: kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt key:… -kdfopt info:… HKDF
test('the key is HKDF with SHA-256 over the text', () => {
  expect(hex(one, 1n)).toBe('063b9b435dcc9782af394390e93a64f440ec977920e835936450b6dd06b96413')
})
