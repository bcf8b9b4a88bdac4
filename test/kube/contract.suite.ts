// Is every line of contract.md asserted, and does every test prove a line of it?
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = import.meta.dirname
const listed = readFileSync(join(folder, 'contract.md'), 'utf8')
  .split('\n')
  .flatMap((line) => /^- (C\d+) /.exec(line)?.[1] ?? [])
const suites = readdirSync(folder).filter((file) => file.endsWith('.suite.ts'))
const proved = suites.flatMap((file) => {
  const text = readFileSync(join(folder, file), 'utf8')
  return [...text.matchAll(/'\[(C\d+)\]/g)].map(([, id = '']) => id)
})

test('ids are given once', () => {
  expect(listed).toEqual([...new Set(listed)])
})

test('what is listed is proved, and what is proved is listed', () => {
  const inOrder = (ids: readonly string[]) => [...new Set(ids)].sort()
  expect(inOrder(proved)).toEqual(inOrder(listed))
})
