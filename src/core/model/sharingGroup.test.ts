import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ip } from '../../../test/build/announcing.ts'
import { SharingGroup } from './sharingGroup.ts'
import { farAway } from './space.ts'

const ports = ['TCP/80', 'TCP/443', 'UDP/53']
const address = ip('10.0.0.1')
const move = fc.tuple(
  fc.constantFrom('join', 'leave', 'take', 'giveBack'),
  fc.nat(200),
  fc.constantFrom(...ports),
)

test('[M3.4] the lowest position with all ports free, as a naive search finds it', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 80 }), fc.subarray(ports), (moves, wanted) => {
      const group = new SharingGroup(1000)
      const model = new Map<number, Set<string>>()
      for (const [what, position, port] of moves) {
        if (what === 'join' && !model.has(position)) {
          model.set(position, new Set())
          group.join(address, position)
        }
        if (what === 'leave' && model.delete(position)) group.leave(address, position)
        if (what === 'take' && model.get(position)?.add(port)) group.take(address, position, port)
        if (what === 'giveBack' && model.get(position)?.delete(port)) {
          group.giveBack(address, position, port)
        }
      }
      const free = [...model].filter(([, taken]) => !wanted.some((port) => taken.has(port)))
      const lowest = free.map(([position]) => position).sort((a, b) => a - b)[0]
      expect(group.lowest(wanted)).toBe(lowest)
      expect(group.isEmpty).toBe(model.size === 0)
    }),
  )
})

test('an address too far into a huge pool is still found', () => {
  const group = new SharingGroup(farAway)
  const far = ip('2001:db8::ffff:0:0:1')
  group.join(far, farAway)
  group.take(far, farAway, 'TCP/80')
  expect(group.lowest(['TCP/443'])).toBeUndefined()
  expect(group.lowestFar(['TCP/443'])).toBe(far)
  expect(group.lowestFar(['TCP/80'])).toBeUndefined()
})

test('[M3.4] far into a huge pool, too, the lowest is the lowest number', () => {
  const group = new SharingGroup(1000)
  const [nine, ten] = [ip('fd00:0:0:9::'), ip('fd00:0:0:10::')]
  for (const address of [ten, nine]) group.join(address, farAway)
  expect(group.lowestFar(['TCP/80'])).toBe(nine)
  group.take(nine, farAway, 'TCP/80')
  expect(group.lowestFar(['TCP/80'])).toBe(ten)
})
