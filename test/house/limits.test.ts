// The house's sizes and names: no file a reader cannot hold in mind, no dumping ground, no leftovers.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
)
const dumpingGround = /^(index|util|utils|helper|helpers|common|types|misc|constants)\.tsx?$/i
const leftovers = /\b(TODO|FIXME|XXX)\b|@ts-ignore|@ts-expect-error|biome-ignore|\bas any\b/

test.each(files)('%s is one idea in size', (file) => {
  const lines = readFileSync(join('src', file), 'utf8').split('\n')
  expect(lines.length).toBeLessThanOrEqual(401)
  const exported = lines.filter((line) => /^export (?!\{)/.test(line)).length
  expect(exported, 'exports').toBeLessThanOrEqual(7)
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(100)
})

/** Suites are read when they fail: then nobody has time for a long one. */
const suites = ['src', 'test', 'bench'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(test|suite|soak|contract)\.ts$/.test(file))
    .map((file) => join(root, file)),
)

test('no file of tests is longer than 400 lines', () => {
  const linesIn = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1
  expect(suites.length).toBeGreaterThan(500)
  expect(suites.filter((file) => linesIn(file) > 400)).toEqual([])
})

test.each(files)('%s says what it answers, under a name of its own', (file) => {
  const text = readFileSync(join('src', file), 'utf8')
  expect(text.startsWith('// ') || text.startsWith('#!'), 'opens with a comment').toBe(true)
  expect(basename(file)).not.toMatch(dumpingGround)
  expect(text).not.toMatch(leftovers)
})
