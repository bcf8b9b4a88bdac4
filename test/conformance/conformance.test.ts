// Does the corpus hold? Every scenario through the code of `berth test`; what waits for a later
// capability is listed by name, so that nobody takes it for green.

import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { runTests } from '../../src/app/cli/runTests.ts'
import { nowhere } from '../build/terminal.ts'
import { notYet } from './notYet.ts'

const here = dirname(fileURLToPath(import.meta.url))
const files = ['metallb', 'berth', 'openstack'].flatMap((folder) =>
  readdirSync(join(here, folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => `${folder}/${file}`),
)

for (const [file, waitsFor] of Object.entries(notYet)) {
  process.stdout.write(`not yet: ${file}: ${waitsFor}\n`)
}

test('every file that is not yet held is there', () => {
  expect(files).toEqual(expect.arrayContaining(Object.keys(notYet)))
})

describe.each(files.filter((file) => !(file in notYet)))('%s', async (file) => {
  const { outcomes, malformed } = await runTests({ paths: [join(here, file)] }, nowhere)

  test('is well formed', () => expect(malformed).toEqual([]))
  test(`${basename(file)} has scenarios`, () => expect(outcomes.length).toBeGreaterThan(0))
  test.each(outcomes)('$name', ({ failures }) => expect(failures).toEqual([]))
})
