// A folder of its own for a test.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Gone when the test is. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'berth-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
