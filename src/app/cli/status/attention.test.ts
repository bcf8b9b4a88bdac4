import { expect, test } from 'vitest'
import type { Api } from '../../../edge/kube/api/client.ts'
import { readAttention } from './attention.ts'

/** An API that has these lists, by plural. */
const having = (lists: Readonly<Record<string, readonly object[]>>): Api => ({
  async call({ path }) {
    const items = lists[path.split('/').at(-1) ?? ''] ?? []
    const head = { kind: 'AnyList', apiVersion: 'v1', metadata: { resourceVersion: '1' } }
    return [Buffer.from(JSON.stringify({ ...head, items }))]
  },
  async *stream() {
    yield* []
  },
  close: () => undefined,
})
const definitions = ['addresses.berth.dev', 'ipaddresspools.metallb.io'].map((name) => ({
  metadata: { name },
}))
const announced = (service: string, node: string) => ({
  metadata: { name: `l2-${service}-${node}` },
  status: { node, serviceName: service, serviceNamespace: 'shop' },
})
const attention = (lists: Readonly<Record<string, readonly object[]>>, hasLeader = true) => {
  const api = having({ customresourcedefinitions: definitions, ...lists })
  const { signal } = new AbortController()
  return readAttention({ api, namespace: 'metallb-system', signal }, hasLeader)
}

test('a Service that two nodes announce is listed for as long as both do', async () => {
  const one = [announced('web', 'a'), announced('api', 'b')]
  expect(await attention({ servicel2statuses: one })).toEqual([])
  const two = [...one, announced('web', 'b')]
  expect(await attention({ servicel2statuses: two })).toEqual([
    { word: 'two-owners', object: 'Service/shop/web', message: 'a and b announce it' },
  ])
})

test('a definition that is missing, or being deleted, freezes addressing', async () => {
  const [first, second] = definitions
  const going = { metadata: { ...second?.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
  const found = await attention({ customresourcedefinitions: [going] })
  expect(found.map(({ word, object }) => `${word} ${object}`)).toEqual([
    `frozen CustomResourceDefinition/${first?.metadata.name}`,
    `frozen CustomResourceDefinition/${second?.metadata.name}`,
  ])
})

test('before Berth is installed nothing is frozen, unless a controller runs', async () => {
  const customresourcedefinitions = [{ metadata: { name: 'ipaddresspools.metallb.io' } }]
  expect(await attention({ customresourcedefinitions }, false)).toEqual([])
  expect(await attention({ customresourcedefinitions })).toHaveLength(1)
})

test.each([
  { name: 'speaker-a', type: 'berth.dev/WaitsForMetalLB', status: 'True', word: 'silent' },
  { name: 'controller', type: 'berth.dev/WaitsForMetalLB', status: 'True', word: 'waits' },
  { name: 'controller', type: 'Valid', status: 'False', word: 'invalid' },
])('$name with $type $status is $word', async ({ name, type, status, word }) => {
  const conditions = [{ type, status, message: 'why' }]
  const configurationstates = [{ metadata: { name }, status: { conditions } }]
  expect(await attention({ configurationstates })).toEqual([
    { word, object: `ConfigurationState/${name}`, message: 'why' },
  ])
})
