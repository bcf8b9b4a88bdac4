import { expect, test } from 'vitest'
import { newFolder } from '../../../test/build/newFolder.ts'
import { stored } from '../../../test/build/storedObjects.ts'
import { hostsLabel } from '../../core/model/names/dnsLabels.ts'
import { Objects } from '../../edge/store/storage/objects.ts'
import { knownWorld } from './knownWorld.ts'

const settings = { ownNamespace: 'metallb-system', loadBalancerClass: '' }

async function putMap(objects: Objects, name: string, labels: Readonly<Record<string, string>>) {
  const json = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'ns', labels } }
  const bytes = Buffer.from(JSON.stringify(json))
  await objects.write((tx) =>
    tx.put(stored(tx.next, `ns/${name}`, { resource: 'configmaps', labels, bytes })),
  )
}

test('of ConfigMaps, admission knows those that are selected, before and after the start', async () => {
  const objects = Objects.open(newFolder(), { isDurable: false })
  await putMap(objects, 'hosts', { [hostsLabel]: 'dns' })
  await putMap(objects, 'other', {})
  const known = knownWorld(objects, settings).all('ConfigMap')
  expect([...known.keys()]).toEqual(['ns/hosts'])
  await putMap(objects, 'later', { [hostsLabel]: 'dns' })
  await putMap(objects, 'more', { app: 'shop' })
  expect([...known.keys()]).toEqual(['ns/hosts', 'ns/later'])
  await putMap(objects, 'hosts', {})
  expect([...known.keys()]).toEqual(['ns/later'])
  await objects.write((tx) => {
    const last = tx.get('configmaps', 'ns', 'later')
    if (last !== undefined) tx.remove({ ...last, revision: tx.next })
  })
  expect([...known.keys()]).toEqual([])
  objects.close()
})
