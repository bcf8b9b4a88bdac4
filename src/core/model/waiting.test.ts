import { expect, test } from 'vitest'
import { ip } from '../../../test/build/announcing.ts'
import { Waiting } from './waiting.ts'

const wait = (
  lineKey: string,
  given: { pools?: string[]; addresses?: string[]; tenant?: string },
) => ({
  requestKey: lineKey,
  lineKey,
  pools: given.pools ?? [],
  addresses: (given.addresses ?? []).map(ip),
  tenant: given.tenant ?? '',
})
const at = (second: number, key: string, given: { holds?: boolean; group?: string } = {}) => ({
  key,
  createdAt: `2026-01-01T00:00:0${second}Z`,
  holds: given.holds ?? false,
  group: given.group ?? '',
})

test('[R2.3] the oldest of a line is woken, whatever it is called', () => {
  const waiting = new Waiting()
  waiting.enter(at(5, 'ns/a'), wait('plain', { pools: ['lan'] }))
  waiting.enter(at(1, 'ns/z'), wait('plain', { pools: ['lan'] }))
  expect(waiting.onPool('lan')).toEqual(['ns/z'])
  expect(waiting.onPool('wan')).toEqual([])
})

test('[R2.3] who leaves wakes the next, also one that was deleted', () => {
  const waiting = new Waiting()
  waiting.enter(at(1, 'ns/a'), wait('plain', { pools: ['lan'] }))
  waiting.enter(at(1, 'ns/b'), wait('plain', { pools: ['lan'] }))
  expect(waiting.leave('ns/a')).toBe('ns/b')
  expect(waiting.leave('ns/a')).toBeUndefined()
  expect(waiting.onPool('lan')).toEqual(['ns/b'])
  expect(waiting.leave('ns/b')).toBeUndefined()
  expect(waiting.onPool('lan')).toEqual([])
})

test('each line of different requests is woken by one that it may concern', () => {
  const waiting = new Waiting()
  waiting.enter(at(1, 'ns/four'), wait('IPv4', { pools: ['lan', 'wan'] }))
  waiting.enter(at(1, 'ns/six'), wait('IPv6', { pools: ['wan'] }))
  waiting.enter(at(1, 'ns/this'), wait('10.0.0.5', { addresses: ['10.0.0.5'] }))
  waiting.enter(at(1, 'ns/poor'), wait('quota', { tenant: 'red' }))
  expect(waiting.onPool('wan')).toEqual(['ns/four', 'ns/six'])
  expect(waiting.onAddress(ip('10.0.0.5'))).toEqual(['ns/this'])
  expect(waiting.onQuota('red')).toEqual(['ns/poor'])
})

test('a changed request moves to another line and wakes the next of the old one', () => {
  const waiting = new Waiting()
  waiting.enter(at(1, 'ns/a'), wait('old', { pools: ['lan'] }))
  waiting.enter(at(2, 'ns/b'), wait('old', { pools: ['lan'] }))
  expect(waiting.enter(at(1, 'ns/a'), wait('new', { pools: ['wan'] }))).toBe('ns/b')
  expect([waiting.requestKeyOf('ns/a'), waiting.requestKeyOf('ns/b')]).toEqual(['new', 'old'])
  expect(waiting.enter(at(1, 'ns/a'), wait('new', { pools: ['wan'] }))).toBeUndefined()
})

test('[M3.4] a group is woken apart from who cannot share with it', () => {
  const waiting = new Waiting()
  waiting.enter(at(1, 'ns/a', { group: 'k' }), wait('k 80', { pools: ['lan'] }))
  waiting.enter(at(2, 'ns/b', { group: 'k' }), wait('k 81', { pools: ['lan'] }))
  waiting.enter(at(3, 'ns/c', { group: 'j' }), wait('j 80', { pools: ['lan'] }))
  waiting.enter(at(4, 'ns/d'), wait('alone', { pools: ['lan'] }))
  expect(waiting.onGroup('lan', 'k')).toEqual(['ns/a', 'ns/b'])
  expect([waiting.onGroup('wan', 'k'), waiting.onGroup('lan', '')]).toEqual([[], []])
  waiting.leave('ns/a')
  expect(waiting.onGroup('lan', 'k')).toEqual(['ns/b'])
})

test('[R2.3] in front of a pool stands the first of each line: holders, then the oldest', () => {
  const waiting = new Waiting()
  waiting.enter(at(2, 'ns/two'), wait('one line', { pools: ['lan'] }))
  waiting.enter(at(3, 'ns/three'), wait('one line', { pools: ['lan'] }))
  waiting.enter(at(1, 'ns/one'), wait('another', { pools: ['lan', 'wan'] }))
  waiting.enter(at(4, 'ns/half', { holds: true }), wait('a pair', { pools: ['lan'] }))
  const order = []
  for (let next = waiting.nextOnPool('lan'); next; next = waiting.nextOnPool('lan', next)) {
    order.push(next.key)
  }
  expect(order).toEqual(['ns/half', 'ns/one', 'ns/two'])
  waiting.leave('ns/two')
  expect(waiting.onPool('lan')).toEqual(['ns/half', 'ns/one', 'ns/three'])
  expect(waiting.nextOnPool('wan')?.key).toBe('ns/one')
})
