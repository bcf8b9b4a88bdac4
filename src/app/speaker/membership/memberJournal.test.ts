import { expect, test } from 'vitest'
import { parseIp } from '../../../core/net/ip.ts'
import type { Member } from '../../../core/session/membership/member.ts'
import type { PeerReport } from '../../../core/wire/gossip/message.ts'
import { MemberJournal } from './memberJournal.ts'

const address = parseIp('10.0.0.1')

function member(node: string, state: Member['state'], incarnation = 1): Member {
  if (!address.ok) throw new Error(address.why)
  const endpoint = { address: address.value, port: 7947 }
  const said = { isReady: true, hasApi: true, isLeaving: false, links: [] }
  const facts = { node, incarnation, version: 1, endpoint, ...said }
  return { node, state, facts, silentLinks: new Set() }
}
const accuse = (node: string, incarnation = 1): PeerReport => ({
  node,
  incarnation,
  link: undefined,
  isHeard: false,
})
const reports = (...reports: readonly PeerReport[]) =>
  ({ kind: 'reports', from: 'w', incarnation: 1, reports }) as const

test('who changed is told, and since when it is so', () => {
  let hour = 0
  const journal = new MemberJournal(() => `${hour++} o'clock`)
  expect(journal.note([member('a', 'alive'), member('b', 'alive')])).toHaveLength(2)
  expect(journal.note([member('a', 'alive'), member('b', 'dead')])).toMatchObject([{ node: 'b' }])
  expect(journal.describe([member('a', 'alive'), member('b', 'dead')])).toMatchObject([
    { node: 'a', since: "0 o'clock", endpoint: '10.0.0.1 port 7947' },
    { node: 'b', since: "2 o'clock", state: 'dead' },
  ])
  expect(journal.happened.deaths).toBe(1)
})

test('an accusation counts once, however often it is said; so does its refutation', () => {
  const journal = new MemberJournal(() => '')
  journal.note([member('a', 'alive', 1)])
  journal.heard(reports(accuse('a')))
  journal.heard(reports(accuse('a'), { ...accuse('a'), isHeard: true }))
  journal.sent(reports(accuse('a')), 3)
  expect(journal.happened.accusations).toBe(1)
  journal.note([member('a', 'alive', 2)])
  journal.note([member('a', 'alive', 2)])
  expect(journal.happened.refutations).toBe(1)
  journal.note([member('a', 'alive', 1002)])
  expect(journal.happened.refutations).toBe(1)
})

test('beats are counted for each that gets one', () => {
  const journal = new MemberJournal(() => '')
  const beat = { kind: 'beat', from: 'a', incarnation: 1, sequence: 1, link: undefined } as const
  journal.sent(beat, 4)
  journal.heard(beat)
  expect(journal.happened).toMatchObject({ beatsSent: 4, beatsHeard: 1 })
})
