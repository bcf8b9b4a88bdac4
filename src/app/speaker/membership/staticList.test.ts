import { expect, test } from 'vitest'
import type { Discovered } from './discovery.ts'
import { type ListEntry, listDiscovery, parseList } from './staticList.ts'

const entry = (host: string, port = 7947, node?: string): ListEntry => ({ node, host, port })

test.each<{ text: string; entries: readonly ListEntry[] }>([
  { text: '10.0.0.1', entries: [entry('10.0.0.1')] },
  { text: '10.0.0.1:99', entries: [entry('10.0.0.1', 99)] },
  { text: ' a.example , b.example:1 ,', entries: [entry('a.example'), entry('b.example', 1)] },
  { text: 'node-1=10.0.0.1:99', entries: [entry('10.0.0.1', 99, 'node-1')] },
  { text: '[2001:DB8::1]:99', entries: [entry('2001:DB8::1', 99)] },
  { text: '2001:db8::1', entries: [entry('2001:db8::1')] },
  { text: 'n=[::1]', entries: [entry('::1', 7947, 'n')] },
])('$text is read', ({ text, entries }) => {
  expect(parseList(text, 7947)).toEqual({ ok: true, value: entries })
})

test.each([
  '',
  ' , ',
  '=10.0.0.1',
  '10.0.0.1:',
  'a:b',
  'a:0',
  'a:65536',
  '[a]',
  '[::1',
  'a b',
  '::1:x',
])('%j is refused', (text) => {
  expect(parseList(text, 7947).ok).toBe(false)
})

test('addresses are seeds, and what cannot be found is expected all the same', async () => {
  const stop = new AbortController()
  const told: Discovered[] = []
  let naps = 0
  const clock = {
    nowMs: () => 0,
    sleep: async () => {
      if (++naps === 3) stop.abort()
    },
  }
  const list = [entry('10.0.0.1', 99), entry('::1', 1, 'n'), entry('no.such.name.invalid')]
  await listDiscovery(list, clock)((found) => told.push(found), stop.signal)
  expect(told).toEqual([
    {
      seeds: [
        { address: '10.0.0.1', port: 99 },
        { address: '::1', port: 1 },
      ],
      expected: [{ address: '10.0.0.1', port: 99 }, 'n', 'no.such.name.invalid'],
      places: [
        { node: undefined, addresses: ['10.0.0.1'] },
        { node: 'n', addresses: ['::1'] },
        { node: undefined, addresses: [] },
      ],
    },
  ])
})
