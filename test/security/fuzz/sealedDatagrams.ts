// What reads a datagram that anybody may have sent? The seal: it opens what was sealed, once, and
// nothing else.

import { encodeMessage } from '../../../src/core/wire/gossip/encodeMessage.ts'
import { toHex } from '../../build/hex.ts'
import type { Decoder } from './damage.ts'
import { messages, sealers } from './gossipReader.ts'

export function sealedDatagrams(): Decoder {
  const { attacker: friend, victim } = sealers()
  const templates = messages.map((message) => friend.seal(encodeMessage(message)))
  const unopened = new Set(templates.map(toHex))
  return {
    name: 'a sealed datagram',
    templates,
    /** Taken is what has the form of one. */
    read(bytes) {
      const before = victim.counts.malformed
      const { payload, reply } = victim.open(bytes)
      if (payload !== undefined && !unopened.delete(toHex(bytes))) {
        throw new Error('opened, though nobody sealed it, or for the second time')
      }
      if (reply !== undefined) throw new Error('a stranger was greeted')
      return victim.counts.malformed === before
    },
  }
}
