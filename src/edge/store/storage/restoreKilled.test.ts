// Is a store whole, whenever `--restore --replace` is killed?
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { keysOf, stored } from '../../../../test/build/storedObjects.ts'
import { Objects } from './objects.ts'

const program = fileURLToPath(new URL('../../../../test/build/restoreKilled.ts', import.meta.url))
const put = (objects: Objects, key: string) =>
  objects.write((tx) => tx.put(stored(tx.next, key, { bytes: Buffer.alloc(3000, key) })))

function keysIn(data: string): readonly string[] {
  const objects = Objects.open(data)
  const keys = keysOf(objects.list({ resource: 'services' }))
  objects.close()
  return keys
}

test('kill -9 before any of its calls leaves the old store or the new one, and it can be repeated', async () => {
  const folder = newFolder()
  const [data, file] = [join(folder, 'data'), join(folder, 'backup.db')]
  const objects = Objects.open(data)
  await put(objects, 'a/old')
  await objects.backup(file)
  await put(objects, 'a/new')
  // As after a kill: what was written last stands in the log alone.
  const killed = join(folder, 'killed')
  cpSync(data, killed, { recursive: true })
  objects.close()
  expect(existsSync(join(killed, 'berth.db-wal'))).toBe(true)

  const run = (target: string, which: number) =>
    spawnSync(process.execPath, [program, file, target, String(which)], { encoding: 'utf8' })
  const seen = new Set<string>()
  for (let which = 1; ; which++) {
    const target = join(folder, `target-${which}`)
    cpSync(killed, target, { recursive: true })
    const { signal, status, stderr } = run(target, which)
    const keys = keysIn(target).join(' ')
    seen.add(keys)
    expect(['a/new a/old', 'a/old'], `killed before call ${which}`).toContain(keys)
    if (signal === null) {
      expect([status, stderr]).toEqual([0, ''])
      expect(keys).toBe('a/old')
      expect(which).toBeGreaterThan(5)
      break
    }
    if (which % 5 !== 0) continue
    expect(run(target, 0)).toMatchObject({ status: 0 })
    expect(keysIn(target)).toEqual(['a/old'])
  }
  expect(seen.size).toBe(2)
})
