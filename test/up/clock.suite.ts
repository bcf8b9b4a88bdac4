// A clock that is set, forward and back: who loses anything by it? In process, since that of the
// machine is not ours to set; certificates and Events are looked at beside their code.
import { expect, onTestFinished, test } from 'vitest'
import { folderAt, makeFolder } from '../../src/app/up/folder.ts'
import { OwnIdentity, serverNames } from '../../src/app/up/identity.ts'
import { startStore } from '../../src/app/up/startStore.ts'
import { tokenNamespace } from '../../src/app/up/tokenSecret.ts'
import { newToken } from '../../src/app/up/tokens.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { writtenCredentials } from '../../src/edge/kube/api/credentials.ts'
import { Objects } from '../../src/edge/store/storage/objects.ts'
import { newFolder } from '../build/newFolder.ts'
import { configMap, core, merge, refusal, verbs } from '../kube/cluster.ts'

const yearMs = 365 * 24 * 3_600_000
const settings = { ownNamespace: 'metallb-system', loadBalancerClass: '' }

type Stand = {
  readonly admin: Api
  readonly as: (token: string) => Api
  /** From the real time. */
  readonly set: (ms: number) => void
}

async function stand(): Promise<Stand> {
  let aheadMs = 0
  const now = () => new Date(Date.now() + aheadMs)
  const folder = folderAt(newFolder())
  makeFolder(folder)
  const objects = Objects.open(folder.path)
  const identity = await OwnIdentity.open(folder, serverNames('127.0.0.1'))
  const failed = (error: unknown): never => {
    throw error
  }
  const parts = { objects, listen: '127.0.0.1', port: 0, keys: identity.keys, settings, build: '' }
  const store = await startStore({ ...parts, failed, now })
  const connection = identity.connectionTo(`https://127.0.0.1:${store.port}`)
  const apis: Api[] = []
  const opened = (api: Api): Api => {
    apis.push(api)
    return api
  }
  onTestFinished(async () => {
    for (const api of apis) api.close()
    await store.close()
  })
  const as = (token: string) => {
    const credentials = writtenCredentials({ token: { text: token } })
    return opened(newApi({ ...connection, credentials }))
  }
  const { text, secret } = newToken({ isReadOnly: false })
  await objects.write(() => undefined)
  const first = opened(newApi(connection))
  await verbs(first, core('secrets', tokenNamespace)).create(secret)
  const set = (ms: number): void => {
    aheadMs = ms
  }
  // By a token without an end: the certificate would end with the clock.
  return { admin: as(text), as, set }
}

test('a token is over when the clock says so, and good again when that was wrong', async () => {
  const { admin, as, set } = await stand()
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const { text, secret } = newToken({ isReadOnly: false, until })
  await verbs(admin, core('secrets', tokenNamespace)).create(secret)
  const maps = verbs(as(text), core('configmaps', 'default'))
  await maps.create(configMap('a'))
  set(yearMs)
  expect((await refusal(maps.get('a'))).code).toBe(401)
  set(-yearMs)
  await maps.get('a')
})

test('what is written in the past comes after what was written before', async () => {
  const { admin, set } = await stand()
  const maps = verbs(admin, core('configmaps', 'default'))
  const first = await maps.create(configMap('a'))
  set(-20 * yearMs)
  const second = await maps.patch('a', { type: merge, body: { data: { x: 'y' } } })
  const third = await maps.create(configMap('b'))
  expect(Number(second.metadata.resourceVersion)).toBeGreaterThan(
    Number(first.metadata.resourceVersion),
  )
  expect(Number(third.metadata.resourceVersion)).toBeGreaterThan(
    Number(second.metadata.resourceVersion),
  )
  expect(third.metadata.creationTimestamp < first.metadata.creationTimestamp).toBe(true)
  const path = '/api/v1/namespaces/default/configmaps'
  const { resourceVersion } = first.metadata
  const query = { watch: 'true', resourceVersion, timeoutSeconds: '1' }
  const lines = await Array.fromAsync(admin.stream({ method: 'GET', path, query }))
  expect(lines.map((line) => JSON.parse(line).object.metadata.name)).toEqual(['a', 'b'])
  set(20 * yearMs)
  await maps.remove('a')
  const left = (await maps.list()).items.map(({ metadata }) => metadata.name)
  expect(left).toContain('b')
  expect(left).not.toContain('a')
})

test('a deletion that waits is done whatever the clock says meanwhile', async () => {
  const { admin, set } = await stand()
  const maps = verbs(admin, core('configmaps', 'default'))
  await maps.create(configMap('a', {}, { finalizers: ['example.com/wait'] }))
  await maps.remove('a')
  set(-yearMs)
  const { metadata } = await maps.get('a')
  expect(metadata.deletionTimestamp).toBeDefined()
  await maps.patch('a', { type: merge, body: { metadata: { finalizers: [] } } })
  expect((await refusal(maps.get('a'))).code).toBe(404)
})
