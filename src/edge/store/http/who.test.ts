// Who is let in, and to what; refusals in the words of kube-apiserver 1.36.3.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiStand, type AskOptions, newPair } from '../../../../test/build/apiStand.ts'
import { may } from './may.ts'
import type { Person } from './person.ts'
import { targetOf } from './target.ts'

let stand: ApiStand
beforeAll(async () => {
  stand = await ApiStand.start()
})
afterAll(async () => {
  expect(stand.failures).toEqual([])
  await stand.stop()
})

const alone = { token: '', agent: false as const }
const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
async function who(options: AskOptions) {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const headers = { 'Content-Type': 'application/json', ...options.headers }
  const { code, json } = await stand.ask(whoami, { method: 'POST', body, ...options, headers })
  expect(json).toMatchObject(code === 201 ? { kind: 'SelfSubjectReview' } : { kind: 'Status' })
  return code === 201 ? json.status.userInfo : `${code} ${json.message}`
}

describe('who', () => {
  test.each(['healthz', 'livez', 'readyz', 'version'])(
    'an anonymous client may read /%s, as in Kubernetes, and nothing below or beside it',
    async (name) => {
      const code = async (path: string, options: AskOptions = {}) =>
        (await stand.ask(path, { ...alone, ...options })).code
      expect(await code(`/${name}?verbose`)).toBe(200)
      expect(await code(`/${name}`, { method: 'POST' })).toBe(401)
      expect(await code(`/${name}`, { headers: { Authorization: 'Bearer wrong' } })).toBe(401)
      expect(await code(`/${name}`, { headers: { 'Impersonate-User': 'admin' } })).toBe(403)
      expect(await code(`/${name}/ping`)).toBe(401)
      expect(await code(`/%2F${name}`)).toBe(401)
    },
  )

  test.each(['/', '/api', '/apis', '/openapi/v3', '/api/v1/nodes'])(
    'an anonymous client may not read %s',
    async (path) => expect((await stand.ask(path, alone)).code).toBe(401),
  )

  test('[C1] a token names the user; none or a wrong one is answered 401', async () => {
    expect(await who({ token: 'reader' })).toEqual({
      username: 'reader',
      groups: ['system:authenticated'],
    })
    for (const Authorization of ['', 'Bearer', 'Bearer wrong', 'Basic YTpi', 'Bearer admin x']) {
      const { code, json } = await stand.ask('/api', { token: '', headers: { Authorization } })
      expect(code, Authorization).toBe(401)
      expect(json).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      })
    }
    expect(await who({ token: '', headers: { Authorization: 'bearer admin' } })).toMatchObject({
      username: 'admin',
    })
  })

  test('[C2] a client certificate names the user by CN and the groups by O', async () => {
    const carol = newPair('carol', '/O=crew/O=guests/CN=carol')
    expect(await who({ ...alone, ...carol })).toEqual({
      username: 'carol',
      groups: ['crew', 'guests', 'system:authenticated'],
    })
    // As in Kubernetes it counts before a token.
    expect(await who({ ...alone, ...carol, token: 'admin' })).toMatchObject({ username: 'carol' })
    const { json } = await stand.ask('/api/v1/services', { ...alone, ...carol })
    expect(json.message).toBe(
      'services is forbidden: User "carol" cannot list resource "services" in API group "" at ' +
        'the cluster scope',
    )
  })

  test('a certificate without a name or of another authority does not count', async () => {
    expect(await who({ ...alone, ...newPair('unnamed', '/O=system:masters') })).toBe(
      '401 Unauthorized',
    )
    expect(await who({ ...alone, ...selfSigned('1') })).toBe('401 Unauthorized')
    expect(await who({ ...alone, ...selfSigned('1'), token: 'admin' })).toMatchObject({
      username: 'admin',
    })
  })

  test('a certificate that expires while its connection is open no longer counts', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const admin = { ...newPair('ending', '/O=system:masters/CN=admin'), token: '', agent }
    expect(await who(admin)).toMatchObject({ username: 'admin' })
    stand.now = () => new Date(Date.now() + 2 * 86_400_000)
    expect(await who(admin)).toBe('401 Unauthorized')
    stand.now = () => new Date()
    expect(await who(admin)).toMatchObject({ username: 'admin' })
    agent.destroy()
  })

  test('[C7] an administrator may impersonate another user', async () => {
    const headers = {
      'Impersonate-User': 'dora',
      'Impersonate-Group': ['crew', 'guests, and more'],
      'Impersonate-Uid': '77',
      'Impersonate-Extra-Example.com%2FScopes': ['view', 'edit'],
    }
    expect(await who({ headers })).toEqual({
      username: 'dora',
      uid: '77',
      groups: ['crew', 'guests, and more', 'system:authenticated'],
      extra: { 'example.com/scopes': ['view', 'edit'] },
    })
    const account = { 'Impersonate-User': 'system:serviceaccount:shop:web' }
    expect(await who({ headers: account })).toMatchObject({
      groups: ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated'],
    })
    const list = (name: string, group?: string) =>
      stand.ask('/api/v1/services', {
        headers: {
          'Impersonate-User': name,
          ...(group === undefined ? {} : { 'Impersonate-Group': group }),
        },
      })
    expect((await list('dora')).json.message).toContain('User "dora" cannot list resource')
    expect((await list('dora', 'system:masters')).code).toBe(200)
    expect(await who({ headers: { 'Impersonate-Group': 'x' } })).toBe(
      '400 requested group without impersonating a user name',
    )
  })

  test.each(['reader', 'tenant'])('[C7] %s may not', async (token) => {
    const headers = { 'Impersonate-User': 'admin', 'Impersonate-Group': 'system:masters' }
    const { json } = await stand.ask('/api/v1/namespaces/shop/configmaps', { token, headers })
    expect(json).toMatchObject({
      code: 403,
      message:
        `configmaps is forbidden: User "${token}" cannot impersonate-on:user-info:list resource ` +
        '"configmaps" in API group "" in the namespace "shop"',
    })
  })
})

function selfSigned(days: string) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-who-'))
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const files = ['-keyout', 'key', '-out', 'cert', '-days', days]
  const subject = ['-subj', '/O=system:masters/CN=admin']
  execFileSync('openssl', ['req', '-x509', ...curve, ...files, ...subject], {
    cwd: folder,
    stdio: 'pipe',
  })
  const [cert, key] = ['cert', 'key'].map((file) => readFileSync(join(folder, file), 'utf8'))
  rmSync(folder, { recursive: true })
  return { cert, key }
}

describe('may', () => {
  const people: Readonly<Record<string, Person['reach']>> = {
    all: { namespace: undefined, isReadOnly: false },
    reader: { namespace: undefined, isReadOnly: true },
    tenant: { namespace: 'shop', isReadOnly: false },
    guest: { namespace: 'shop', isReadOnly: true },
    nobody: 'nothing',
  }
  const inShop = '/api/v1/namespaces/shop'
  const review = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'

  test.each([
    [`GET ${inShop}/configmaps/a`, 'all reader tenant guest'],
    [`GET ${inShop}/configmaps?watch=1`, 'all reader tenant guest'],
    [`GET ${inShop}/secrets/a`, 'all tenant'],
    [`GET ${inShop}/secrets?watch=1`, 'all tenant'],
    [`POST ${inShop}/secrets`, 'all tenant'],
    [`DELETE ${inShop}/secrets`, 'all tenant'],
    [`PATCH ${inShop}/services/a/status`, 'all'],
    [`POST ${inShop}/serviceaccounts/a/token`, 'all tenant'],
    ['GET /api/v1/configmaps', 'all reader'],
    ['GET /api/v1/namespaces/lab/configmaps', 'all reader'],
    ['GET /api/v1/secrets', 'all'],
    ['GET /api/v1/namespaces/lab/secrets', 'all'],
    ['PUT /api/v1/namespaces/lab/secrets/a', 'all'],
    ['GET /api/v1/namespaces', 'all reader'],
    [`GET ${inShop}`, 'all reader tenant guest'],
    [`DELETE ${inShop}`, 'all'],
    [`PUT ${inShop}/status`, 'all'],
    ['GET /api/v1/nodes/shop', 'all reader'],
    ['GET /apis/berth.dev/v1alpha1/addresses', 'all reader'],
    [`POST ${review}`, 'all reader tenant guest nobody'],
    [`GET ${review}`, 'all reader'],
    ['GET /api', 'all reader tenant guest nobody'],
    ['GET /apis/apps/v1', 'all reader tenant guest nobody'],
    ['GET /openapi/v3/api/v1', 'all reader tenant guest nobody'],
    ['GET /version', 'all reader tenant guest nobody'],
    ['GET /readyz', 'all reader tenant guest nobody'],
    ['POST /version', 'all'],
    ['GET /versions', 'all reader'],
    ['GET /', 'all reader'],
  ])('%s: %s', (line, those) => {
    const [method = '', url = ''] = line.split(' ')
    const [path = '', search] = url.split('?')
    const target = targetOf({ method, path, query: new URLSearchParams(search) })
    if (!target.ok) throw new Error(target.status.message)
    const allowed = Object.entries(people).filter(([user, reach]) =>
      may({ user, groups: [], reach }, target.value),
    )
    expect(allowed.map(([user]) => user).join(' ')).toBe(those)
  })

  test.each([
    [
      'POST',
      `${inShop}/services`,
      'services is forbidden: User "reader" cannot create resource "services" in API group "" in ' +
        'the namespace "shop"',
      { kind: 'services' },
    ],
    [
      'PATCH',
      `${inShop}/services/x/status`,
      'services "x" is forbidden: User "reader" cannot patch resource "services/status" in API ' +
        'group "" in the namespace "shop"',
      { name: 'x', kind: 'services' },
    ],
    [
      'DELETE',
      '/apis/berth.dev/v1alpha1/addresses',
      'addresses.berth.dev is forbidden: User "reader" cannot deletecollection resource ' +
        '"addresses" in API group "berth.dev" at the cluster scope',
      { group: 'berth.dev', kind: 'addresses' },
    ],
    ['POST', '/foo', 'forbidden: User "reader" cannot post path "/foo"', {}],
  ])('[C3] %s %s is answered 403 Forbidden', async (method, path, message, details) => {
    const { code, json } = await stand.ask(path, { method, token: 'reader' })
    expect(code).toBe(403)
    expect(json).toMatchObject({ reason: 'Forbidden', message, details, code: 403 })
  })
})

describe('[C126] asking about oneself', () => {
  const api = '/apis/authorization.k8s.io/v1'
  const post = (path: string, body: unknown, token = 'admin') =>
    stand.ask(path, {
      method: 'POST',
      token,
      body,
      headers: { 'Content-Type': 'application/json' },
    })
  const mayI = async (spec: object, token?: string) => {
    const { code, json } = await post(`${api}/selfsubjectaccessreviews`, { spec }, token)
    expect(code).toBe(201)
    expect(json).toMatchObject({ kind: 'SelfSubjectAccessReview', spec })
    return json.status.allowed
  }

  test('a SelfSubjectAccessReview says whether an action is allowed', async () => {
    const create = { verb: 'create', resource: 'services', namespace: 'lab' }
    expect(await mayI({ resourceAttributes: create })).toBe(true)
    expect(await mayI({ resourceAttributes: create }, 'reader')).toBe(false)
    expect(await mayI({ resourceAttributes: { ...create, namespace: 'shop' } }, 'tenant')).toBe(
      true,
    )
    expect(await mayI({ resourceAttributes: { verb: '*', resource: '*' } }, 'tenant')).toBe(false)
    expect(await mayI({ nonResourceAttributes: { path: '/foo', verb: 'get' } }, 'tenant')).toBe(
      false,
    )
    expect(await mayI({ nonResourceAttributes: { path: '/api', verb: 'get' } }, 'tenant')).toBe(
      true,
    )
    const neither = await post(`${api}/selfsubjectaccessreviews`, {})
    expect(neither.json).toMatchObject({
      code: 422,
      message:
        '.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: ' +
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
    })
  })

  test('a SelfSubjectRulesReview lists what is allowed', async () => {
    const rules = async (token: string) => {
      const body = { spec: { namespace: 'shop' } }
      const { json } = await post(`${api}/selfsubjectrulesreviews`, body, token)
      const { resourceRules, incomplete } = json.status
      return { ...resourceRules.at(-1), incomplete }
    }
    expect(await rules('admin')).toEqual({
      verbs: ['*'],
      apiGroups: ['*'],
      resources: ['*'],
      incomplete: false,
    })
    // Secrets it may not read, which no rule can say.
    const reading = { verbs: ['get', 'list', 'watch'], incomplete: true }
    expect(await rules('reader')).toMatchObject(reading)
    expect(await rules('tenant')).toMatchObject({ verbs: ['*'], resources: ['*'] })
    const { json } = await post(`${api}/selfsubjectrulesreviews`, {})
    expect(json).toMatchObject({ code: 400, message: 'no namespace on request' })
  })

  test('other verbs and kinds are refused', async () => {
    expect((await stand.ask(whoami)).code).toBe(405)
    expect((await stand.ask(`${whoami}/x`)).code).toBe(404)
    const { json } = await post(whoami, { apiVersion: 'v1', kind: 'Pod' })
    expect(json).toMatchObject({ code: 400, reason: 'BadRequest' })
    expect((await post(whoami, [])).json.message).toContain('it is not an object')
  })
})
