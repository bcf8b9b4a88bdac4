import { expect, test } from 'vitest'
import { placeOf, ringOf, watchedBy, watchersOf } from './ring.ts'

const named = (count: number) => Array.from({ length: count }, (_, at) => `worker-${at}`)
const placed = (nodes: readonly string[]) => nodes.map((node) => ({ node, place: placeOf(node) }))

test.each([1, 2, 3, 5, 6, 200])('of %i each is watched by at most four others', (count) => {
  const nodes = named(count)
  const ring = ringOf(placed(nodes))
  for (const node of nodes) {
    const watchers = watchersOf(ring, node)
    expect(new Set(watchers).size).toBe(Math.min(4, count - 1))
    expect(watchers).not.toContain(node)
    for (const watcher of watchers) expect(watchedBy(ring, watcher)).toContain(node)
    expect(watchedBy(ring, node)).toHaveLength(watchers.length)
  }
})

test('the order in which members are known does not matter', () => {
  const nodes = named(50)
  expect(ringOf(placed(nodes.toReversed()))).toEqual(ringOf(placed(nodes)))
})

test('one more member changes the watchers of few', () => {
  const [before, after] = [ringOf(placed(named(100))), ringOf(placed(named(101)))]
  const changed = named(100).filter(
    (node) => watchersOf(before, node).join() !== watchersOf(after, node).join(),
  )
  expect(changed).toHaveLength(4)
})

test('who is not in the ring is watched by nobody', () => {
  expect(watchersOf(ringOf(placed(named(3))), 'other')).toEqual([])
})
