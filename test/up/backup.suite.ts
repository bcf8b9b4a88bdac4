// Is a backup of one moment, also while others write, and does it become a store again?
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { Fault } from '../../src/edge/kube/api/fault.ts'
import { configMap, core, merge, verbs } from '../kube/cluster.ts'
import { berth, newData, startUp, type Up } from './berth.ts'

const mapsOf = (api: Api) => verbs(api, core('configmaps', 'default'))

/** Each turn is one write after the other: whoever has a later one has all before it. */
async function writeTurns(api: Api, isOver: () => boolean): Promise<number> {
  const maps = mapsOf(api)
  let turn = 0
  while (!isOver()) {
    turn += 1
    const data = { turn: `${turn}`, pad: 'x'.repeat((turn * 997) % 20_000), end: `${turn}` }
    const name = `m-${turn % 200}`
    if (turn <= 200) await maps.create(configMap(name, data))
    else await maps.patch(name, { type: merge, body: { data } })
  }
  return turn
}

async function turnsIn({ api }: Up): Promise<number[]> {
  const { items } = await mapsOf(api).list()
  const written = items.filter(({ metadata }) => metadata.name.startsWith('m-'))
  for (const { data } of written) expect(data?.['end']).toBe(data?.['turn'])
  return written.map(({ data }) => Number(data?.['turn'])).sort((one, other) => one - other)
}

test('a backup under load is of one moment; restored it goes on from there', async () => {
  const up = await startUp(newData())
  let isOver = false
  const writing = writeTurns(up.api, () => isOver)
  const files = [1, 2, 3].map((at) => join(up.folder.path, '..', `backup-${at}.db`))
  for (const file of files) {
    const made = await berth('backup', file, '--data', up.folder.path)
    expect(made).toMatchObject({ status: 0, out: `written: ${file}\n`, err: '' })
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  }
  isOver = true
  const last = await writing
  const before = Number((await mapsOf(up.api).list()).metadata.resourceVersion)
  await up.stop('SIGTERM')
  let newest = 0
  for (const file of files) {
    const restored = await startUp(newData(), '--restore', file)
    const turns = await turnsIn(restored)
    const top = turns.at(-1) ?? 0
    // All of one moment: the last of each name up to that turn, and nothing older.
    const expected = Array.from({ length: Math.min(top, 200) }, (_, at) => top - at).reverse()
    expect(turns).toEqual(expected)
    expect(top).toBeGreaterThan(newest)
    expect(top).toBeLessThanOrEqual(last)
    newest = top
    // No client takes a version of after for one of before.
    const { metadata } = await mapsOf(restored.api).create(configMap('after'))
    expect(Number(metadata.resourceVersion)).toBeGreaterThan(before)
    await restored.stop('SIGTERM')
  }
})

test('what is there is not replaced, nor overwritten, unless told', async () => {
  const up = await startUp(newData())
  await mapsOf(up.api).create(configMap('first'))
  const file = join(up.folder.path, '..', 'backup.db')
  const backup = (...args: readonly string[]) =>
    berth('backup', file, '--data', up.folder.path, ...args)
  expect((await backup()).status).toBe(0)
  await mapsOf(up.api).create(configMap('second'))
  const again = await backup()
  expect(again.status).toBe(1)
  expect(again.err).toContain('it already exists')
  const args = ['up', '--data', up.folder.path, '--port', '0', '--restore', file]
  for (const way of [[], ['--background'], ['--replace']]) {
    const refused = await berth(...args, ...way)
    expect(refused).toMatchObject({ status: 1, out: '' })
    expect(refused.err).toContain('already running')
  }
  await up.stop('SIGTERM')
  for (const way of [[], ['--background']]) {
    const refused = await berth(...args, ...way)
    expect(refused).toMatchObject({ status: 1, out: '' })
    expect(refused.err).toContain('the folder already has data. Name another one, or use --replace')
  }
  const kept = await startUp(up.folder)
  await mapsOf(kept.api).get('second')
  await kept.stop('SIGTERM')
  const replaced = await startUp(up.folder, '--restore', file, '--replace')
  const names = (await mapsOf(replaced.api).list()).items.map(({ metadata }) => metadata.name)
  expect(names).toContain('first')
  expect(names).not.toContain('second')
  expect(existsSync(join(up.folder.path, 'berth.db.replaced'))).toBe(true)
  await replaced.stop('SIGTERM')
})

test.each([
  ['text', 'kind: Service\n', 'it is not a file of Berth'],
  ['nothing', '', 'it is empty'],
  ['another program', undefined, 'it is not a file of Berth'],
])('a file of %s is no backup: said so, and no store is made of it', async (_, text, why) => {
  const folder = newData()
  const file = join(folder.path, '..', 'backup.db')
  if (text === undefined) new DatabaseSync(file).exec('CREATE TABLE a (b)')
  else writeFileSync(file, text)
  for (const way of [[], ['--background']]) {
    const args = ['--data', folder.path, '--port', '0', '--restore', file]
    const { status, err } = await berth('up', ...args, ...way)
    expect(status).toBe(1)
    expect(err).toContain(`berth: ${file}: ${why}`)
    expect(err).toContain("--restore needs a file written by 'berth backup'")
    expect(err).not.toContain('--replace')
    expect(existsSync(folder.path)).toBe(false)
  }
})

test('kill -9 while a backup is made: none is taken for whole, and the next one is', async () => {
  const folder = newData()
  const first = await startUp(folder)
  const pad = 'x'.repeat(500_000)
  for (let at = 0; at < 40; at++) await mapsOf(first.api).create(configMap(`m-${at}`, { pad }))
  const file = join(folder.path, '..', 'backup.db')
  const query = { file, overwrite: 'false' }
  const asked = first.api.call({ method: 'POST', path: '/berth/backup', query })
  const answered = asked.then(
    () => true,
    (error: unknown) => !(error instanceof Fault),
  )
  await first.stop('SIGKILL')
  if (await answered) rmSync(file)
  expect(existsSync(file)).toBe(false)
  expect(await berth('backup', file, '--data', folder.path)).toMatchObject({ status: 0 })
  const restored = await startUp(newData(), '--restore', file)
  expect((await mapsOf(restored.api).list({ limit: '500' })).items).toHaveLength(40)
  await restored.stop('SIGTERM')
  expect(readdirSync(folder.path)).toContain('berth.db')
})
