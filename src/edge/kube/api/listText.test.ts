import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Fault } from './fault.ts'
import { listIn } from './listText.ts'

const read = (text: string) => {
  const { head, items } = listIn(Buffer.from(text), 'GET /x')
  return { head, items: [...items] }
}

test.each([
  ['{"kind":"L","items":[{"a":1},{"b":"]}"}],"metadata":{"items":[3]}}', 2],
  ['{"items":[],"kind":"L"}', 0],
  ['{ "kind" : "L", "items" : [ {"a":"\\"],["} , 7 ] }\n', 2],
  ['{"metadata":{"items":[1,2]},"items":null}', 0],
  ['{"kind":"items","spec":"\\\\","items":[[1,2],{"items":[]}]}', 2],
  ['{}', 0],
  ['[{"items":[1]}]', 1],
  ['7', 0],
])('%s has %i items', (text, count) => {
  expect(read(text).items).toHaveLength(count)
})

test('reading item by item gives the same as parsing the whole', () => {
  const list = fc.record({
    kind: fc.string(),
    items: fc.array(fc.json()),
    metadata: fc.jsonValue(),
  })
  fc.assert(
    fc.property(list, fc.boolean(), ({ kind, items, metadata }, isLast) => {
      const values = items.map((item): unknown => JSON.parse(item))
      const rest = { kind, metadata }
      const whole = isLast ? { ...rest, items: values } : { items: values, ...rest }
      const text = JSON.stringify(whole, undefined, isLast ? 1 : undefined)
      expect(read(text)).toEqual({
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
