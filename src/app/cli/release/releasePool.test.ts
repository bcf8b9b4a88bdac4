// Proves that berth release pool gives up only what is lost, and only when it is told to (R3.14).
import { expect, test } from 'vitest'
import { nowhere } from '../../../../test/build/terminal.ts'
import type { Api, ApiRequest } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { releasePool } from './releasePool.ts'

type Given = {
  /** undefined: the kind is not served. */
  isThere?: boolean | undefined
  notes?: readonly object[]
  /** The pool that the Address names. */
  of?: string
}

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '3' },
  spec: {
    type: 'LoadBalancer',
    clusterIPs: ['10.96.0.1'],
    ipFamilies: ['IPv4'],
    ports: [{ port: 80, protocol: 'TCP' }],
  },
  status: { loadBalancer: { ingress: [{ ip: '192.0.2.9' }] } },
}
const holder = { kind: 'Service', namespace: 'shop', name: 'web', uid: 'u1', ports: ['TCP/80'] }
const addressOf = (pool: string) => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'Address',
  metadata: { name: '192.0.2.9', uid: 'u2', resourceVersion: '4' },
  spec: { address: '192.0.2.9', pool, holders: [holder] },
})
const note = (name: string) => ({
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'ReleasedPool',
  metadata: { name, uid: 'u3', resourceVersion: '5' },
  spec: { cause: 'Released' },
})

function clusterOf(given: Given, written: ApiRequest[]): Api {
  const lists: [string, readonly object[]][] = [
    ['/addresses', [addressOf(given.of ?? 'old')]],
    ['/services', [service]],
    ['/releasedpools', given.notes ?? []],
  ]
  const gone = (name: string) => {
    const status = { details: { name } }
    const nothing = { reason: '', message: '', retryAfterMs: undefined }
    return new ApiError({ request: '', code: 404, status, ...nothing })
  }
  const call = async (request: ApiRequest): Promise<unknown> => {
    const { method, path } = request
    if (path.endsWith('/ipaddresspools/old')) {
      if (given.isThere !== true) throw gone('isThere' in given ? '' : 'old')
      return {}
    }
    if (method !== 'GET') written.push(request)
    const [, items = []] = lists.find(([end]) => path.endsWith(end)) ?? []
    const list = { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: '9' }, items }
    return [Buffer.from(JSON.stringify(list))]
  }
  return { call } as Pick<Api, 'call'> as Api
}

async function run(given: Given, isSure: boolean) {
  const written: ApiRequest[] = []
  let text = ''
  const say = (said: string) => {
    text += said
  }
  const io = { ...nowhere, out: say, err: say }
  const settings = { ownNamespace: 'metallb-system', loadBalancerClass: '' }
  const api = clusterOf(given, written)
  const exit = await releasePool({ api, io, settings, pool: 'old', isSure })
  return { exit, text, bodies: written.map(({ body }) => body) }
}

test.each<{ when: string; given: Given; exit: number; says: RegExp }>([
  { when: 'the pool is there', given: { isThere: true }, exit: 1, says: /pool old is there/ },
  { when: 'pools are not served', given: { isThere: undefined }, exit: 1, says: /not served/ },
  { when: 'it is released already', given: { notes: [note('old')] }, exit: 0, says: /already/ },
  { when: 'nothing is kept from it', given: { of: 'other' }, exit: 0, says: /from pool old\n$/ },
  { when: 'another one is meant', given: { of: 'odl' }, exit: 0, says: /did you mean odl\?\n$/ },
])('where $when nothing is written', async ({ given, exit, says }) => {
  const done = await run(given, true)
  expect([done.exit, done.bodies]).toEqual([exit, []])
  expect(done.text).toMatch(says)
})

test('without --yes it shows who would lose what', async () => {
  const { exit, text, bodies } = await run({}, false)
  expect([exit, bodies]).toEqual([2, []])
  expect(text).toBe(
    '192.0.2.9 shop/web\n' +
      '1 Service loses its address; nothing was done: add --yes to release pool old\n',
  )
})

test('with --yes it notes that the pool is gone for good', async () => {
  const { exit, text, bodies } = await run({}, true)
  expect(exit).toBe(0)
  expect(text).toMatch(/: pool old is released\n$/)
  const labels = { 'app.kubernetes.io/managed-by': 'berth' }
  expect(bodies).toMatchObject([{ metadata: { name: 'old', labels }, spec: { cause: 'Released' } }])
})
