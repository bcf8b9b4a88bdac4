// Can a speaker be brought down by messages under the seal? What is read goes on to a membership,
// which has to be alive afterwards.
import { expect } from 'vitest'
import { Membership } from '../../../src/core/session/membership/membership.ts'
import { decodeMessage } from '../../../src/core/wire/gossip/decodeMessage.ts'
import { encodeMessage } from '../../../src/core/wire/gossip/encodeMessage.ts'
import type { Facts, Message } from '../../../src/core/wire/gossip/message.ts'
import { Sealer } from '../../../src/edge/host/sealing.ts'
import { type KeyRing, parseKeys } from '../../../src/edge/host/sealingKey.ts'
import { randomFrom } from '../../build/random.ts'
import { ownFacts } from '../../sim/membershipNetwork.ts'
import { damagedFrom } from './damage.ts'
import type { Plan } from './fuzz.ts'

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

/** As many as one reader hears before the next one begins. */
const atOnce = 5000

/** How many inputs there were, and how many of them were messages. */
export function fuzzGossip({ inputs, seed, mostSeconds = Number.POSITIVE_INFINITY }: Plan): {
  readonly inputs: number
  readonly read: number
} {
  const random = randomFrom(seed)
  const { attacker, victim } = sealers()
  const next = damagedFrom({ templates: messages.map(encodeMessage) }, random)
  const end = performance.now() + mostSeconds * 1000
  let [read, done] = [0, 0]
  while (done < inputs && performance.now() < end) {
    const heard = Array.from({ length: Math.min(inputs - done, atOnce) }, () => {
      done += 1
      const { payload } = victim.open(attacker.seal(next()))
      if (payload === undefined) throw new Error('it died at the seal')
      const message = decodeMessage(payload)
      return message.ok ? message.value : []
    }).flat()
    read += heard.length
    expectToGoOn(heard, random)
  }
  return { inputs: done, read }
}

function expectToGoOn(heard: readonly Message[], random: () => number): void {
  const membership = new Membership({ node: 'node-1', bornMs, own: ownFacts(1), now: 0, random })
  let now = 0
  for (const message of heard) {
    now += 1 + Math.floor(random() * 20)
    const { endpoint } = ownFacts(1 + Math.floor(random() * 3))
    membership.heard(now, { kind: 'udp', endpoint }, message)
    if (now >= membership.nextTickAt) membership.tick(now)
  }
  const own = membership.members().find(({ node }) => node === 'node-1')
  expect(own?.state).toBe('alive')
  const said = encodeMessage({ ...from, kind: 'facts', facts: own ? [own.facts] : [] })
  expect(decodeMessage(said).ok).toBe(true)
  // A day ahead at most, and what it objected to.
  expect(own?.facts.incarnation).toBeLessThan(incarnation + 1e6 * (now / 1000 + 24 * 3600 + 60))
}
