// Texts that are made to cost more than they weigh: each is refused, or read in bounded memory.
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { maxAliases, maxDocumentBytes } from './limits.ts'
import type { Read } from './manifest.ts'
import { parseManifests, readManifests } from './readManifests.ts'

const head = 'apiVersion: v1\nkind: T\n'
const why = (read: Read | undefined): string => (read && !read.ok ? read.unreadable.why : 'read')

/** Nine aliases to a line: few enough to be allowed, until they are multiplied. */
function laughs(levels: number): string {
  const lines = ['l0: &l0 [lol, lol]']
  for (let level = 1; level <= levels; level++) {
    lines.push(`l${level}: &l${level} [${`*l${level - 1}, `.repeat(9)}]`)
  }
  return head + lines.join('\n')
}

/** Each is ninety deep, which the parser allows, and ends in the one before. */
function tower(floors: number): string {
  const lines = ['f0: &f0 x']
  for (let floor = 1; floor <= floors; floor++) {
    lines.push(`f${floor}: &f${floor} ${'['.repeat(90)}*f${floor - 1}${']'.repeat(90)}`)
  }
  return head + lines.join('\n')
}

const longText = `${head}a: &a |\n  ${'x'.repeat(2_000_000)}\nb: [${'*a, '.repeat(maxAliases)}]`
const longKey = `? |\n   ${'x'.repeat(2_000_000)}\n  : 1`
const longKeys = `${head}a: &a\n  ${longKey}\nb: [${'*a, '.repeat(maxAliases)}]`
const manyKeys = Array.from({ length: 100_000 }, (_, n) => `k${n}: 1`).join(', ')

const bombs: [name: string, text: string, why: string][] = [
  ['a few laughs', laughs(3), 'read'],
  ['billions of laughs', laughs(10), 'aliases make the document too large'],
  ['a long text, again and again', longText, 'aliases make the document too large'],
  ['a long key, again and again', longKeys, 'aliases make the document too large'],
  [
    'a large mapping, merged and merged',
    `${head}a: &a {${manyKeys}}\nb: [${'{<<: *a}, '.repeat(90)}]`,
    'aliases make the document too large',
  ],
  ['aliases', `${head}a: &a x\nb: [${'*a, '.repeat(maxAliases)}]`, 'read'],
  [
    'an alias too many',
    `${head}a: &a x\nb: [${'*a, '.repeat(maxAliases + 1)}]`,
    'more than 100 aliases',
  ],
  ['a floor', tower(1), 'read'],
  ['floors upon floors', tower(2), 'nested deeper than 100 levels'],
  ['nesting', `${head}a: ${'['.repeat(200)}`, 'nesting exceeded maxDepth (100)'],
  [
    'nesting in lines',
    head + Array.from({ length: 200 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'),
    'nesting exceeded maxDepth (100)',
  ],
  [
    'nesting in JSON',
    `{"a":${'[{"a":'.repeat(5000)}1${'}]'.repeat(5000)}}`,
    'nesting exceeded maxDepth (100)',
  ],
  [
    'a large document',
    `${head}a: ${'x'.repeat(maxDocumentBytes)}`,
    'a document of more than 10 MB: divide it, one kind or namespace each',
  ],
  [
    'a line of dashes',
    '-'.repeat(maxDocumentBytes * 1.1),
    'a document of more than 10 MB: divide it, one kind or namespace each',
  ],
  ['brackets', '['.repeat(1_000_000), 'nesting exceeded maxDepth (100)'],
  [
    'merges of merges',
    `${head}a: {${Array.from({ length: 50_000 }, (_, n) => `<<: {k${n}: 1}`).join(', ')}}`,
    'read',
  ],
]

test.each(bombs)('%s', (_, text, expected) => {
  expect(why(parseManifests(text, 'f')[0])).toBe(expected)
})

test('five thousand documents, and five thousand items of one list', () => {
  const service = `  metadata: {name: web, namespace: shop}\n  spec: {ports: [{port: 80}]}\n`
  const documents =
    `apiVersion: v1\nkind: Service\n${service.replaceAll(/^ {2}/gm, '')}---\n`.repeat(5000)
  const items = service.replace(' ', '-').repeat(5000)
  const list = `apiVersion: v1\nkind: ServiceList\nitems:\n${items}`
  for (const [text, linesEach] of [
    [documents, 5],
    [list, 2],
  ] as const) {
    const reads = parseManifests(text, 'f')
    const last = reads.at(-1)
    expect(reads.length).toBe(5000)
    expect(reads.every((read) => read.ok && read.manifest.lineOf('spec') > 0)).toBe(true)
    const first = reads[0]?.ok ? reads[0].manifest.source.line : 0
    expect(last?.ok && last.manifest.source.line).toBe(first + 4999 * linesEach)
  }
})

const folder = mkdtempSync(join(tmpdir(), 'berth-bounds-'))
afterAll(() => rmSync(folder, { recursive: true }))

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Buffers that were freed are given back a moment later, in another thread. */
async function heldBytes(): Promise<number> {
  collectGarbage()
  await setTimeout(20)
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The most that was in use at every tenth document, above what was in use before. */
async function reading(file: string): Promise<{ whys: Map<string, number>; grownBytes: number }> {
  const whys = new Map<string, number>()
  const before = await heldBytes()
  let most = 0
  let count = 0
  for await (const read of readManifests([file], Readable.from([]))) {
    whys.set(why(read), (whys.get(why(read)) ?? 0) + 1)
    if (count++ % 10 === 0) most = Math.max(most, await heldBytes())
  }
  return { whys, grownBytes: most - before }
}

const lines = 'data: |\n'.concat(`  ${'x'.repeat(98)}\n`.repeat(9_999))
const manyTimes = (document: string) => Readable.from(Array.from({ length: 40 }, () => document))
const quoted = JSON.stringify({ apiVersion: 'v1', kind: 'T', data: 'x'.repeat(999_900) })

test.each([
  ['many documents', `---\n${head}${lines}`, new Map([['read', 40]])],
  ['many JSON objects', quoted, new Map([['read', 40]])],
  [
    'one document',
    lines.replace('data: |', ''),
    new Map([['a document of more than 10 MB: divide it, one kind or namespace each', 1]]),
  ],
])('a file of 40 MB: %s', async (name, document, whys) => {
  const file = join(folder, name)
  await pipeline(manyTimes(document), createWriteStream(file))
  const result = await reading(file)
  expect(result.whys).toEqual(whys)
  // About 6 MB in fact, whatever the size of the file: a chunk, a document and its text.
  expect(result.grownBytes).toBeLessThan(2 * maxDocumentBytes)
})
