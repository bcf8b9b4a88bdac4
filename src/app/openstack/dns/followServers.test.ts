import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clientTo } from '../../../../test/build/apiClient.ts'
import { ApiStand } from '../../../../test/build/apiStand.ts'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { systemClock } from '../../../edge/host/clock.ts'
import { followServers } from './followServers.ts'

/** Until the list is in; answers how often dnsmasq was told to read its files again. */
async function toldWhen(file: string, options: string): Promise<number> {
  const served = await ApiStand.start({ isWhole: true })
  onTestFinished(() => served.stop())
  const made = async (path: string, body: unknown) =>
    expect((await served.ask(path, { method: 'POST', body })).code).toBe(201)
  await made('/api/v1/namespaces', { metadata: { name: 'red' } })
  await made('/api/v1/namespaces/red/configmaps', {
    metadata: { name: 'dns' },
    data: { dns: options },
  })
  const done = new AbortController()
  let told = 0
  await followServers({
    api: clientTo(served.api.port),
    clock: systemClock,
    random: () => 0,
    namespace: 'red',
    config: 'dns',
    file,
    signal: done.signal,
    log: () => undefined,
    complete: () => done.abort(),
    reload: () => () => {
      told++
    },
  })
  return told
}

test('[R13.4] servers that changed while the container was away are told to dnsmasq', async () => {
  const file = join(newFolder(), 'servers')
  writeFileSync(file, 'server=192.0.2.1\n')
  expect(await toldWhen(file, 'server=192.0.2.2\nmax-ttl=60\n')).toBe(1)
  expect(readFileSync(file, 'utf8')).toBe('server=192.0.2.2\n')
})

test('[R13.4] a container that starts again disturbs no dnsmasq that knows its servers', async () => {
  const file = join(newFolder(), 'servers')
  writeFileSync(file, 'server=192.0.2.1\n')
  expect(await toldWhen(file, 'server=192.0.2.1\n')).toBe(0)
})
