// Proves when FRR counts as having said how its sessions are.
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { FrrFile } from './frrFile.ts'
import { FrrK8sObject } from './frrK8sObject.ts'

const unused = (): never => {
  throw new Error('not used in this test')
}
const keys = { keyOf: unused }

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
