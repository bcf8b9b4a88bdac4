// Who we are to the API server, by each way that a kubeconfig or a pod has to say it.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newApi } from '../../src/edge/kube/api/client.ts'
import { type Connection, readConnection } from '../../src/edge/kube/api/connection.ts'
import { ApiError, Fault } from '../../src/edge/kube/api/fault.ts'
import { base64Of, issue, newAuthority } from './certificates.ts'
import {
  apiAs,
  configMap,
  contract,
  core,
  kube,
  newNamespace,
  onKubernetes,
  refusal,
  verbs,
} from './cluster.ts'
import { connectionFor, tokenAt } from './harness.ts'

const admin = apiAs('admin')
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-connecting-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

type Written = {
  readonly user?: object
  readonly cluster?: object
  readonly env?: NodeJS.Dict<string>
}

/** A connection as a kubeconfig of this content gives it. */
function connectionOf({ user = {}, cluster = {}, env = {} }: Written): Promise<Connection> {
  const kubeconfig = join(folder, 'kubeconfig')
  const config = {
    clusters: [
      {
        name: 'c',
        cluster: { server: kube.server, 'certificate-authority': kube.caFile, ...cluster },
      },
    ],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
    'current-context': 'x',
  }
  writeFileSync(kubeconfig, JSON.stringify(config))
  return readConnection({ kubeconfig, env, home: folder, parseYaml: (text) => JSON.parse(text) })
}

type Review = {
  readonly status: { readonly userInfo: { readonly username: string; readonly groups?: string[] } }
}

/** Whom the API server takes us for. */
async function whoIs(connection: Connection) {
  const api = newApi(connection)
  onTestFinished(() => api.close())
  const review = (await api.call({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  })) as Review
  return review.status.userInfo
}

const failureOf = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => 'none',
    (error: unknown) => error,
  )

/** Gives one token after another, and counts. */
function pluginScript(
  name: string,
  ...tokens: readonly string[]
): { path: string; runs: () => number } {
  const path = join(folder, name)
  const count = `${path}.runs`
  const answers = tokens.map((token, index) => {
    const status = { token }
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status,
    }
    return `${index + 1}) echo '${JSON.stringify(credential)}';;`
  })
  writeFileSync(
    path,
    `#!/bin/sh\necho run >>${count}\ncase $(wc -l <${count}) in ${answers.join(' ')} esac\n`,
  )
  chmodSync(path, 0o755)
  return { path, runs: () => readFileSync(count, 'utf8').split('\n').length - 1 }
}

contract('connecting', () => {
  test('[C1] a token says who we are; a wrong one is answered 401 Unauthorized', async () => {
    const connection = await connectionOf({ user: { token: tokenAt(kube, 'reader') } })
    expect(connection.namespace).toBe('shop')
    expect(await whoIs(connection)).toMatchObject({ username: 'reader' })
    const wrong = await refusal(whoIs(await connectionOf({ user: { token: 'wrong' } })))
    expect(wrong).toMatchObject({ code: 401, reason: 'Unauthorized' })
  })

  test('[C2] a client certificate says who we are: user by CN, groups by O', async () => {
    const authority = { folder: join(kube.folder, 'clients'), certFile: '' }
    const { certFile, keyFile } = issue(authority, 'carol', '/O=crew/CN=carol')
    const files = { 'client-certificate': certFile, 'client-key': keyFile }
    const data = {
      'client-certificate-data': base64Of(certFile),
      'client-key-data': base64Of(keyFile),
    }
    for (const user of [files, data]) {
      const who = await whoIs(await connectionOf({ user }))
      expect(who).toMatchObject({ username: 'carol', groups: expect.arrayContaining(['crew']) })
    }
  })

  test('[C3] what RBAC does not give is answered 403 Forbidden, and says who may not do what', async () => {
    const refused = await refusal(verbs(apiAs('nobody'), core('services')).list())
    expect(refused).toMatchObject({ code: 403, reason: 'Forbidden' })
    expect(refused.message).toContain('User "nobody" cannot list resource "services"')
  })

  onKubernetes('[C4] a pod is its service account, by the files that are mounted', async () => {
    const namespace = await newNamespace(admin)
    const accounts = core('serviceaccounts', namespace)
    await verbs(admin, accounts).create({ metadata: { name: 'controller' } })
    const answer = await admin.call({
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/serviceaccounts/controller/token`,
      body: { spec: { expirationSeconds: 600 } },
    })
    const { token } = (answer as { status: { token: string } }).status
    const mounted = join(folder, 'account')
    mkdirSync(mounted)
    writeFileSync(join(mounted, 'token'), token)
    writeFileSync(join(mounted, 'ca.crt'), readFileSync(kube.caFile))
    writeFileSync(join(mounted, 'namespace'), namespace)
    const { hostname, port } = new URL(kube.server)
    const connection = await readConnection({
      env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
      home: join(folder, 'nobody-lives-here'),
      parseYaml: (text) => JSON.parse(text),
      serviceAccount: mounted,
    })
    expect(connection.namespace).toBe(namespace)
    const username = `system:serviceaccount:${namespace}:controller`
    expect(await whoIs(connection)).toMatchObject({ username })
  })

  test('[C5] a token file that was replaced is read again when the old token is refused', async () => {
    const tokenFile = join(folder, 'rotating')
    writeFileSync(tokenFile, 'expired')
    const connection = await connectionOf({ user: { tokenFile: 'rotating' } })
    expect(await refusal(whoIs(connection))).toMatchObject({ code: 401 })
    writeFileSync(tokenFile, `${tokenAt(kube, 'reader')}\n`)
    expect(await whoIs(connection)).toMatchObject({ username: 'reader' })
  })

  test('[C6] an exec plugin is asked once, and once more when its token is refused', async () => {
    const plugin = pluginScript('plugin', 'expired', tokenAt(kube, 'reader'))
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: './plugin' }
    const connection = await connectionOf({ user: { exec }, env: process.env })
    const asked = Array.from({ length: 5 }, () => whoIs(connection))
    for (const who of await Promise.all(asked)) expect(who).toMatchObject({ username: 'reader' })
    expect(plugin.runs()).toBe(2)
    await whoIs(connection)
    expect(plugin.runs()).toBe(2)
  })

  test('[C7] whoever may impersonate acts as another', async () => {
    const user = { token: tokenAt(kube, 'admin'), as: 'dora', 'as-groups': ['crew', 'guests'] }
    const who = await whoIs(await connectionOf({ user }))
    expect(who).toMatchObject({
      username: 'dora',
      groups: expect.arrayContaining(['crew', 'guests']),
    })
    const guest = await connectionOf({ user: { token: tokenAt(kube, 'nobody'), as: 'admin' } })
    expect(await refusal(whoIs(guest))).toMatchObject({ code: 403, reason: 'Forbidden' })
  })

  test('[C8] the certificate of the server is checked, against the name that is asked for', async () => {
    const user = { token: tokenAt(kube, 'reader') }
    const named = (name: string) => connectionOf({ user, cluster: { 'tls-server-name': name } })
    const known = await named('kubernetes.default.svc')
    expect(await whoIs(known)).toMatchObject({ username: 'reader' })
    const other = newAuthority(folder).certFile
    const strange = await connectionOf({ user, cluster: { 'certificate-authority': other } })
    for (const connection of [strange, await named('example.com')]) {
      const fault = await failureOf(whoIs(connection))
      expect(fault).toBeInstanceOf(Fault)
      expect(fault).not.toBeInstanceOf(ApiError)
    }
    const unchecked = { 'certificate-authority': undefined, 'insecure-skip-tls-verify': true }
    const blind = await connectionOf({ user, cluster: unchecked })
    expect(await whoIs(blind)).toMatchObject({ username: 'reader' })
  })

  test('[C9] a proxy is asked for a tunnel; what comes through is the same', async () => {
    const asked: (string | undefined)[] = []
    const proxy = createServer()
    proxy.on('connect', ({ url, headers }, near: Socket) => {
      asked.push(url, headers['proxy-authorization'])
      const { hostname, port } = new URL(`tcp://${url}`)
      const far = connect(Number(port), hostname, () => {
        near.write('HTTP/1.1 200 OK\r\n\r\n')
        near.pipe(far).pipe(near)
      })
      far.on('error', () => near.destroy())
      near.on('error', () => far.destroy()).on('close', () => far.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      proxy.close()
    })
    const { port } = proxy.address() as { port: number }
    const cluster = { 'proxy-url': `http://me:se%20cret@127.0.0.1:${port}` }
    const connection = await connectionOf({ user: { token: tokenAt(kube, 'reader') }, cluster })
    expect(await whoIs(connection)).toMatchObject({ username: 'reader' })
    const user = `Basic ${Buffer.from('me:se cret').toString('base64')}`
    expect(asked).toEqual([new URL(kube.server).host, user])
  })

  test('[C10] a server below a path of its own is asked there', async () => {
    const namespace = await newNamespace(admin)
    await verbs(admin, core('configmaps', namespace)).create(configMap('a'))
    const connection = connectionFor(kube, 'admin')
    const server = new URL(`${kube.server}/api/v1/namespaces/${namespace}/`)
    const below = newApi({ ...connection, server })
    onTestFinished(() => below.close())
    const found = await below.call({ method: 'GET', path: '/configmaps/a' })
    expect(found).toMatchObject({ kind: 'ConfigMap' })
  })
})
