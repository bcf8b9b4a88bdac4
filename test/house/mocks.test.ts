// Tests replace no modules: what a unit needs from outside is passed to it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const files = ['src', 'test', 'bench'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
)
const replacing = /\bvi\s*\.\s*(?:mock|doMock|hoisted|importMock)\s*\(/

test.each(files)('%s replaces no module', (file) => {
  expect(readFileSync(file, 'utf8')).not.toMatch(replacing)
})

test('a replaced module is found', () => {
  expect(`vi.${'mock'}('./libc.ts')`).toMatch(replacing)
})
