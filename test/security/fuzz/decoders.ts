// Which decoders read from a network? All that an attacker can reach; those of Node aside.
import { decodeMessage } from '../../../src/core/wire/gossip/decodeMessage.ts'
import { encodeMessage } from '../../../src/core/wire/gossip/encodeMessage.ts'
import { answerDecoders } from './answerDecoders.ts'
import { bodyDecoders } from './bodyDecoders.ts'
import type { Decoder } from './damage.ts'
import { messages, messagesUnderTheSeal } from './gossipReader.ts'
import { objectDecoders } from './objectDecoders.ts'
import { podDecoders } from './podDecoders.ts'
import { sealedDatagrams } from './sealedDatagrams.ts'
import { taken, wireDecoders } from './wireDecoders.ts'

const gossip: Decoder = {
  name: 'a message of a speaker',
  templates: messages.map(encodeMessage),
  read: taken(decodeMessage, encodeMessage),
}

export const decoders: readonly Decoder[] = [
  ...wireDecoders,
  sealedDatagrams(),
  gossip,
  messagesUnderTheSeal(),
  ...bodyDecoders,
  ...answerDecoders,
  ...objectDecoders,
  ...podDecoders,
]
