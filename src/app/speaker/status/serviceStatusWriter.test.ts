// Proves how little is written: two writes for a new announcement, one for a move, otherwise none.
import { expect, test } from 'vitest'
import { newClock } from '../../../../test/build/manualClock.ts'
import type { Api, ApiRequest } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import type { StatusKind } from '../../../edge/kube/decode/decodeServiceStatus.ts'
import { ServiceStatuses } from './serviceStatuses.ts'
import { ServiceStatusWriter } from './serviceStatusWriter.ts'

const service = 'shop/web'
type Json = Record<string, unknown> & { metadata: Record<string, unknown> }

/** An API that stores only these objects and fails once on request. */
function stand(kind: StatusKind = 'ServiceL2Status') {
  const clock = newClock()
  const objects = new Map<string, Json>()
  const sent: string[] = []
  const refusals: number[] = []
  const meanwhile: (() => void)[] = []
  let [version, wanted]: [number, readonly string[] | undefined] = [0, undefined]
  const isDead = new Set<string>()
  const api: Api = {
    async call({ method, path, body }: ApiRequest) {
      sent.push(method)
      const code = refusals.shift()
      if (code !== undefined) throw refused(code)
      const name = /service(?:l2|bgp)statuses\/([^/]+)/.exec(path)?.[1] ?? ''
      const known = objects.get(name)
      if (method === 'DELETE') objects.delete(name)
      if (method === 'GET' || method === 'DELETE') return known
      const given = body as Json
      const own = { uid: `u${++version}`, ...known?.metadata, ...given.metadata }
      const metadata: Json['metadata'] = { ...own, resourceVersion: `${version}` }
      const after = { ...known, ...given, metadata }
      const id = String(metadata['name'])
      if (method === 'POST' && objects.has(id)) throw refused(409)
      objects.set(id, after)
      if (method === 'PATCH') meanwhile.shift()?.()
      return after
    },
    async *stream() {
      yield* []
    },
    close: () => undefined,
  }
  const statuses = new ServiceStatuses({
    kind,
    api,
    clock,
    random: () => 0,
    namespace: 'metallb-system',
    log: () => undefined,
    changed: (key) => writer.touch(key),
  })
  const writer: ServiceStatusWriter = new ServiceStatusWriter({
    kind,
    api,
    statuses: {
      of: (key) => statuses.of(key),
      answered: (json) => statuses.answered(json),
      drop: (name) => statuses.drop(name),
      isServed: true,
    },
    node: 'a',
    namespace: 'metallb-system',
    pod: { name: 'speaker-x', uid: 'pod' },
    wanted: () => wanted,
    mayClear: ({ node }) => isDead.has(node),
    mayWrite: () => true,
    random: () => 0,
    sleep: clock.sleep,
    log: () => undefined,
  })
  const settle = async (): Promise<string[]> => {
    for (let turns = 0; turns < 50; turns++) await Promise.resolve()
    return sent.splice(0)
  }
  return {
    clock,
    objects,
    statuses,
    isDead,
    refusals,
    /** Runs before a PATCH is answered. */
    meanwhile,
    settle,
    forgive() {
      writer.forgive()
      return settle()
    },
    want(interfaces: readonly string[] | undefined) {
      wanted = interfaces
      writer.touch(service)
      return settle()
    },
    /** Someone deletes our object, and the watch reports it. */
    lost() {
      const [name = '', json] = [...objects][0] ?? []
      objects.delete(name)
      const metadata = { ...json?.metadata, resourceVersion: `${++version}` }
      statuses.take({ type: 'delete', json: { ...json, metadata } })
    },
    /** Writes a status as another node's speaker would. */
    leave(node: string, uid = node) {
      const status = { node, serviceName: 'web', serviceNamespace: 'shop' }
      const json = { metadata: { name: `l2-${node}`, uid, resourceVersion: '1' }, status }
      objects.set(`l2-${node}`, json)
      statuses.take({ type: 'apply', json })
    },
  }
}

const refused = (code: number): ApiError =>
  new ApiError({ request: '', code, reason: '', message: '', status: {}, retryAfterMs: undefined })

test('[M1.8] a new announcement takes two writes, an unchanged one none', async () => {
  const { want, objects } = stand()
  expect(await want([])).toEqual(['POST', 'PATCH'])
  expect(await want([])).toEqual([])
  const [made] = objects.values()
  expect(made).toMatchObject({
    metadata: {
      name: expect.stringMatching(/^l2-[0-9a-f]{12}$/),
      labels: {
        'metallb.io/node': 'a',
        'metallb.io/service-name': 'web',
        'metallb.io/service-namespace': 'shop',
      },
      ownerReferences: [{ kind: 'Pod', name: 'speaker-x', uid: 'pod' }],
    },
    status: { node: 'a', serviceName: 'web', serviceNamespace: 'shop', interfaces: null },
  })
})

test('a change of interfaces takes one write, the end of an announcement one', async () => {
  const { want, objects } = stand()
  await want([])
  expect(await want(['eth0', 'eth1'])).toEqual(['PATCH'])
  expect([...objects.values()][0]?.['status']).toMatchObject({
    interfaces: [{ name: 'eth0' }, { name: 'eth1' }],
  })
  expect(await want(undefined)).toEqual(['DELETE'])
  expect(objects.size).toBe(0)
})

test('clearing up after a dead node takes one more', async () => {
  const { want, leave, isDead, objects } = stand()
  leave('b')
  leave('c')
  isDead.add('b')
  expect(await want([])).toEqual(['POST', 'PATCH', 'DELETE'])
  expect([objects.size, objects.has('l2-b')]).toEqual([2, false])
})

test('[R8.5] what comes again after it was cleared stays, until the speakers that are alive change', async () => {
  const { want, leave, isDead, settle, forgive } = stand()
  leave('b')
  isDead.add('b')
  expect(await want([])).toEqual(['POST', 'PATCH', 'DELETE'])
  leave('b', 'again')
  expect(await settle()).toEqual([])
  await forgive()
  expect(await want([])).toEqual(['DELETE'])
})

test('an existing status of ours is reused, and a duplicate is deleted', async () => {
  const { want, leave, settle } = stand()
  await want([])
  leave('a')
  expect(await settle()).toEqual(['DELETE'])
  expect(await want(undefined)).toEqual(['DELETE'])
})

test('a retry finds what the first attempt created', async () => {
  const { want, refusals, clock, settle } = stand()
  refusals.push(500)
  expect(await want([])).toEqual(['POST'])
  clock.advance(60_000)
  expect(await settle()).toEqual(['POST', 'PATCH'])
})

test('a deleted status is rewritten at once when peers return; then the delay applies again', async () => {
  const { want, lost, clock, settle, forgive } = stand()
  await want([])
  const lose = () => {
    lost()
    return settle()
  }
  expect(await lose()).toEqual([])
  expect(await forgive()).toEqual(['POST', 'PATCH'])
  expect(await forgive()).toEqual([])
  clock.advance(1_000)
  expect(await settle()).toEqual([])
  expect(await lose()).toEqual([])
  clock.advance(1_000)
  expect(await settle()).toEqual(['POST', 'PATCH'])
})

test('a status that is deleted repeatedly is rewritten with a growing delay', async () => {
  const { want, lost, clock, settle } = stand()
  await want([])
  for (const waitMs of [1_000, 2_000, 4_000]) {
    lost()
    clock.advance(waitMs - 1)
    expect(await settle()).toEqual([])
    clock.advance(1)
    expect(await settle()).toEqual(['POST', 'PATCH'])
  }
})

test('a status deleted before its write is answered is written again', async () => {
  const { want, lost, meanwhile, objects, clock, settle } = stand()
  meanwhile.push(lost)
  expect(await want([])).toEqual(['POST', 'PATCH'])
  expect(objects.size).toBe(0)
  clock.advance(1_000)
  expect(await settle()).toEqual(['POST', 'PATCH'])
  expect(objects.size).toBe(1)
})

test('[M1.8] of BGP the peers are told', async () => {
  const { want, objects } = stand('ServiceBGPStatus')
  expect(await want(['spine', 'tor'])).toEqual(['POST', 'PATCH'])
  expect(await want(['spine', 'tor'])).toEqual([])
  expect([...objects.values()][0]).toMatchObject({
    kind: 'ServiceBGPStatus',
    metadata: { name: expect.stringMatching(/^bgp-[0-9a-f]{12}$/) },
    status: { node: 'a', serviceName: 'web', serviceNamespace: 'shop', peers: ['spine', 'tor'] },
  })
  expect(await want(['tor'])).toEqual(['PATCH'])
  expect(await want(undefined)).toEqual(['DELETE'])
})
