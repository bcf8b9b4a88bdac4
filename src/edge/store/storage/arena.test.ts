import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Arena, bytesOf, type Held, nowhere } from './arena.ts'

const bytes = (length: number, fill: number) => new Uint8Array(length).fill(fill)

function held(arena: Arena, content: Uint8Array): Held {
  const one = { ...nowhere }
  arena.hold(one, content)
  return one
}

test('small objects share a block, a large one has its own of its size', () => {
  const arena = new Arena()
  const [one, other, large] = [10, 20, 20_000].map((size) => held(arena, bytes(size, 7)))
  expect(one?.block).toBe(other?.block)
  expect(large?.block?.bytes.length).toBe(20_000)
})

test('what was released has no bytes, and is released once', () => {
  const arena = new Arena()
  const one = held(arena, bytes(10, 1))
  const other = held(arena, bytes(10, 2))
  arena.release(one)
  arena.release(one)
  expect(bytesOf(other)).toEqual(bytes(10, 2))
  expect(one.block).toBeUndefined()
})

test('a view stays as it was when its object is released or moved', () => {
  const arena = new Arena()
  const all = Array.from({ length: 200 }, (_, index) => held(arena, bytes(1000, index)))
  const views = all.map(bytesOf)
  for (const one of all.slice(0, 190)) arena.release(one)
  Array.from({ length: 200 }, () => held(arena, bytes(1000, 255)))
  expect(views).toEqual(all.map((_, index) => bytes(1000, index)))
})

const step = fc.record({ size: fc.integer({ min: 0, max: 20_000 }), victim: fc.nat() })

test('bytes are kept, in no more than twice their space and two blocks', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 300 }), (steps) => {
      const arena = new Arena()
      const live: { held: Held; content: Uint8Array }[] = []
      for (const [index, { size, victim }] of steps.entries()) {
        const content = bytes(size, index)
        live.push({ held: held(arena, content), content })
        const gone = victim % 3 === 0 ? undefined : live.splice(victim % live.length, 1)[0]
        if (gone !== undefined) arena.release(gone.held)
      }
      expect(live.every((one) => Buffer.compare(bytesOf(one.held), one.content) === 0)).toBe(true)
      const blocks = new Set(live.map((one) => one.held.block?.bytes))
      const taken = [...blocks].reduce((sum, block) => sum + (block?.length ?? 0), 0)
      const needed = live.reduce((sum, { content }) => sum + content.length, 0)
      expect(taken).toBeLessThanOrEqual(2 * needed + 2 * 64 * 1024)
    }),
    { numRuns: 50, endOnFailure: true },
  )
})
