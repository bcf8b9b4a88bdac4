// Do we read manifests as the real kubectl does? Each text is given to both.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { readManifests } from '../../src/edge/manifests/readManifests.ts'
import { toYaml } from '../../src/edge/manifests/toYaml.ts'
import { kubectlReads } from './kubectl.ts'
import { files, head, laxer, refusedFiles, refusedValues, stricter, values } from './odd.ts'

const kubectl = inject('kubectl')
const folder = mkdtempSync(join(tmpdir(), 'berth-kubectl-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function weRead(path: string): Promise<unknown[] | string> {
  const objects: unknown[] = []
  for await (const read of readManifests([path], Readable.from([]))) {
    if (!read.ok) return read.unreadable.why
    objects.push(read.manifest.json)
  }
  return objects
}

function written(content: string | Uint8Array): string {
  const path = join(folder, 'odd.yaml')
  writeFileSync(path, content)
  return path
}

type Answers = { readonly ours: unknown[] | string; readonly theirs: unknown[] | string }

async function bothRead(path: string): Promise<Answers> {
  return { ours: await weRead(path), theirs: kubectlReads(kubectl, path) }
}

const refusal = expect.any(String)
const objects = expect.any(Array)
const valueFile = (value: string): string => `${head}v: ${value}\n`

describe.skipIf(kubectl === '')('reading', () => {
  test.for(values)('the value %j', async (value) => {
    const { ours, theirs } = await bothRead(written(valueFile(value)))
    expect(theirs).toEqual(objects)
    expect(ours).toEqual(theirs)
  })
  test.for(refusedValues)('the value %j, refused by both', async (value) => {
    expect(await bothRead(written(valueFile(value)))).toEqual({ ours: refusal, theirs: refusal })
  })
  test.for(Object.entries(files))('%s', async ([, content]) => {
    const { ours, theirs } = await bothRead(written(content))
    expect(theirs).toEqual(objects)
    expect(ours).toEqual(theirs)
  })
  test.for(Object.entries(refusedFiles))('%s, refused by both', async ([, content]) => {
    expect(await bothRead(written(content))).toEqual({ ours: refusal, theirs: refusal })
  })
  test.for(Object.entries(stricter))('%s, refused by us alone', async ([, content]) => {
    expect(await bothRead(written(content))).toEqual({ ours: refusal, theirs: objects })
  })
  test.for(Object.entries(laxer))('%s, refused by kubectl alone', async ([, content]) => {
    expect(await bothRead(written(content))).toEqual({ ours: objects, theirs: refusal })
  })
  test('what we write', () => {
    const texts = [
      ...values,
      ...refusedValues,
      'a\nb\n',
      ' a',
      'a ',
      '\t',
      '\u0085',
      '\u2028',
      '\x01',
    ]
    const keys = Object.fromEntries(texts.map((text) => [text, text]))
    const metadata = { name: 'odd' }
    const object = { apiVersion: 'v1', kind: 'T', metadata, texts, keys, numbers: [1e21, -1.5] }
    expect(kubectlReads(kubectl, written(toYaml(object)))).toEqual([object])
  })
  test('the scenarios', async () => {
    const { ours, theirs } = await bothRead(join(import.meta.dirname, '..', 'conformance'))
    expect(theirs.length).toBeGreaterThan(400)
    // In a Scenario y and n are names for us: that alone may differ.
    const lettersAside = (objects: unknown): unknown =>
      JSON.parse(
        JSON.stringify(objects, (_, value) => ({ y: true, n: false })[String(value)] ?? value),
      )
    expect(lettersAside(ours)).toEqual(lettersAside(theirs))
  })
})
