// Does the code hold in corners and combinations that the corpus leaves out? Every scenario of this
// folder through the code of `berth test`.

import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { runTests } from '../../src/app/cli/runTests.ts'
import { nowhere } from '../build/terminal.ts'

const here = dirname(fileURLToPath(import.meta.url))

const files = readdirSync(here).filter((file) => file.endsWith('.yaml'))

describe.each(files)('%s', async (file) => {
  const { outcomes, malformed } = await runTests({ paths: [join(here, file)] }, nowhere)

  test('is well formed', () => expect(malformed).toEqual([]))
  test('has scenarios', () => expect(outcomes.length).toBeGreaterThan(0))
  test.each(outcomes)('$name', ({ failures }) => expect(failures).toEqual([]))
})
