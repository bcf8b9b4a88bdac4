// Proves when FRR counts as having said how its sessions are, and as having taken what it was given.
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { node, peer } from '../../../../test/build/announcing.ts'
import { newFolder } from '../../../../test/build/newFolder.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { FrrFile } from './frrFile.ts'
import { FrrK8sObject } from './frrK8sObject.ts'
import type { FrrAsked } from './frrOutput.ts'

const unused = (): never => {
  throw new Error('not used in this test')
}
const keys = { keyOf: unused, keep: () => undefined }

test('[R8.10] a reloader that never wrote says nothing; one that stopped says that none is up', async () => {
  const folder = newFolder()
  const files = { config: join(folder, 'frr.conf'), pid: join(folder, 'pid') }
  const parts = { files, keys, logLevel: '', extras: async () => '', nowMs: () => 0 }
  const file = new FrrFile(parts)
  expect(await file.said()).toBeUndefined()
  const path = join(folder, '.sessions')
  writeFileSync(path, '{"default":{"192.0.2.1":{"bgpState":"Established"}}}')
  expect((await file.said())?.neighbours).toMatchObject([{ state: 'Established' }])
  utimesSync(path, 0, 0)
  expect(await file.said()).toEqual({ neighbours: [], bfd: [] })
})

test('[R8.10] a frr-k8s without BGPSessionStates says nothing, until it has had one', async () => {
  const clock = { nowMs: 0 }
  let items: readonly object[] = []
  const call = async () => ({ items })
  const api = { call, stream: unused, close: unused }
  const object = new FrrK8sObject({ api, keys, namespace: 'frr', nowMs: () => clock.nowMs })
  const said = () => {
    clock.nowMs += 60_000
    return object.said('a')
  }
  expect(await said()).toBeUndefined()
  items = [{ status: { node: 'a', peer: '192.0.2.1', vrf: '', bgpStatus: 'Established' } }]
  expect((await said())?.neighbours).toMatchObject([{ where: '192.0.2.1', state: 'Established' }])
  items = []
  expect(await said()).toEqual({ neighbours: [], bfd: [] })
})

test('[R8.19] a file is taken once the reloader has said success since', async () => {
  const folder = newFolder()
  const files = { config: join(folder, 'frr.conf'), pid: join(folder, 'pid') }
  // Its own signal would end the test.
  const heard = new Promise((done) => process.once('SIGHUP', done))
  writeFileSync(files.pid, String(process.pid))
  const said = (text: string, seconds: number): void => {
    writeFileSync(join(folder, '.status'), text)
    utimesSync(join(folder, '.status'), seconds, seconds)
  }
  said('1 success', 1)
  const file = new FrrFile({ files, keys, logLevel: '', extras: async () => '', nowMs: () => 0 })
  await file.write(asked([]))
  await heard
  expect(await file.hasTaken()).toBe(false)
  said('2 failure', 2)
  expect(await file.hasTaken()).toBe(false)
  said('3 success', 3)
  expect(await file.hasTaken()).toBe(true)
})

test('[R8.19] frr-k8s has taken what its running configuration shows, and no longer shows', async () => {
  let running: string | undefined
  const call: Api['call'] = async ({ method, path }) => {
    if (path.includes('frrnodestates')) return { status: { runningConfig: running } }
    return method === 'GET' ? { metadata: { resourceVersion: '1' } } : { metadata: {} }
  }
  const api = { call, stream: unused, close: unused }
  const object = new FrrK8sObject({ api, keys, namespace: 'frr', nowMs: () => 0 })
  const taken: boolean[] = []
  const look = async (shown: string | undefined): Promise<void> => {
    running = shown
    taken.push(await object.hasTaken('a'))
  }
  await object.write(asked(['10.0.0.1/32', '10.0.0.2/32']))
  await look(undefined)
  await look('router bgp 64512\n  network 10.0.0.1/32\n')
  await look('router bgp 64512\n  network 10.0.0.1/32\n  network 10.0.0.2/32\n')
  await object.write(asked(['10.0.0.2/32']))
  await look('router bgp 64512\n  network 10.0.0.1/32\n  network 10.0.0.2/32\n')
  await look('router bgp 64512\n  network 10.0.0.2/32\n')
  expect(taken).toEqual([true, false, true, false, true])
})

function asked(prefixes: readonly string[]): FrrAsked {
  const at = node('a', { labels: { 'kubernetes.io/hostname': 'a' } })
  const route = { localPref: undefined, communities: [] }
  const routes = prefixes.map((prefix) => ({ ...route, prefix }))
  return { node: at, profiles: [], peers: [{ peer: peer('tor'), link: '', routes }] }
}
