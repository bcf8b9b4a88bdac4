// Who may? The holder of the kubeconfig, and of tokens: within their bounds, while they last.
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Api } from '../../src/edge/kube/api/client.ts'
import { configMap, core, refusal, verbs } from '../kube/cluster.ts'
import { until } from '../kube/waits.ts'
import { apiOf, berth, newData, startUp, type Up } from './berth.ts'
import { answerTo, asking, secureSocket } from './sockets.ts'

test('what lets in is for its owner alone', async () => {
  const { folder, stop } = await startUp(newData())
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  expect(mode(folder.path)).toBe('700')
  const files = [folder.kubeconfig, folder.keys, folder.ca, folder.running]
  const stored = ['berth.db', 'berth.db-wal'].map((name) => join(folder.path, name))
  expect([...files, ...stored].map(mode)).toEqual(Array(6).fill('600'))
  await stop('SIGTERM')
})

test('who shows nothing, or what is not ours, is not let in', async () => {
  const up = await startUp(newData())
  const paths = ['/', '/api', '/api/v1/secrets', '/berth/backup?file=/tmp/x', '/readyz/ping']
  for (const path of paths) {
    const nobody = await secureSocket(up, { cert: undefined, key: undefined })
    expect(await answerTo(nobody, asking(path, 'GET', 'Connection: close\r\n'))).toContain(' 401 ')
  }
  for (const path of ['/healthz', '/livez', '/readyz', '/version']) {
    const nobody = await secureSocket(up, { cert: undefined, key: undefined })
    expect(await answerTo(nobody, asking(path, 'GET', 'Connection: close\r\n'))).toContain(' 200 ')
  }
  const wrong = 'Authorization: Bearer berth-0123456789.AAAA\r\nConnection: close\r\n'
  const stranger = await secureSocket(up, { cert: undefined, key: undefined })
  expect(await answerTo(stranger, asking('/api', 'GET', wrong))).toContain(' 401 ')
  await up.stop('SIGTERM')
})

type Of = { readonly api: Api; readonly codes: (...asked: Promise<unknown>[]) => Promise<number[]> }

/** Whom the token lets in, as kubectl would use it. */
async function tokenOf({ folder }: Up, ...args: readonly string[]): Promise<Of> {
  const made = await berth('token', '--data', folder.path, '-o', 'kubeconfig', ...args)
  expect(made).toMatchObject({ status: 0, err: '' })
  const file = join(folder.path, '..', `token${args.join('')}.kubeconfig`)
  writeFileSync(file, made.out)
  const codes = (...asked: Promise<unknown>[]) =>
    Promise.all(asked.map(async (one) => (await refusal(one)).code))
  return { api: await apiOf(file), codes }
}

test('a token that is bound to a namespace reaches nothing else', async () => {
  const up = await startUp(newData())
  await verbs(up.api, core('namespaces')).create({ metadata: { name: 'shop' } })
  const { api, codes } = await tokenOf(up, '--namespace', 'shop')
  const of = (plural: string, namespace?: string) => verbs(api, core(plural, namespace))
  await of('configmaps', 'shop').create(configMap('a'))
  await of('secrets', 'shop').create({ metadata: { name: 'b' } })
  await of('namespaces').get('shop')
  expect(
    await codes(
      of('configmaps', 'default').list(),
      of('configmaps').list(),
      of('secrets', 'kube-system').list(),
      of('namespaces').remove('shop'),
      of('nodes').list(),
      api.call({ method: 'POST', path: '/berth/backup', query: { file: '/tmp/never' } }),
    ),
  ).toEqual(Array(6).fill(403))
  api.close()
  await up.stop('SIGTERM')
})

test('metrics are for those who may read everything', async () => {
  const up = await startUp(newData())
  const headers = async (...args: readonly string[]) => {
    const { out } = await berth('token', '--data', up.folder.path, ...args)
    return `Authorization: Bearer ${out.trim()}\r\nConnection: close\r\n`
  }
  const asked = async (...args: readonly string[]) => {
    const socket = await secureSocket(up, { cert: undefined, key: undefined })
    return answerTo(socket, asking('/metrics', 'GET', await headers(...args)))
  }
  expect(await asked('--read-only')).toMatch(/^metallb_k8s_client_config_loaded_bool 1$/m)
  expect(await asked('--namespace', 'default')).toContain(' 403 ')
  await up.stop('SIGTERM')
})

test('a token that only reads changes nothing and sees no Secrets', async () => {
  const up = await startUp(newData())
  const { api, codes } = await tokenOf(up, '--read-only')
  const of = (plural: string, namespace?: string) => verbs(api, core(plural, namespace))
  await of('configmaps').list()
  await of('namespaces').get('default')
  expect(
    await codes(
      of('configmaps', 'default').create(configMap('a')),
      of('namespaces').remove('default'),
      of('secrets').list(),
      of('secrets', 'kube-system').get('x'),
      api.call({ method: 'POST', path: '/berth/backup', query: { file: '/tmp/never' } }),
    ),
  ).toEqual(Array(5).fill(403))
  const made = await berth('token', '--data', up.folder.path, '--read-only')
  const other = 'Impersonate-User: berth-admin\r\nImpersonate-Group: system:masters\r\n'
  const headers = `Authorization: Bearer ${made.out.trim()}\r\n${other}Connection: close\r\n`
  const socket = await secureSocket(up, { cert: undefined, key: undefined })
  expect(await answerTo(socket, asking('/api/v1/secrets', 'GET', headers))).toContain(' 403 ')
  api.close()
  await up.stop('SIGTERM')
})

test('a token ends with its time, and with its Secret; a watch of it soon after', async () => {
  const up = await startUp(newData())
  const [long, short] = [await tokenOf(up, '--for', '1h'), await tokenOf(up, '--for', '5s')]
  const watches = [short, long].map(({ api }) => watching(api))
  const maps = core('configmaps', 'default')
  await until('the token is over', () =>
    verbs(short.api, maps)
      .list()
      .then(
        () => undefined,
        () => true,
      ),
  )
  expect(await short.codes(verbs(short.api, maps).list())).toEqual([401])
  await verbs(long.api, maps).list()
  const secrets = verbs(up.api, core('secrets', 'kube-system'))
  await secrets.removeAll({ labelSelector: 'berth.dev/token' })
  expect(await long.codes(verbs(long.api, maps).list())).toEqual([401])
  // Looked at every five seconds.
  await Promise.all(watches)
  for (const { api } of [short, long]) api.close()
  await up.stop('SIGTERM')
})

/** Ends when the server ends it. */
async function watching(api: Api): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps'
  for await (const _ of api.stream({ method: 'GET', path, query: { watch: 'true' } }));
}

test('a token survives a restart, and its text is kept nowhere', async () => {
  const folder = newData()
  const first = await startUp(folder)
  const made = await berth('token', '--data', folder.path, '--user', 'dora')
  const [, key = 'none'] = made.out.trim().split('.')
  const stored = JSON.stringify(await verbs(first.api, core('secrets', 'kube-system')).list())
  expect(stored).not.toContain(Buffer.from(key).toString('base64').slice(0, 40))
  await first.stop('SIGKILL')
  const second = await startUp(folder)
  const bearer = `Authorization: Bearer ${made.out.trim()}\r\nConnection: close\r\n`
  const socket = await secureSocket(second, { cert: undefined, key: undefined })
  expect(await answerTo(socket, asking('/api/v1/nodes', 'GET', bearer))).toContain(' 200 ')
  await second.stop('SIGTERM')
})

test('tokens can be listed, and one ended, by who has the folder', async () => {
  const up = await startUp(newData())
  const token = (...args: readonly string[]) => berth('token', '--data', up.folder.path, ...args)
  expect(await token('--list')).toMatchObject({ status: 0, out: 'no tokens\n' })
  const [dora, ci] = [await token('--user', 'dora'), await token('--user', 'ci', '--read-only')]
  const [, id = ''] = /^berth-([0-9a-f]{10})\./.exec(dora.out) ?? []
  const { out } = await token('--list')
  expect(out).toMatch(new RegExp(`^${id} +dora +everything +no end$`, 'm'))
  expect(out).toMatch(/^[0-9a-f]{10} +ci +read +no end$/m)
  expect(out).not.toContain(dora.out.trim().split('.')[1])
  expect(await token('--remove', id)).toMatchObject({ status: 0, out: `removed: ${id}\n` })
  const code = async (text: string): Promise<string> => {
    const headers = `Authorization: Bearer ${text.trim()}\r\nConnection: close\r\n`
    const socket = await secureSocket(up, { cert: undefined, key: undefined })
    return (await answerTo(socket, asking('/api/v1/nodes', 'GET', headers))).split(' ')[1] ?? ''
  }
  expect([await code(dora.out), await code(ci.out)]).toEqual(['401', '200'])
  const again = await token('--remove', id)
  expect(again).toMatchObject({ status: 1, err: `berth: there is no token ${id}\n` })
  await up.stop('SIGTERM')
})
