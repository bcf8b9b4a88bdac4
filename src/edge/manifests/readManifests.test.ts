import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readManifests } from './readManifests.ts'

const root = mkdtempSync(join(tmpdir(), 'berth-manifests-'))
afterAll(() => rmSync(root, { recursive: true }))
const at = (path: string) => join(root, path)
const object = (name: string) => `apiVersion: v1\nkind: T\nname: ${name}\n`

beforeAll(() => {
  for (const folder of ['many/b', 'many/..2024', 'empty', 'linked'])
    mkdirSync(at(folder), { recursive: true })
  const named = [
    'many/a.yaml',
    'many/b/z.json',
    'many/b/B.yml',
    'many/b.yaml',
    'many/c.yml',
    'plain.txt',
  ]
  for (const path of named) writeFileSync(at(path), object(path))
  for (const path of ['many/notes.txt', 'many/..2024/old.yaml'])
    writeFileSync(at(path), object('never'))
  writeFileSync(at('many/bad.yaml'), `${object('good')}---\na: [\n---\n${object('after')}`)
  symlinkSync('..', at('many/b/loop'))
  symlinkSync('..', at('many/b/loop.yaml'))
  symlinkSync('nowhere', at('many/d.yaml'))
  mkdirSync(at('linked/..2024'))
  writeFileSync(at('linked/..2024/d.yaml'), object('never'))
  symlinkSync('..2024', at('linked/..data'))
  symlinkSync('..data/d.yaml', at('linked/d.yaml'))
})

/** As file:line name, or file:line! why. */
async function shown(
  paths: readonly string[],
  stdin: AsyncIterable<Uint8Array | string> = Readable.from([]),
) {
  const lines: string[] = []
  for await (const read of readManifests(paths, stdin)) {
    const { file, line } = read.ok ? read.manifest.source : read.unreadable.source
    const where = `${file === '-' ? file : relative(root, file)}:${line}`
    const { name } = read.ok ? (read.manifest.json as { name?: string }) : {}
    lines.push(read.ok ? `${where} ${name}` : `${where}! ${read.unreadable.why}`)
  }
  return lines
}

test('a folder is read in the order of names, and what is bad in it stops nothing', async () => {
  expect(await shown([at('many')])).toEqual([
    'many/a.yaml:1 many/a.yaml',
    'many/b/B.yml:1 many/b/B.yml',
    'many/b/z.json:1 many/b/z.json',
    'many/b.yaml:1 many/b.yaml',
    'many/bad.yaml:1 good',
    'many/bad.yaml:5! deficient indentation, at the end of the document',
    'many/bad.yaml:7 after',
    'many/c.yml:1 many/c.yml',
    'many/d.yaml:0! no such file or folder',
  ])
})

test('paths are read in their order, a file whatever its name', async () => {
  const paths = [at('plain.txt'), at('missing'), at('many/a.yaml'), at('many/a.yaml')]
  expect(await shown(paths)).toEqual([
    'plain.txt:1 plain.txt',
    'missing:0! no such file or folder',
    'many/a.yaml:1 many/a.yaml',
    'many/a.yaml:1 many/a.yaml',
  ])
})

test('a link within the folder is read, a folder without manifests is told', async () => {
  expect(await shown([at('linked'), at('empty')])).toEqual([
    'linked/d.yaml:1 never',
    'empty:0! a folder without a .yaml, .yml or .json file',
  ])
})

test('a pipe in a folder is not waited for', async () => {
  mkdirSync(at('piped'))
  expect(spawnSync('mkfifo', [at('piped/p.yaml')]).status).toBe(0)
  expect(await shown([at('piped')])).toEqual(['piped/p.yaml:0! not a regular file'])
})

test('standard input, in chunks of any size', async () => {
  const text = `${object('\u00e9')}---\n${object('b')}`
  const whole = ['-:1 \u00e9', '-:5 b']
  expect(await shown(['-'], Readable.from([text]))).toEqual(whole)
  expect(
    await shown(['-'], Readable.from(Array.from(Buffer.from(text), (byte) => Buffer.of(byte)))),
  ).toEqual(whole)
  expect(await shown(['-'], Readable.from([Buffer.from('a')]))).toHaveLength(1)
  expect(await shown(['-'])).toEqual([])
})

const utf16 = Buffer.from(`\ufeff${object('\u00e9')}`, 'utf16le')
const encodings: [name: string, bytes: Uint8Array][] = [
  ['UTF-8 with a mark', Buffer.from(`\ufeff${object('\u00e9')}`)],
  ['UTF-16', utf16],
  ['UTF-16, the other way round', Buffer.from(utf16).swap16()],
]

test.each(encodings)('%s is read as kubectl reads it', async (_, bytes) => {
  const chunks = Array.from(bytes, (byte) => Buffer.of(byte))
  expect(await shown(['-'], Readable.from([bytes]))).toEqual(['-:1 \u00e9'])
  expect(await shown(['-'], Readable.from(chunks))).toEqual(['-:1 \u00e9'])
})

test('bytes that are no text', async () => {
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff])
  expect(await shown(['-'], Readable.from([picture]))).toEqual(['-:1! not UTF-8 text'])
})

test('a stream that breaks gives what came whole, then the reason', async () => {
  const broken = async function* () {
    yield `${object('a')}---\n${object('b')}`
    throw new Error('connection reset')
  }
  expect(await shown(['-', at('plain.txt')], broken())).toEqual([
    '-:1 a',
    '-:1! connection reset',
    'plain.txt:1 plain.txt',
  ])
})
