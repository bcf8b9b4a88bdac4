// One node silences the others. The attacker holds a node, and with it the gossip key. Afterwards: the
// others consider each other alive and candidates, and notice a death as before.
// Before: one message to each made all others give up for good.
import { expect, test } from 'vitest'
import type { Membership } from '../../src/core/session/membership/membership.ts'
import type { Body, Facts, Message, PeerState } from '../../src/core/wire/gossip/message.ts'
import { Network, ownFacts } from '../sim/membershipNetwork.ts'

const attacker = 'node-5'
const honest = ['node-1', 'node-2', 'node-3', 'node-4']
const highest = Number.MAX_SAFE_INTEGER
const lastVersion = 2 ** 32 - 1

type Forger = (victim: Facts, own: Facts) => Message | Message[]

const by = ({ node, incarnation }: Facts, body: Body): Message => ({
  ...{ from: node, incarnation, ...body },
})
const digest = (peerState: PeerState): Body => ({
  ...{ kind: 'digest', wantsReply: false, peerStates: [peerState] },
})
const peerState = ({ node, incarnation }: Facts, change: Partial<PeerState>): PeerState => ({
  ...{ node, incarnation, version: 1, state: 'dead', ...change },
})

const attempts: [name: string, forge: Forger][] = [
  [
    'facts with the last incarnation there is',
    (victim, own) => by(own, { kind: 'facts', facts: [{ ...victim, incarnation: highest }] }),
  ],
  [
    'the same in the name of the victim',
    (victim) => {
      const facts = { ...victim, incarnation: highest }
      return by(facts, { kind: 'facts', facts: [facts] })
    },
  ],
  [
    'facts from tomorrow in the name of the victim',
    (victim) => {
      const facts = { ...victim, incarnation: victim.incarnation + 1e9 }
      return by(facts, { kind: 'facts', facts: [facts] })
    },
  ],
  [
    'the victim leaves',
    (victim, own) => {
      const facts = [{ ...victim, isLeaving: true, version: lastVersion }]
      return [by(own, { kind: 'facts', facts }), by(victim, { kind: 'facts', facts })]
    },
  ],
  [
    'the victim is elsewhere',
    (victim, own) => {
      const facts = [{ ...victim, endpoint: own.endpoint, version: lastVersion }]
      return [by(own, { kind: 'facts', facts }), by(victim, { kind: 'facts', facts })]
    },
  ],
  [
    'the victim objected in an incarnation just below the last',
    (victim, own) => by(own, digest(peerState(victim, { incarnation: highest - 1 }))),
  ],
  ['the victim is dead', (victim, own) => by(own, digest(peerState(victim, {})))],
  ['the victim left', (victim, own) => by(own, digest(peerState(victim, { state: 'left' })))],
  [
    'a newer process of the victim lives',
    (victim, own) => {
      const incarnation = victim.incarnation + 5000
      return by(own, digest(peerState(victim, { incarnation, state: 'alive' })))
    },
  ],
  [
    'all others accuse the victim',
    (victim, own) =>
      honest.map((from) => {
        const { node, incarnation } = victim
        const reports = [{ node, incarnation, link: undefined, isHeard: false }]
        return by({ ...own, node: from, incarnation: highest }, { kind: 'reports', reports })
      }),
  ],
]

const factsIn = (membership: Membership, node: string): Facts => {
  const member = membership.members().find((one) => one.node === node)
  if (member === undefined) throw new Error(`${node} is not known`)
  return member.facts
}

test.each(attempts)('%s', (_, forge) => {
  const network = Network.of(5, 1)
  const from = network.now
  for (let round = 0; round < 30; round++) {
    for (const victim of honest) {
      const facts = factsIn(network.membership(victim), victim)
      const own = factsIn(network.membership(attacker), attacker)
      for (const message of [forge(facts, own)].flat()) network.forge(attacker, message)
    }
    network.run(100)
    for (const name of honest) expect(network.membership(name).isSuperseded).toBe(false)
  }
  for (const name of honest) {
    expect(network.liveFor(name)).toEqual(expect.arrayContaining(honest))
    expect([...network.membership(name).candidates()]).toEqual(expect.arrayContaining(honest))
    for (const state of ['dead', 'left']) expect(network.seen(name, state, from)).toEqual([])
  }
  network.run(2000)
  network.kill('node-2')
  network.run(2000)
  for (const name of ['node-1', 'node-3', 'node-4']) {
    expect(network.liveFor(name)).not.toContain('node-2')
    expect(network.liveFor(name)).toEqual(expect.arrayContaining(['node-1', 'node-3', 'node-4']))
  }
})

test('nodes that are made up are no candidates where the nodes are listed', () => {
  const network = Network.of(2, 1)
  const membership = network.membership('node-1')
  const [one, two] = [1, 2].map((number) => ownFacts(number).endpoint.address)
  const places = [
    { node: 'node-1', addresses: [one ?? ''] },
    { node: 'node-2', addresses: [two ?? ''] },
  ] as Parameters<Membership['seeds']>[2]
  membership.seeds(network.now, [], places)
  const madeUp = { ...factsIn(membership, 'node-2'), node: 'node-0' }
  network.forge('node-2', by(madeUp, { kind: 'facts', facts: [madeUp] }))
  network.run(1000)
  expect([...membership.candidates()]).toEqual(['node-1', 'node-2'])
  expect(membership.refused.origin).toBeGreaterThan(0)
})
