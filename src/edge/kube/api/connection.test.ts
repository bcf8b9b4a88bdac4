import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type ConnectionOptions, readConnection } from './connection.ts'
import { Fault } from './fault.ts'

const home = mkdtempSync(join(tmpdir(), 'berth-connection-'))
afterAll(() => rmSync(home, { recursive: true }))

type Parts = { cluster?: object; user?: object; context?: object; current?: string }

const kubeconfig = ({ cluster = {}, user = {}, context = {}, current = 'x' }: Parts = {}) => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'c', cluster: { server: 'https://one:6443', ...cluster } }],
  users: [{ name: 'u', user }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', ...context } }],
  'current-context': current,
})

function written(name: string, json: unknown): string {
  const path = join(home, name)
  writeFileSync(path, typeof json === 'string' ? json : JSON.stringify(json))
  return path
}

const read = (options: Partial<ConnectionOptions>) =>
  readConnection({ env: {}, home, parseYaml: (text) => JSON.parse(text), ...options })
const readOne = (parts: Parts) => read({ kubeconfig: written('one', kubeconfig(parts)) })

describe('where it is found', () => {
  test('a named file must exist', async () => {
    await expect(read({ kubeconfig: join(home, 'nowhere') })).rejects.toThrow(
      /nowhere does not exist$/,
    )
  })

  test('KUBECONFIG is a list: the first value wins, missing files are skipped', async () => {
    const first = written('first', { contexts: [{ name: 'y', context: { cluster: 'd' } }] })
    const second = written('second', kubeconfig({ context: { namespace: 'shop' } }))
    const other = kubeconfig({ cluster: { server: 'https://other' }, current: 'y' })
    const clusters = [...other.clusters, { name: 'd', cluster: { server: 'https://two' } }]
    const third = written('third', { ...other, clusters })
    const env = { KUBECONFIG: [first, join(home, 'nowhere'), second, third].join(':') }
    const { server, namespace } = await read({ env })
    expect([server.host, namespace]).toEqual(['one:6443', 'shop'])
    const chosen = await read({ env, context: 'y' })
    expect([chosen.server.host, chosen.namespace]).toEqual(['two', 'default'])
    const alone = await read({ env, kubeconfig: third, context: 'x' })
    expect(alone.server.host).toBe('other')
  })

  test('then ~/.kube/config, then the service account, otherwise an error', async () => {
    await expect(read({})).rejects.toThrow(
      /no kubeconfig at .*\.kube\/config, and this is not a pod/,
    )
    const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
    const account = await read({ env })
    expect(account).toMatchObject({ namespace: 'default', trust: { isChecked: true } })
    expect(account.server.hostname).toBe('[fd00::1]')
    mkdirSync(join(home, '.kube'))
    written('.kube/config', kubeconfig())
    expect((await read({ env })).server.host).toBe('one:6443')
    rmSync(join(home, '.kube'), { recursive: true })
  })
})

describe('contents', () => {
  test('paths are relative to the file; data comes before files', async () => {
    written('ca.crt', 'authority')
    written('token', 'secret\n')
    const user = {
      tokenFile: 'token',
      token: 'older',
      'client-certificate-data': btoa('cert'),
      'client-key': 'ca.crt',
    }
    const { trust, credentials } = await readOne({
      cluster: { 'certificate-authority': 'ca.crt', 'tls-server-name': 'kubernetes' },
      user,
    })
    expect(trust).toEqual({
      ca: { file: join(home, 'ca.crt') },
      isChecked: true,
      serverName: 'kubernetes',
    })
    expect(await credentials.current()).toEqual({
      authorization: 'Bearer secret',
      certificate: { cert: 'cert', key: 'authority' },
    })
  })

  test('basic authentication, and no user at all', async () => {
    const user = { username: 'me', password: 'secret' }
    const { credentials } = await readOne({ user })
    const authorization = `Basic ${btoa('me:secret')}`
    expect(await credentials.current()).toMatchObject({ authorization })
    const nobody = await readOne({ context: { user: undefined } })
    expect(await nobody.credentials.current()).toEqual({})
  })

  test('impersonation', async () => {
    const user = {
      as: 'jane',
      'as-uid': '1',
      'as-groups': ['a', 'b'],
      'as-user-extra': { 'x/y': ['z'] },
    }
    expect((await readOne({ user })).headers).toEqual({
      'Impersonate-User': 'jane',
      'Impersonate-Uid': '1',
      'Impersonate-Group': ['a', 'b'],
      'Impersonate-Extra-x%2Fy': ['z'],
    })
  })

  test('the proxy of the file, otherwise that of the environment', async () => {
    const env = { HTTPS_PROXY: 'http://env:1', NO_PROXY: 'one' }
    const file = written('proxied', kubeconfig({ cluster: { 'proxy-url': 'http://file:2' } }))
    expect((await read({ kubeconfig: file, env })).proxy?.host).toBe('file:2')
    const plain = written('plain', kubeconfig())
    expect((await read({ kubeconfig: plain, env })).proxy).toBeUndefined()
    const { HTTPS_PROXY } = env
    expect((await read({ kubeconfig: plain, env: { HTTPS_PROXY } })).proxy?.host).toBe('env:1')
  })
})

describe('invalid kubeconfig files', () => {
  const v1 = 'client.authentication.k8s.io/v1'
  const cases: (Parts & { says: RegExp })[] = [
    { current: '', says: /no current context/ },
    { current: 'z', says: /there is no context "z"; there are others, such as x$/ },
    { context: { cluster: 'z' }, says: /context "x" names a cluster "z" that does not exist/ },
    { context: { user: 'z' }, says: /context "x" names a user "z" that does not exist/ },
    {
      cluster: { server: 'one:6443' },
      says: /the server "one:6443" is not an https:\/\/ or http:/,
    },
    { cluster: { server: undefined }, says: /the server "" is not an/ },
    { cluster: { 'proxy-url': 'socks5://p' }, says: /proxies of type socks5 are not supported/ },
    {
      cluster: { 'certificate-authority': 'a', 'insecure-skip-tls-verify': true },
      says: /exclude each other/,
    },
    { user: { 'client-certificate': 'a' }, says: /needed together/ },
    {
      user: { 'auth-provider': { name: 'gcp' } },
      says: /auth-provider is not supported; use exec/,
    },
    { user: { exec: { apiVersion: v1 } }, says: /exec has no command/ },
    {
      user: { exec: { apiVersion: 'v0', command: 'a' } },
      says: /apiVersion "v0" is not supported/,
    },
    {
      user: { exec: { apiVersion: v1, command: 'a', interactiveMode: 'Always' } },
      says: /needs a terminal/,
    },
  ]
  test.each(cases)('$says', async ({ says, ...parts }) => {
    const failure = await readOne(parts).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Fault)
    expect(String(failure)).toMatch(says)
  })

  test.each([[], 1, 'text', null, { clusters: {}, contexts: 7, users: [1, null] }])(
    'a file that contains %j',
    async (json) => {
      const file = written('odd', JSON.stringify(json))
      await expect(read({ kubeconfig: file })).rejects.toThrow(Fault)
    },
  )

  test('a file that cannot be parsed', async () => {
    await expect(read({ kubeconfig: written('odd', '{') })).rejects.toThrow(/kubeconfig .*odd: /)
  })
})
