// Core keeps no state of its own: what changes lives in an object that somebody made and holds.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const files = readdirSync('src/core', { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)

/** What is made at module level and can be written to afterwards, line by line. */
const mutable = [
  // A binding that can be set again.
  /^(?:export )?(?:let|var) /,
  // An object of a class, or an empty list or record, whose type does not say that it is read-only.
  /^(?:export )?const \w+(?:: (?!Readonly|readonly )[^=]*)? = (?:new (?!RegExp|TextEncoder)|\[\]|\{\})/,
]

const mutableIn = (text: string): readonly string[] =>
  text.split('\n').filter((line) => mutable.some((pattern) => pattern.test(line)))

test.each(files)('%s has no mutable state at module level', (file) => {
  expect(mutableIn(readFileSync(join('src/core', file), 'utf8'))).toEqual([])
})

test.each([
  ['let count = 0', true],
  ['export let last: string | undefined', true],
  ['const known = new Map<string, number>()', true],
  ['const starts = new Starts()', true],
  ['const names: string[] = []', true],
  ["const words = new Set(['a'])", true],
  ['const nobody: ReadonlySet<string> = new Set()', false],
  ['const none: readonly Ip[] = []', false],
  ['  let inside = 0', false],
  ['const most = 3', false],
])('%s: %s', (line, isMutable) => {
  expect(mutableIn(line).length > 0).toBe(isMutable)
})
