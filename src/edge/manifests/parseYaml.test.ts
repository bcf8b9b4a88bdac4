import { expect, test } from 'vitest'
import { parseYaml } from './parseYaml.ts'

test.each([
  { text: '', value: null },
  { text: '# nothing\n', value: null },
  { text: 'a: 1\nb: [x, "y"]\n', value: { a: 1, b: ['x', 'y'] } },
  { text: '{"a": true}', value: { a: true } },
  { text: 'a: 1\n---\na: 2\n', value: { a: 1 } },
])('$text', ({ text, value }) => {
  expect(parseYaml(text)).toEqual({ ok: true, value })
})

test.each(['a: 1\nb: [\n', 'a: &a [*a]\n', `${'['.repeat(200)}`])('%s is refused', (text) => {
  expect(parseYaml(text)).toMatchObject({ ok: false, why: expect.stringMatching(/./) })
})
