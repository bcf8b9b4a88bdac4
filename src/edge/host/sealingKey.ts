// Which keys does a key file hold? One per line: the first one seals, all of them open. To rotate,
// add the new key as the second line everywhere, then move it first everywhere, then drop the old.
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { type Parsed, parsed, refused } from '../../core/net/parsed.ts'

export type SealingKey = {
  /** Tells which key a message needs, without trying them all; not a secret. */
  readonly hint: number
  /** The key for one sender's messages: its counter is the nonce, so no other sender may use it. */
  readonly ofSender: (sender: bigint) => KeyObject
}

/** AES-256. */
const keyBytes = 32

/** The first one seals. */
export type KeyRing = readonly [SealingKey, ...SealingKey[]]

const label = 'berth membership 1'
/** The hint allows offline guessing of the key text, so short texts are refused. */
const fewestCharacters = 16

export function parseKeys(text: string): Parsed<KeyRing> {
  const lines = text.split('\n').map((line) => line.trim())
  const [first, ...others] = new Set(lines.filter((line) => line !== ''))
  if (first === undefined) return refused('no key found')
  if ([first, ...others].some((key) => key.length < fewestCharacters)) {
    const remedy = 'head -c 32 /dev/urandom | base64'
    return refused(
      `a key needs at least ${fewestCharacters} characters; generate one with: ${remedy}`,
    )
  }
  return parsed([keyOf(first), ...others.map(keyOf)])
}

/** HKDF with SHA-256 (RFC 5869): the text may have any length, and labels separate the uses. */
function keyOf(text: string): SealingKey {
  const derive = (use: string, length: number) =>
    Buffer.from(hkdfSync('sha256', text, '', `${label} ${use}`, length))
  return {
    hint: derive('hint', 4).readUInt32BE(),
    ofSender: (sender) => createSecretKey(derive(`sender ${sender.toString(16)}`, keyBytes)),
  }
}
