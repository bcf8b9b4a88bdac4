import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EveryNode } from './everyNode.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('[M5.6] every Node counts as live, and this process vouches for itself', async () => {
  const nodes = ['a']
  let vouched = 0
  const every = new EveryNode({ nodes: () => nodes, extend: () => vouched++ })
  expect(every.speakers).toEqual({ live: new Set(['a']), expected: new Set(['a']) })
  nodes.push('b')
  expect([...every.speakers.live]).toEqual(['a', 'b'])
  vi.advanceTimersByTime(400)
  expect(vouched).toBe(11)
  await every.stop()
  expect(vi.getTimerCount()).toBe(0)
})
