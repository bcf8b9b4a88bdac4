import { expect, test } from 'vitest'
import { type Ip, parseIp } from '../../../core/net/ip.ts'
import { macFrom } from '../../../core/net/octets.ts'
import { prefixAround } from '../../../core/net/range.ts'
import type { Member } from '../../../core/session/membership/member.ts'
import type { Facts } from '../../../core/wire/gossip/message.ts'
import { Expected, speakersFrom, textOfSeen } from './speakersFrom.ts'

function ip(text: string): Ip {
  const address = parseIp(text)
  if (!address.ok) throw new Error(address.why)
  return address.value
}
const mac = (last: number) => macFrom(new Uint8Array([2, 0, 0, 0, 0, last]))
const subnets = [prefixAround(ip('10.0.0.1'), 24)]

function member(node: string, given: Partial<Member> = {}, facts: Partial<Facts> = {}): Member {
  const number = node.charCodeAt(0) - 96
  const links = ['eth0', 'eth1'].map((name) => ({
    name,
    mac: mac(number),
    isUp: true,
    isUsed: true,
    subnets,
  }))
  const said = { isReady: true, hasApi: true, isLeaving: false, links }
  const endpoint = { address: ip(`10.0.0.${number}`), port: 7947 }
  const all = { node, incarnation: 1, version: 1, endpoint, ...said, ...facts }
  return { node, state: 'alive', silentLinks: new Set(), facts: all, ...given }
}
const seenOf = (...members: readonly Member[]) => seenWithout([], ...members)
const seenWithout = (missing: readonly string[], ...members: readonly Member[]) =>
  speakersFrom({
    members,
    candidates: new Set(['a']),
    missing: new Set(missing),
    expected: new Set(['a', 'b']),
  })

test('the dead and those that left are not seen, and their MACs are still ours', () => {
  const leaving = member('d', {}, { isLeaving: true })
  const seen = seenOf(
    member('a'),
    member('b', { state: 'accused' }),
    member('c', { state: 'dead' }),
  )
  expect([...seen.seen]).toEqual(['a', 'b'])
  expect([...seen.macs.keys()]).toEqual([mac(1), mac(2), mac(3)])
  const later = seenOf(member('c', { state: 'left' }), leaving)
  expect([[...later.seen], [...later.left]]).toEqual([['d'], ['c', 'd']])
})

test('[R8.3] who does not answer when many fall silent is not seen, though it may live', () => {
  const seen = seenWithout(['b'], member('a'), member('b'))
  expect([[...seen.seen], [...seen.links.keys()]]).toEqual([['a'], ['a', 'b']])
})

test('a link is up when its node says so and its fellows hear it there', () => {
  const { links } = seenOf(member('a', { silentLinks: new Set(['eth1']) }))
  expect(links.get('a')).toEqual([
    { name: 'eth0', isUp: true, subnets },
    { name: 'eth1', isUp: false, subnets },
  ])
})

test('equal texts mean that nothing changed', () => {
  const text = textOfSeen(seenOf(member('a'), member('b')))
  expect(textOfSeen(seenOf(member('a'), member('b', {}, { version: 7 })))).toBe(text)
  const others = [
    seenOf(member('a')),
    seenOf(member('a'), member('b', { state: 'left' })),
    seenOf(member('a'), member('b', { silentLinks: new Set(['eth0']) })),
    seenOf(member('a'), member('b', {}, { isLeaving: true })),
  ]
  for (const other of others) expect(textOfSeen(other)).not.toBe(text)
})

test('[R8.3] whoever was seen at a listed endpoint is expected, also when it is gone', () => {
  const expected = new Expected('a')
  const [b, x] = [member('b'), { address: ip('10.0.0.9'), port: 1 }]
  expected.list([b.facts.endpoint, x, 'c'])
  expect([...expected.nodes([])]).toEqual(['10.0.0.2 7947', '10.0.0.9 1', 'a', 'c'])
  expect([...expected.nodes([b])]).toEqual(['10.0.0.9 1', 'a', 'b', 'c'])
  expect([...expected.nodes([])]).toEqual(['10.0.0.9 1', 'a', 'b', 'c'])
})
