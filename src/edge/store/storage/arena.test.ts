import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Arena } from './arena.ts'
import type { Block, Held } from './block.ts'
import { bytesOf } from './packed.ts'

class Thing implements Held<Thing> {
  readonly number: number
  block: Block<Thing> | undefined = undefined
  start = 0
  sizeBytes = 0

  constructor(number: number) {
    this.number = number
  }
}

const bytes = (length: number, fill: number) => new Uint8Array(length).fill(fill)
const isBefore = (one: Thing, other: Thing) => one.number < other.number
const fetch = ({ number }: Thing) => [bytes(number, number)]
const megabytes = (count: number) => count * 1024 * 1024

let made = 0
function held(arena: Arena<Thing>, content: Uint8Array): Thing {
  made += 1
  const one = new Thing(made)
  arena.hold(one, [content])
  return one
}

test('small objects share a block, a large one has its own of its size', () => {
  const arena = new Arena<Thing>({ isBefore, fetch })
  const [one, other, large] = [10, 20, 20_000].map((size) => held(arena, bytes(size, 7)))
  expect(one?.block).toBe(other?.block)
  expect(large?.block?.lengthBytes).toBe(20_000)
})

test('what was released can still be read by who has it, and is released once', () => {
  const arena = new Arena<Thing>({ isBefore, fetch })
  const one = held(arena, bytes(10, 1))
  const other = held(arena, bytes(10, 2))
  arena.release(one)
  arena.release(one)
  expect(other.block?.held).toEqual([other])
  expect([one, other].map(bytesOf)).toEqual([bytes(10, 1), bytes(10, 2)])
})

test('what was read or released stays as it was, whatever is written afterwards', () => {
  const arena = new Arena<Thing>({ isBefore, fetch })
  const all = Array.from({ length: 200 }, (_, index) => held(arena, bytes(1000, index)))
  const read = all.map(bytesOf)
  for (const one of all.slice(0, 190)) arena.release(one)
  Array.from({ length: 9000 }, () => held(arena, bytes(1000, 255)))
  const expected = all.map((_, index) => bytes(1000, index))
  expect(read).toEqual(expected)
  expect(all.map(bytesOf)).toEqual(expected)
})

test('what is only remembered can be read', () => {
  const arena = new Arena<Thing>({ isBefore, fetch })
  const content = [10, 100_000, 20].map((size) => bytes(size, size))
  const all = content.map((one, index) => {
    const thing = new Thing(index)
    arena.remember(thing, [one])
    return thing
  })
  expect(all.map(bytesOf)).toEqual(content)
})

test('what was left where it is is fetched once: to be read, or before it is released', () => {
  let fetched = 0
  const arena = new Arena<Thing>({
    isBefore,
    fetch: ({ number }) => {
      fetched += 1
      return [bytes(number, 1), bytes(number, 2)]
    },
  })
  const [read, released] = [new Thing(5), new Thing(6)]
  for (const one of [read, released]) arena.leave(one)
  expect(fetched).toBe(0)
  arena.release(released)
  const expected = [5, 6].map((size) => Buffer.concat([bytes(size, 1), bytes(size, 2)]))
  for (const _ of [1, 2]) {
    expect([read, released].map((one) => Buffer.from(bytesOf(one)))).toEqual(expected)
  }
  expect(fetched).toBe(2)
})

test('what was not written lately is packed, neighbours together', () => {
  const arena = new Arena<Thing>({ isBefore, fetch })
  const numbers = Array.from({ length: 3000 }, (_, index) => (index * 1009) % 3000)
  const all = numbers.map((number) => {
    const one = new Thing(number)
    arena.hold(one, [bytes(1000, number)])
    return one
  })
  const packed = all.filter(({ block }) => block?.packed !== undefined)
  expect(packed.length).toBeGreaterThan(2000)
  const [first] = packed.sort((one, other) => one.number - other.number)
  const together = first?.block?.held ?? []
  expect(together).toEqual(packed.slice(0, together.length))
  expect(all.every((one) => Buffer.compare(bytesOf(one), bytes(1000, one.number)) === 0)).toBe(true)
})

test('what does not get smaller is not packed', () => {
  const arena = new Arena<Thing>({ isBefore, fetch })
  const random = () => Uint8Array.from({ length: 16_000 }, () => Math.random() * 256)
  const content = Array.from({ length: 140 }, random)
  const all = content.map((one) => held(arena, one))
  expect(all.filter(({ block }) => block?.packed !== undefined)).toEqual([])
  expect(all.map(bytesOf)).toEqual(content)
})

const step = fc.record({ size: fc.integer({ min: 0, max: 20_000 }), victim: fc.nat() })

test('bytes are kept, in no more than twice their space and what is left unpacked', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 900, size: 'max' }), (steps) => {
      const arena = new Arena<Thing>({ isBefore, fetch })
      const live: { held: Thing; content: Uint8Array }[] = []
      for (const [index, { size, victim }] of steps.entries()) {
        const content = bytes(size, index)
        live.push({ held: held(arena, content), content })
        const gone = victim % 3 === 0 ? undefined : live.splice(victim % live.length, 1)[0]
        if (gone !== undefined) arena.release(gone.held)
      }
      expect(live.every((one) => Buffer.compare(bytesOf(one.held), one.content) === 0)).toBe(true)
      const blocks = new Set(live.map((one) => one.held.block))
      const taken = [...blocks].reduce((sum, block) => sum + (block?.lengthBytes ?? 0), 0)
      const needed = live.reduce((sum, { content }) => sum + content.length, 0)
      expect(taken).toBeLessThanOrEqual(2 * needed + megabytes(3))
    }),
    { numRuns: 50, endOnFailure: true },
  )
})

test('packed bytes take little memory, also after all were read', () => {
  const arena = new Arena<Thing>({ isBefore, fetch })
  const all = Array.from({ length: 20_000 }, (_, index) => held(arena, bytes(1000, index)))
  const sum = all.reduce((total, one) => total + (bytesOf(one)[0] ?? 0), 0)
  expect(sum).toBe(all.reduce((total, _, index) => total + (index % 256), 0))
  const kept = new Set(all.map(({ block }) => block))
  const taken = [...kept].reduce(
    (total, block) => total + (block?.packed?.length ?? 0) + (block?.bytes?.length ?? 0),
    0,
  )
  expect(taken).toBeLessThan(megabytes(6))
})
