// Can a speaker be brought down by messages under the seal? What is read goes on to a membership,
// which has to be alive afterwards.
import { Membership } from '../../../src/core/session/membership/membership.ts'
import { decodeMessage } from '../../../src/core/wire/gossip/decodeMessage.ts'
import { encodeMessage } from '../../../src/core/wire/gossip/encodeMessage.ts'
import type { Facts, Message } from '../../../src/core/wire/gossip/message.ts'
import { Sealer } from '../../../src/edge/host/sealing.ts'
import { type KeyRing, parseKeys } from '../../../src/edge/host/sealingKey.ts'
import { randomFrom } from '../../build/random.ts'
import { ownFacts } from '../../sim/membershipNetwork.ts'
import type { Decoder } from './damage.ts'

function ring(): KeyRing {
  const keys = parseKeys('a key of sixteen letters')
  if (!keys.ok) throw new Error(keys.why)
  return keys.value
}

const bornMs = 1_790_000_000_000
const incarnation = bornMs * 1000

const factsOf = (number: number): Facts => ({
  ...{ node: `node-${number}`, incarnation, version: 1, isLeaving: false, ...ownFacts(number) },
})
const from = { from: 'node-2', incarnation }
const report = { node: 'node-1', incarnation, link: 'eth0', isHeard: false }
const peerState = { node: 'node-1', incarnation, version: 1, state: 'dead' } as const
export const messages: readonly Message[] = [
  { ...from, kind: 'beat', sequence: 1, link: undefined },
  { ...from, kind: 'beat', sequence: 1, link: 'eth0', seen: 3 },
  { ...from, kind: 'facts', facts: [factsOf(2), factsOf(3)] },
  { ...from, kind: 'reports', reports: [report, { ...report, link: undefined }] },
  { ...from, kind: 'digest', wantsReply: true, peerStates: [peerState] },
  { ...from, kind: 'want', nodes: ['node-1', 'node-3'] },
]

/** What the one seals the other opens: they have greeted each other. */
export function sealers() {
  const [attacker, victim] = [1, 2].map(() => new Sealer(ring(), () => 0))
  if (attacker === undefined || victim === undefined) throw new Error('two')
  const greeting = victim.open(attacker.seal(new Uint8Array())).reply ?? new Uint8Array()
  victim.open(attacker.open(greeting).reply ?? new Uint8Array())
  return { attacker, victim }
}

/** So many messages are heard between two looks at the reader, and by one reader. */
const [betweenLooks, byOne] = [500, 5000] as const

/** Taken is what is a message. Whoever heard it lives, beats on and can be decoded. */
export function messagesUnderTheSeal(): Decoder {
  const { attacker, victim } = sealers()
  const random = randomFrom(1)
  let reader = new Listener(random)
  return {
    name: 'messages under the seal, heard by a speaker',
    templates: messages.map(encodeMessage),
    read(bytes) {
      const { payload } = victim.open(attacker.seal(bytes))
      if (payload === undefined) throw new Error('it died at the seal')
      const message = decodeMessage(payload)
      if (!message.ok) return false
      reader.hear(message.value)
      if (reader.heard % betweenLooks === 0) reader.expectToGoOn()
      if (reader.heard === byOne) reader = new Listener(random)
      return true
    },
  }
}

class Listener {
  readonly #random: () => number
  readonly #membership: Membership
  #now = 0
  heard = 0

  constructor(random: () => number) {
    this.#random = random
    this.#membership = new Membership({ node: 'node-1', bornMs, own: ownFacts(1), now: 0, random })
  }

  hear(message: Message): void {
    this.heard += 1
    this.#now += 1 + Math.floor(this.#random() * 20)
    const { endpoint } = ownFacts(1 + Math.floor(this.#random() * 3))
    this.#membership.heard(this.#now, { kind: 'udp', endpoint }, message)
    if (this.#now >= this.#membership.nextTickAt) this.#membership.tick(this.#now)
  }

  expectToGoOn(): void {
    const own = this.#membership.members().find(({ node }) => node === 'node-1')
    if (own?.state !== 'alive') throw new Error(`it takes itself for ${own?.state}`)
    const said = decodeMessage(encodeMessage({ ...from, kind: 'facts', facts: [own.facts] }))
    if (!said.ok) throw new Error(`nobody can read what it says: ${said.why}`)
    // A day ahead at most, and what it objected to.
    const latest = incarnation + 1e6 * (this.#now / 1000 + 24 * 3600 + 60)
    if (own.facts.incarnation >= latest) throw new Error(`it is in ${own.facts.incarnation}`)
  }
}
