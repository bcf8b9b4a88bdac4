// What a path means, and every refusal of one, as kube-apiserver 1.36.3 has it.
import { expect, test } from 'vitest'
import { Kinds } from '../kinds/kinds.ts'
import { kindAt, targetOf } from './target.ts'

const kinds = new Kinds()
kinds.define({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'pools.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Pool', plural: 'pools' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object' } },
      },
    ],
  },
  status: { conditions: [{ type: 'Established', status: 'True' }] },
})

/** The verb and where it goes; for a refusal its code and how it begins. */
function meaning(line: string): string {
  const [method = '', url = ''] = line.split(' ')
  const [path = '', search] = url.split('?')
  const target = targetOf({ method, path, query: new URLSearchParams(search) })
  if (!target.ok) return `${target.status.code} ${target.status.message}`
  if (target.value.type === 'path') return `${target.value.verb} ${target.value.path}`
  const { verb, namespace, name, subresource } = target.value
  const found = kindAt(target.value, kinds)
  if (!found.ok) return `${found.status.code} ${found.status.message}`
  const place = [namespace, name, subresource].map((part) => part ?? '-').join(' ')
  return `${verb} ${found.value.kind.kind} ${place}`
}

const missing = '404 the server could not find the requested resource'
const noPage = '404 404 page not found'
const noMethod = '405 the server does not allow this method on the requested resource'

test.each([
  ['GET /', 'get /'],
  ['GET /version/', 'get /version/'],
  ['GET /api/v1', 'get /api/v1'],
  ['GET /apis/apps/v1', 'get /apis/apps/v1'],
  ['GET /api/v1/configmaps', 'list ConfigMap - - -'],
  ['GET /api/v1/configmaps?watch=1', 'watch ConfigMap - - -'],
  ['GET /api/v1/configmaps?watch', 'watch ConfigMap - - -'],
  ['GET /api/v1/configmaps?watch=FALSE', 'list ConfigMap - - -'],
  ['GET /api/v1/namespaces/shop/configmaps/', 'list ConfigMap shop - -'],
  ['POST /api/v1/namespaces/shop/configmaps', 'create ConfigMap shop - -'],
  ['DELETE /api/v1/namespaces/shop/configmaps', 'deletecollection ConfigMap shop - -'],
  ['GET /api/v1/namespaces/shop/configmaps/a', 'get ConfigMap shop a -'],
  ['GET /api/v1/namespaces/shop/configmaps/a?watch=1', 'get ConfigMap shop a -'],
  ['PUT /api/v1/namespaces/shop/configmaps/a', 'update ConfigMap shop a -'],
  [
    'PUT /apis/apps/v1/namespaces/shop/deployments/a/scale',
    '404 the embedded API of Berth does not serve deployments/scale',
  ],
  ['GET /api/v1/nodes/a/proxy/metrics', '404 the embedded API of Berth does not serve nodes/proxy'],
  ['PATCH /api/v1/namespaces/shop/services/a/status', 'patch Service shop a status'],
  ['GET /api/v1/namespaces/shop', 'get Namespace shop shop -'],
  ['PUT /api/v1/namespaces/shop/status', 'update Namespace shop shop status'],
  ['GET /api/v1/namespaces', 'list Namespace - - -'],
  ['GET /api/v1/namespaces/sh%6Fp', 'get Namespace shop shop -'],
  ['DELETE /api/v1/nodes', 'deletecollection Node - - -'],
  ['GET /apis/example.com/v1/namespaces/shop/pools/a', 'get Pool shop a -'],

  ['GET /api/v1/nothings', missing],
  ['GET /api/v2/pods', missing],
  ['GET /apis/apps/v1/nothings', missing],
  ['GET /api/v1/configmaps/a', missing],
  ['GET /api/v1/namespaces/shop/nodes', missing],
  ['GET /api/v1/namespaces/shop/namespaces', missing],
  ['GET /api/v1/namespaces/shop/configmaps/a/status', missing],
  ['GET /api/v1/namespaces/shop/configmaps/a/b/c', missing],
  ['GET /api/v1/namespaces/shop/configmaps/a%2Fb', missing],
  ['GET /api/v1/namespaces//configmaps', missing],
  ['GET /api/v1/../v1/namespaces/shop', missing],
  ['GET /apis/not.served/v1/nothings', noPage],
  ['GET /apis/example.com/v1/nothings', noPage],
  ['GET /apis/example.com/v9/pools', noPage],
  ['GET /apis/example.com/v1/pools/a', noPage],
  ['POST /apis/example.com/v1/pools', noPage],
  [
    'GET /apis/example.com/v1/namespaces/shop/pools/a/status',
    '404 pools.example.com "a" not found',
  ],
  ['PUT /api/v1/namespaces/shop/configmaps', noMethod],
  ['POST /api/v1/namespaces/shop/configmaps/a', noMethod],
  ['POST /api/v1/configmaps', noMethod],
  ['DELETE /api/v1/configmaps', noMethod],
  ['DELETE /api/v1/namespaces', noMethod],
  ['DELETE /api/v1/namespaces/shop/services/a/status', noMethod],
  ['FOO /api/v1/configmaps', noMethod],
  ['HEAD /api/v1/configmaps', noMethod],
  ['GET /api/%zz', '400 the path "/api/%zz" is malformed'],
])('%s: %s', (line, means) => {
  expect(meaning(line)).toBe(means)
})
