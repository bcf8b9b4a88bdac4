import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from './fault.ts'
import { ListText } from './listText.ts'

const read = (text: string, pieceBytes = text.length + 1) => {
  const [list, bytes] = [new ListText('GET /x'), Buffer.from(text)]
  const items: unknown[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    items.push(...list.take(bytes.subarray(at, at + pieceBytes)))
  }
  return { head: list.end(), items }
}

test.each([
  ['{"kind":"L","items":[{"a":1},{"b":"]}"}],"metadata":{"items":[3]}}', 2],
  ['{"items":[],"kind":"L"}', 0],
  ['{ "kind" : "L", "items" : [ {"a":"\\"],["} , 7 ] }\n', 2],
  ['{"metadata":{"items":[1,2]},"items":null}', 0],
  ['{"kind":"items","spec":"\\\\","items":[[1,2],{"items":[]}]}', 2],
  ['{}', 0],
  ['[{"items":[1]}]', 0],
  ['7', 0],
])('%s has %i items', (text, count) => {
  expect(read(text).items).toHaveLength(count)
  expect(read(text, 1)).toEqual(read(text))
})

test('reading item by item gives the same as parsing the whole', () => {
  const list = fc.record({
    kind: fc.string(),
    items: fc.array(fc.json()),
    metadata: fc.jsonValue(),
  })
  fc.assert(
    fc.property(list, fc.boolean(), fc.nat(40), ({ kind, items, metadata }, isLast, size) => {
      const values = items.map((item): unknown => JSON.parse(item))
      const rest = { kind, metadata }
      const whole = isLast ? { ...rest, items: values } : { items: values, ...rest }
      const text = JSON.stringify(whole, undefined, isLast ? 1 : undefined)
      expect(read(text, size + 1)).toEqual({
        head: { ...JSON.parse(JSON.stringify(rest)), items: [] },
        items: values,
      })
    }),
  )
})

test('[P6] a truncated list is a Fault, wherever it is cut', () => {
  const text = '{"kind":"L","metadata":{"x":"\\""},"items":[{"a":[1]},{"b":"c"}]}'
  for (let length = 0; length < text.length; length++) {
    expect(() => read(text.slice(0, length)), text.slice(0, length)).toThrow(Fault)
  }
})

test('an item is there as soon as it is complete, and the members before it are known', () => {
  const list = new ListText('GET /x')
  const take = (text: string) => [...list.take(Buffer.from(text))]
  expect(take('{"kind":"L","items":[{"a":1}')).toEqual([])
  expect(take(',{"b":')).toEqual([{ a: 1 }])
  expect(list.begun).toEqual({ kind: 'L', items: [] })
  expect(take('2}]')).toEqual([{ b: 2 }])
})

test.each([
  { what: 'an item that never ends', text: '{"items":["' },
  { what: 'a member that never ends', text: '{"items":[],"more":"' },
])('[P6] $what is not collected for ever', ({ text }) => {
  const list = new ListText('GET /x')
  const piece = Buffer.alloc(1024 * 1024, 'a')
  const take = (bytes: Buffer) => [...list.take(bytes)]
  const takeMany = () => {
    for (let count = 0; count < 20; count++) take(piece)
  }
  take(Buffer.from(text))
  expect(takeMany).toThrow('GET /x: more than 16777216 bytes that are no complete item')
})
