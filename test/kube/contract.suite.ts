// Is every line of contract.md asserted, and does every test prove a line of it?
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = import.meta.dirname
const lines = readFileSync(join(folder, 'contract.md'), 'utf8').split('\n')
const idsIn = (some: readonly string[]) =>
  some.flatMap((line) => /^- (C\d+) /.exec(line)?.[1] ?? [])
const listed = idsIn(lines)
const suites = readdirSync(folder).filter((file) => file.endsWith('.suite.ts'))
const titled = (pattern: RegExp): string[] =>
  suites.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    return [...text.matchAll(pattern)].map(([, id = '']) => id)
  })
const proved = titled(/'\[(C\d+)\]/g)

test('what is left out on the embedded API is marked in the list, and nothing else is', () => {
  const marked = idsIn(lines.filter((line) => line.includes('*Kubernetes only*')))
  expect(titled(/onKubernetes\(\s*'\[(C\d+)\]/g).sort()).toEqual(marked.sort())
})

test('ids are given once', () => {
  expect(listed).toEqual([...new Set(listed)])
})

test('what is listed is proved, and what is proved is listed', () => {
  const inOrder = (ids: readonly string[]) => [...new Set(ids)].sort()
  expect(inOrder(proved)).toEqual(inOrder(listed))
})
