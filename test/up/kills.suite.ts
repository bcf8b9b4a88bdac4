// kill -9 at any moment, under load: is what was acknowledged there, and do watches go on?
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { configMap, core, verbs } from '../kube/cluster.ts'
import { berth, newData } from './berth.ts'
import { killAgainAndAgain } from './killLoop.ts'
import { beginLife } from './life.ts'

test('25 times', { timeout: 300_000 }, async () => {
  const survived = await killAgainAndAgain(newData(), { kills: 25, seed: 5 })
  expect(survived.acknowledged).toBeGreaterThan(500)
  expect(survived.duringStart).toBeGreaterThan(0)
})

test('while it starts for the first time: the next start is as good as a first one', async () => {
  const folder = newData()
  const began = performance.now()
  await (await beginLife(newData())).ready()
  const startMs = performance.now() - began
  for (let at = 0; at < 12; at++) {
    const life = beginLife(folder)
    await sleep((startMs * at) / 12)
    await life.end('SIGKILL')
  }
  const life = beginLife(folder)
  await verbs(await life.ready(), core('configmaps', 'default')).create(configMap('a'))
  expect(readdirSync(folder.path).sort()).toEqual([
    'berth.db',
    'berth.db-wal',
    'berth.db.spare',
    'ca.crt',
    'keys.json',
    'kubeconfig',
    'running.json',
  ])
  expect(await life.end('SIGTERM')).toBe(0)
})

test('while a backup is restored: it is there whole or not at all', async () => {
  const source = newData()
  const first = beginLife(source)
  const pad = 'x'.repeat(500_000)
  const maps = verbs(await first.ready(), core('configmaps', 'default'))
  for (let at = 0; at < 20; at++) await maps.create(configMap(`m-${at}`, { pad }))
  await first.end('SIGKILL')
  const backup = join(source.path, '..', 'backup.db')
  expect(await berth('backup', backup, '--data', source.path)).toMatchObject({ status: 0 })
  for (let at = 0; at < 4; at++) {
    const folder = newData()
    const restoring = beginLife(folder, '--restore', backup)
    await sleep(200 + at * 75)
    await restoring.end('SIGKILL')
    const isThere = existsSync(join(folder.path, 'berth.db'))
    const life = beginLife(folder, ...(isThere ? [] : ['--restore', backup]))
    const { items } = await verbs(await life.ready(), core('configmaps', 'default')).list()
    expect(items).toHaveLength(20)
    await life.end('SIGKILL')
  }
})
