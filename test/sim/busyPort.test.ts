// Is the lowest shared address still found when a port is taken on very many of them? The group
// then keeps it in another form: beside it stands the plainest search there is.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SharingGroup } from '../../src/core/model/sharingGroup.ts'
import { ip } from '../build/announcing.ts'

const address = ip('10.0.0.1')
const two = ['TCP/80', 'TCP/443']
/** More than are kept in another form. */
const twelve = Array.from({ length: 12 }, (_, at) => `UDP/${at + 1}`)
const movesOf = (ports: readonly string[]) =>
  fc.array(
    fc.record({
      what: fc.constantFrom('take', 'take', 'take', 'giveBack', 'leave'),
      position: fc.nat(79),
      port: fc.constantFrom(...ports),
    }),
    { minLength: 100, maxLength: 400, size: 'max' },
  )
const onForty = twelve.flatMap((port) =>
  Array.from({ length: 40 }, (_, at) => ({ what: 'take', position: 2 * at, port })),
)

test.each([
  ['two ports', two, []],
  ['twelve ports that are taken on forty of them', twelve, onForty],
])('[M3.4] the lowest position with all ports free, on eighty addresses: %s', (_, ports, first) => {
  fc.assert(
    fc.property(movesOf(ports), fc.subarray([...ports]), (moves, wanted) => {
      const group = new SharingGroup(1000)
      const taken = new Map<number, Set<string>>()
      for (const { what, position, port } of [...first, ...moves]) {
        const there = taken.get(position)
        if (what === 'leave' && taken.delete(position)) group.leave(address, position)
        if (what === 'giveBack' && there?.delete(port)) group.giveBack(address, position, port)
        if (what !== 'take' || there?.has(port)) continue
        if (there === undefined) group.join(address, position)
        taken.set(position, new Set([...(there ?? []), port]))
        group.take(address, position, port)
      }
      const free = [...taken].filter(([, used]) => !wanted.some((port) => used.has(port)))
      const lowest = free.map(([position]) => position).sort((a, b) => a - b)[0]
      expect(group.lowest(wanted)).toBe(lowest)
      expect(group.isEmpty).toBe(taken.size === 0)
    }),
    { seed: 20_260_101 },
  )
})
