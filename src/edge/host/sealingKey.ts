// Which keys does a text hold? One a line: the first seals, all of them open. To rotate, add the
// new key as the second line everywhere, then put it first everywhere, then drop the old one.
import { hkdfSync } from 'node:crypto'
import { type Parsed, parsed, refused } from '../../core/net/parsed.ts'

export type SealingKey = {
  /** Says which key a message needs, so that nothing is tried in vain; no secret. */
  readonly hint: number
  /** The key of one sender's messages: its counter is the nonce, so no other may use it. */
  readonly ofSender: (sender: bigint) => Uint8Array
}

/** AES-256. */
const keyBytes = 32

/** The first seals. */
export type KeyRing = readonly [SealingKey, ...SealingKey[]]

const label = 'berth membership 1'
/** The hint lets whoever sees it try out texts at leisure: what people think of is soon found. */
const fewestCharacters = 16

export function parseKeys(text: string): Parsed<KeyRing> {
  const lines = text.split('\n').map((line) => line.trim())
  const [first, ...others] = new Set(lines.filter((line) => line !== ''))
  if (first === undefined) return refused('there is no key')
  if ([first, ...others].some((key) => key.length < fewestCharacters)) {
    const remedy = 'head -c 32 /dev/urandom | base64'
    return refused(`a key has at least ${fewestCharacters} characters; to make one: ${remedy}`)
  }
  return parsed([keyOf(first), ...others.map(keyOf)])
}

/** HKDF with SHA-256 (RFC 5869), so the text may have any length; the label parts the uses. */
function keyOf(text: string): SealingKey {
  const derive = (use: string, length: number) =>
    Buffer.from(hkdfSync('sha256', text, '', `${label} ${use}`, length))
  return {
    hint: derive('hint', 4).readUInt32BE(),
    ofSender: (sender) => derive(`sender ${sender.toString(16)}`, keyBytes),
  }
}
