// Bytes that no speaker sends, under the seal. The attacker holds the gossip key.
// Afterwards: nothing was thrown, and whoever heard it is alive, beats on and can be decoded.
import process from 'node:process'
import { expect, test } from 'vitest'
import { Membership } from '../../src/core/session/membership/membership.ts'
import { decodeMessage } from '../../src/core/wire/gossip/decodeMessage.ts'
import { encodeMessage } from '../../src/core/wire/gossip/encodeMessage.ts'
import type { Facts, Message } from '../../src/core/wire/gossip/message.ts'
import { Sealer } from '../../src/edge/host/sealing.ts'
import { type KeyRing, parseKeys } from '../../src/edge/host/sealingKey.ts'
import { randomFrom } from '../build/random.ts'
import { ownFacts } from '../sim/membershipNetwork.ts'

function ring(): KeyRing {
  const keys = parseKeys('a key of sixteen letters')
  if (!keys.ok) throw new Error(keys.why)
  return keys.value
}

/** As many as take a second; more, and others, where they are asked for. */
const inputs = Number(process.env['BERTH_FUZZ_INPUTS'] ?? 10_000)
const seed = Number(process.env['BERTH_SOAK_SEED'] ?? 1)
const bornMs = 1_790_000_000_000
const incarnation = bornMs * 1000

const factsOf = (number: number): Facts => ({
  ...{ node: `node-${number}`, incarnation, version: 1, isLeaving: false, ...ownFacts(number) },
})
const from = { from: 'node-2', incarnation }
const report = { node: 'node-1', incarnation, link: 'eth0', isHeard: false }
const peerState = { node: 'node-1', incarnation, version: 1, state: 'dead' } as const
const messages: readonly Message[] = [
  { ...from, kind: 'beat', sequence: 1, link: undefined },
  { ...from, kind: 'beat', sequence: 1, link: 'eth0', seen: 3 },
  { ...from, kind: 'facts', facts: [factsOf(2), factsOf(3)] },
  { ...from, kind: 'reports', reports: [report, { ...report, link: undefined }] },
  { ...from, kind: 'digest', wantsReply: true, peerStates: [peerState] },
  { ...from, kind: 'want', nodes: ['node-1', 'node-3'] },
]

/** What the one seals the other opens: they have greeted each other. */
function sealers() {
  const [attacker, victim] = [1, 2].map(() => new Sealer(ring(), () => 0))
  if (attacker === undefined || victim === undefined) throw new Error('two')
  const greeting = victim.open(attacker.seal(new Uint8Array())).reply ?? new Uint8Array()
  victim.open(attacker.open(greeting).reply ?? new Uint8Array())
  return { attacker, victim }
}

/** As many as one reader hears before the next one begins. */
const atOnce = 5000

test('whatever is sealed is read or refused, and the reader goes on', () => {
  const random = randomFrom(seed)
  const { attacker, victim } = sealers()
  const next = damaged(random)
  let read = 0
  for (let left = inputs; left > 0; left -= atOnce) {
    const heard = Array.from({ length: Math.min(left, atOnce) }, () => {
      const { payload } = victim.open(attacker.seal(next()))
      if (payload === undefined) throw new Error('it died at the seal')
      const message = decodeMessage(payload)
      return message.ok ? message.value : []
    }).flat()
    read += heard.length
    expectToGoOn(heard, random)
  }
  expect(read).toBeGreaterThan(inputs / 4)
})

function damaged(random: () => number): () => Uint8Array {
  const upTo = (most: number) => Math.floor(random() * most)
  const templates = messages.map(encodeMessage)
  return () => {
    const bytes = Array.from(templates[upTo(templates.length)] ?? [])
    for (let change = upTo(4); change > 0; change--) {
      const [at, octet] = [upTo(bytes.length), [0, 1, 127, 255, upTo(256)][upTo(5)] ?? 0]
      if (random() < 0.8) bytes[at] = octet
      else bytes.splice(at, upTo(6), ...Array.from({ length: upTo(6) }, () => upTo(256)))
    }
    return Uint8Array.from(random() < 0.1 ? bytes.slice(0, upTo(bytes.length)) : bytes)
  }
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
