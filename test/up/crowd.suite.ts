// Many who do nothing, and some who take their time: is anybody else disturbed, does memory hold?
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { configMap, core, type KubeObject, merge, verbs } from '../kube/cluster.ts'
import { until } from '../kube/waits.ts'
import { newData, residentBytes, startUp, type Up } from './berth.ts'
import { asking, secureSocket } from './sockets.ts'

const megabyte = 1024 * 1024
const maps = '/api/v1/namespaces/default/configmaps'
const bigBytes = 500_000

/** Of some ordinary calls, the slowest. */
async function isServed({ api }: Up): Promise<void> {
  const objects = verbs(api, core('configmaps', 'default'))
  for (let at = 0; at < 20; at++) {
    await objects.create(configMap(`quick-${at}`))
    await objects.get(`quick-${at}`)
    await objects.remove(`quick-${at}`)
  }
}

/** So many large objects, all anew. */
async function write({ api }: Up, count: number, letter: string): Promise<void> {
  const objects = verbs(api, core('configmaps', 'default'))
  const data = { x: letter.repeat(bigBytes) }
  for (let at = 0; at < count; at++) {
    const name = `big-${at}`
    if (letter === 'a') await objects.create(configMap(name, data))
    else await objects.patch(name, { type: merge, body: { data } })
  }
}

/** Asks, and does not read what it gets. */
async function askOnly(up: Up, path: string): Promise<void> {
  const socket = await secureSocket(up)
  socket.pause()
  socket.write(asking(path))
}

test('1,000 connections that do nothing', async () => {
  const up = await startUp(newData())
  await isServed(up)
  const before = residentBytes(up.pid)
  for (let at = 0; at < 20; at++) {
    await Promise.all(Array.from({ length: 50 }, () => secureSocket(up)))
  }
  await isServed(up)
  expect(residentBytes(up.pid) - before).toBeLessThan(200 * megabyte)
  await up.stop('SIGTERM')
  expect(up.program.status()).toBe(0)
})

test('watchers that do not read 5 GB of events; one that reads has them all', async () => {
  const [up, count, rounds] = [await startUp(newData()), 20, 'bcdefghijk']
  await write(up, count, 'a')
  const before = residentBytes(up.pid)
  for (let at = 0; at < 50; at++) await askOnly(up, `${maps}?watch=1&resourceVersion=0`)
  const told = await countEvents(up)
  for (const letter of rounds) await write(up, count, letter)
  await until('all is told', () => (told() === count * rounds.length ? true : undefined))
  await isServed(up)
  // The history (64 MB), and 1 MB or the next line for each.
  expect(residentBytes(up.pid) - before).toBeLessThan(500 * megabyte)
  await up.stop('SIGTERM')
})

/** Changes of what is there now. */
async function countEvents({ api }: Up): Promise<() => number> {
  const versions = new Set<string>()
  const objects = verbs(api, core('configmaps', 'default'))
  const { resourceVersion } = (await objects.list({ limit: '1' })).metadata
  const follow = async (): Promise<void> => {
    const query = { watch: 'true', resourceVersion }
    for await (const line of api.stream({ method: 'GET', path: maps, query })) {
      const { object }: { object: KubeObject } = JSON.parse(line)
      if (object.metadata.name.startsWith('big-')) versions.add(object.metadata.resourceVersion)
    }
  }
  follow().catch(() => undefined)
  return () => versions.size
}

test('lists that are not read: 2 GB of them, while all they show is written anew', async () => {
  const up = await startUp(newData())
  await write(up, 40, 'a')
  const before = residentBytes(up.pid)
  for (let at = 0; at < 100; at++) await askOnly(up, maps)
  await sleep(200)
  for (const letter of 'bc') await write(up, 40, letter)
  await isServed(up)
  expect(residentBytes(up.pid) - before).toBeLessThan(500 * megabyte)
  await up.stop('SIGTERM')
})
