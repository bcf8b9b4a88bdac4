// What is the hash of an object? As OpenStack's operators compute it: theirs and ours agree.
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** Of plain data: its JSON as Go writes it, SHA-256 as a list of numbers, then safe letters. */
function objectHash(value: unknown): string {
  const digest = sha256(utf8ToBytes(goJson(value)))
  const printed = `[${[...digest].join(' ')}]`
  return [...printed].map((one) => alphabet[one.charCodeAt(0) % alphabet.length]).join('')
}

const escaped = /[<>&\u2028\u2029]/g

const goJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    escaped,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

type Named = { readonly name: string; readonly hash: string }

/** Of several ConfigMaps, whichever comes first. */
export const hashOfMaps = (maps: readonly Named[]): string =>
  objectHash(
    maps
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, hash }) => ({ name, value: hash })),
  )

type Data = Readonly<Record<string, unknown>>

export function hashOfData(data: Data, binaryData: Data = {}): string {
  const fields = { data: sorted(data), binaryData: sorted(binaryData) }
  return objectHash(
    Object.fromEntries(Object.entries(fields).filter(([, one]) => Object.keys(one).length > 0)),
  )
}

const sorted = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).toSorted(([one], [other]) => (one < other ? -1 : 1)))
