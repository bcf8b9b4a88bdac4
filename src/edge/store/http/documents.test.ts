// What the API says of itself, in the forms that kubectl and older clients ask for.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiStand } from '../../../../test/build/apiStand.ts'

let stand: ApiStand
beforeAll(async () => {
  stand = await ApiStand.start()
})
afterAll(async () => {
  expect(stand.failures).toEqual([])
  await stand.stop()
})

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

test.each([
  ['/api', { kind: 'APIVersions', versions: ['v1'] }],
  ['/api/', { kind: 'APIVersions' }],
  ['/api/v1', { kind: 'APIResourceList', groupVersion: 'v1' }],
  ['/apis', { kind: 'APIGroupList' }],
  ['/apis/apps', { kind: 'APIGroup', name: 'apps' }],
  ['/apis/apps/v1', { kind: 'APIResourceList', groupVersion: 'apps/v1' }],
  ['/apis/apps/v2', { code: 404, reason: 'NotFound', details: {} }],
  ['/api/v2', { code: 404, reason: 'NotFound' }],
  ['/openapi/v3', { paths: { 'api/v1': {}, 'apis/apps/v1': {} } }],
])('%s', async (path, json) => {
  expect((await stand.ask(path)).json).toMatchObject(json)
})

test.each(['/foo', '/apis/nothing', '/apis/not.served/v1', '/openapi/v1', '/readyz/foo', '//api'])(
  '[C12] %s is not found',
  async (path) => {
    expect(await stand.ask(path)).toMatchObject({
      code: 404,
      text: '404 page not found\n',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
  },
)

test.each(['api', 'apis'])(
  '/%s has everything at once for clients of aggregated discovery',
  async (root) => {
    const Accept = `${aggregated},${aggregated.replace('v=v2', 'v=v2beta1')},application/json`
    const { json, headers } = await stand.ask(`/${root}`, { headers: { Accept } })
    expect(headers['content-type']).toBe(aggregated)
    expect(json).toMatchObject({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2',
    })
    const beta = aggregated.replace('v=v2', 'v=v2beta1')
    const older = await stand.ask(`/${root}`, { headers: { Accept: beta } })
    expect(older.headers['content-type']).toBe(beta)
    expect(older.json.apiVersion).toBe('apidiscovery.k8s.io/v2beta1')
    const plain = await stand.ask(`/${root}`, {
      headers: { Accept: `application/json,${aggregated}` },
    })
    expect(plain.headers['content-type']).toBe('application/json')
  },
)

test('a schema can be cached under its hash; another hash is redirected', async () => {
  const { json } = await stand.ask('/openapi/v3')
  const url = json.paths['apis/apps/v1'].serverRelativeURL
  const kept = await stand.ask(url)
  expect(kept.json).toMatchObject({ openapi: '3.0.0' })
  expect(kept.headers['cache-control']).toBe('public, immutable')
  const moved = await stand.ask('/openapi/v3/apis/apps/v1?hash=OLD')
  expect(moved).toMatchObject({ code: 301, headers: { location: url, etag: kept.headers.etag } })
  const bare = await stand.ask('/openapi/v3/apis/apps/v1')
  expect(bare).toMatchObject({ code: 200, headers: { 'cache-control': 'no-cache, private' } })
  expect((await stand.ask('/openapi/v3/apis/apps/v9')).code).toBe(404)
})

test('OpenAPI v2 has every schema in JSON, in words of v2', async () => {
  const { definitions, swagger } = (await stand.ask('/openapi/v2')).json
  expect(swagger).toBe('2.0')
  const service = definitions['io.k8s.api.core.v1.Service']
  expect(service).toMatchObject({
    'x-kubernetes-group-version-kind': [{ group: '', kind: 'Service', version: 'v1' }],
    properties: { spec: { $ref: '#/definitions/io.k8s.api.core.v1.ServiceSpec' } },
  })
  expect(definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toMatchObject({
    format: 'int-or-string',
    type: 'string',
  })
  const text = JSON.stringify(definitions)
  for (const [, name = ''] of text.matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) {
    expect(definitions).toHaveProperty([name])
  }
  expect(text).not.toContain('components/schemas')
})

test('as protobuf it has none, so kubectl sends a List as it is', async () => {
  const Accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
  const { text, headers } = await stand.ask('/openapi/v2', { headers: { Accept } })
  expect(headers['content-type']).toBe(Accept.replace('@', '.'))
  expect(text).toBe('\n\x032.0\x12\x12\n\nKubernetes\x12\x041.36')
})

test('[C110] [C127] version and health', async () => {
  const { json } = await stand.ask('/version')
  expect(json).toMatchObject({ major: '1', minor: '36', gitVersion: 'v1.36.3+berth-0.0.0' })
  for (const path of ['/healthz', '/livez', '/readyz', '/livez/ping']) {
    expect((await stand.ask(path)).text).toBe('ok')
  }
  expect((await stand.ask('/readyz?verbose')).text).toBe('[+]ping ok\nreadyz check passed\n')
  const head = await stand.ask('/readyz', { method: 'HEAD' })
  expect(head).toMatchObject({ code: 200, text: '', headers: { 'content-length': '2' } })
  expect((await stand.ask('/')).json.paths).toContain('/apis/apps/v1')
  expect((await stand.ask('/version', { method: 'POST' })).json.reason).toBe('MethodNotAllowed')
})
