import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { KeyRing } from './sealingKey.ts'
import { followKeys } from './sealingKeyFile.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'berth-keys-'))
})
afterEach(() => rm(folder, { recursive: true }))

test.each([
  { name: 'none', says: 'ENOENT' },
  { name: 'empty', says: 'no key found' },
])('the file $name holds no keys, and says why', async ({ name, says }) => {
  await writeFile(join(folder, 'empty'), '\n')
  const stop = new AbortController()
  const failures: string[] = []
  const failed = (why: string) => failures.push(why)
  const file = { path: join(folder, name), changed: () => undefined, failed }
  const run = followKeys(file, stop.signal)
  await vi.waitFor(() => expect(failures).toEqual([expect.stringContaining(says)]))
  stop.abort()
  await run
})

test('a Secret that is swapped is read again; a missing one changes nothing', async () => {
  const put = async (name: string, text: string) => {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'key'), text)
    await symlink(name, join(folder, 'next'))
    await rename(join(folder, 'next'), join(folder, 'data'))
  }
  await put('one', 'the one before this')
  const stop = new AbortController()
  const rings: KeyRing[] = []
  const failures: string[] = []
  const run = followKeys(
    {
      path: join(folder, 'data', 'key'),
      everyMs: 5,
      changed: (keys) => rings.push(keys),
      failed: (why) => failures.push(why),
    },
    stop.signal,
  )
  await vi.waitFor(() => expect(rings).toHaveLength(1))
  await put('two', 'the one before this\nthe one that follows')
  await vi.waitFor(() => expect(rings.at(-1)).toHaveLength(2))
  await rm(join(folder, 'two'), { recursive: true })
  await vi.waitFor(() => expect(failures).toHaveLength(1))
  stop.abort()
  await run
  expect(rings).toHaveLength(2)
})
