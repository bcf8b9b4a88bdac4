// The embedded API on loopback for as long as a test runs, in the place of a Kubernetes.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderAt, makeFolder } from '../../src/app/up/folder.ts'
import { OwnIdentity, serverNames } from '../../src/app/up/identity.ts'
import { type Store, startStore } from '../../src/app/up/startStore.ts'
import { type Bounds, tokenNamespace } from '../../src/app/up/tokenSecret.ts'
import { newToken } from '../../src/app/up/tokens.ts'
import { newApi } from '../../src/edge/kube/api/client.ts'
import { pathOf } from '../../src/edge/kube/api/resource.ts'
import { Objects } from '../../src/edge/store/storage/objects.ts'
import type { Kube, KubeAddress, KubeOptions, User } from './harness.ts'

const settings = { ownNamespace: 'metallb-system', loadBalancerClass: '' }
/** So few that a test can outrun them. */
export const historyChanges = 200
/** Empty, and the only namespace of a user who may do nothing elsewhere. */
const noRights = 'no-rights'
const everything: Bounds = { isReadOnly: false }
const bounds: Readonly<Record<User, Bounds>> = {
  admin: everything,
  engine: everything,
  berth: everything,
  reader: { isReadOnly: true },
  nobody: { isReadOnly: true, namespace: noRights },
}

export async function startEmbedded({ completePod }: KubeOptions = {}): Promise<Kube> {
  const root = mkdtempSync(join(tmpdir(), 'berth-embedded-'))
  const folder = folderAt(join(root, 'data'))
  makeFolder(folder)
  mkdirSync(join(root, 'clients'))
  const identity = await OwnIdentity.open(folder, serverNames('127.0.0.1'))
  // Clients of a test are signed by the authority that signs everybody here.
  const [authority] = identity.keys.authorities
  writeFileSync(join(root, 'clients', 'ca.crt'), authority?.cert ?? '')
  writeFileSync(join(root, 'clients', 'ca.key'), authority?.key ?? '')
  let port = 0
  let store: Store | undefined
  const startApi = async (): Promise<void> => {
    store = await startStore({
      objects: Objects.open(folder.path, {
        history: { changes: historyChanges, bytes: 64 * 1024 * 1024 },
        isDurable: false,
      }),
      listen: '127.0.0.1',
      port,
      keys: identity.keys,
      settings,
      build: 'test',
      // As on a Kubernetes without webhooks, which the suites are about.
      validation: 'none',
      ...(completePod === undefined ? {} : { completePod }),
      failed: (error) => process.stderr.write(`embedded API: ${String(error)}\n`),
    })
    port = store.port
  }
  const stopApi = async (): Promise<void> => {
    await store?.close()
    store = undefined
  }
  await startApi()
  const server = `https://127.0.0.1:${port}`
  const tokens = await makeTokens(identity, server)
  const caFile = join(root, 'ca.crt')
  cpSync(folder.ca, caFile)
  const address: KubeAddress = { server, caFile, etcd: '', folder: root, tokens }
  return {
    ...address,
    startApi,
    stopApi,
    async stop() {
      await stopApi()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function makeTokens(identity: OwnIdentity, server: string): Promise<Record<User, string>> {
  const api = newApi(identity.connectionTo(server))
  const secrets = { group: '', version: 'v1', plural: 'secrets', namespace: tokenNamespace }
  const metadata = { name: noRights }
  const made = await api.call({ method: 'POST', path: '/api/v1/namespaces', body: { metadata } })
  const namespaceUid = Object(made).metadata.uid
  const make = async (user: User): Promise<string> => {
    const { text, secret } = newToken({ ...bounds[user], user, namespaceUid })
    await api.call({ method: 'POST', path: pathOf(secrets), body: secret })
    return text
  }
  const tokens = {
    admin: await make('admin'),
    engine: await make('engine'),
    berth: await make('berth'),
    reader: await make('reader'),
    nobody: await make('nobody'),
  }
  api.close()
  return tokens
}
