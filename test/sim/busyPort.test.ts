// Is the lowest shared address still found when a port is taken on very many of them? The group
// then keeps it in another form: beside it stands the plainest search there is.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SharingGroup } from '../../src/core/model/sharingGroup.ts'
import { ip } from '../build/announcing.ts'

const ports = ['TCP/80', 'TCP/443']
const address = ip('10.0.0.1')
const move = fc.record({
  what: fc.constantFrom('take', 'take', 'take', 'giveBack', 'leave'),
  position: fc.nat(79),
  port: fc.constantFrom(...ports),
})
const moves = fc.array(move, { minLength: 100, maxLength: 400, size: 'max' })

test('[M3.4] the lowest position with all ports free, on eighty addresses', () => {
  fc.assert(
    fc.property(moves, fc.subarray(ports), (all, wanted) => {
      const group = new SharingGroup(1000)
      const taken = new Map<number, Set<string>>()
      for (const { what, position, port } of all) {
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
