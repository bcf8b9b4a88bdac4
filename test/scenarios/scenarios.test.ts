// Does the code hold in corners and combinations that the corpus leaves out? Every scenario of this
// folder through the code of `berth test`.
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Io } from '../../src/app/cli/io.ts'
import { runTests } from '../../src/app/cli/runTests.ts'

const here = dirname(fileURLToPath(import.meta.url))
const ignore = (): void => undefined
const silent: Io = { stdin: emptyInput(), out: ignore, err: ignore, isTerminal: false }

async function* emptyInput(): AsyncGenerator<string> {
  yield ''
}

const files = readdirSync(here).filter((file) => file.endsWith('.yaml'))

describe.each(files)('%s', async (file) => {
  const { outcomes, malformed } = await runTests([join(here, file)], undefined, silent)

  test('is well formed', () => expect(malformed).toEqual([]))
  test('has scenarios', () => expect(outcomes.length).toBeGreaterThan(0))
  test.each(outcomes)('$name', ({ failures }) => expect(failures).toEqual([]))
})
