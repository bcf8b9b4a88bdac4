// Lists as long as a request body allows. The attacker holds a token of the embedded API for a
// namespace. Afterwards: each was answered in time that grows with its length, not with its square.
// Before: one object held up the event loop for many seconds.
import { expect, onTestFinished, test } from 'vitest'
import { ApiStand } from '../build/apiStand.ts'

const many = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at))
const port = (at: number) => ({ name: `p${at}`, port: 1 + (at % 65_535) })
const without = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }
const owner = (at: number) => ({ apiVersion: 'v1', kind: 'Pod', name: 'a', uid: `${at}` })

const lists: [what: string, code: number, object: object][] = [
  ['9,000 ports', 201, { spec: { ...without, ports: many(9_000, port) } }],
  ['200,000 families', 422, { spec: { ports: [port(1)], ipFamilies: many(200_000, String) } }],
  ['50,000 external IPs', 422, { spec: { ports: [port(1)], externalIPs: many(50_000, String) } }],
  [
    '50,000 sources',
    201,
    {
      spec: {
        ...without,
        ports: [port(1)],
        loadBalancerSourceRanges: many(
          50_000,
          (at) => `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}/32`,
        ),
      },
    },
  ],
  [
    '30,000 owners',
    422,
    { metadata: { ownerReferences: many(30_000, owner) }, spec: { ports: [port(1)] } },
  ],
]

test.each(lists)('%s', async (_, code, object) => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const path = '/api/v1/namespaces/default/services'
  const headers = { 'Content-Type': 'application/json' }
  const metadata = { name: 'long', ...('metadata' in object ? Object(object.metadata) : {}) }
  const body = { ...object, metadata }
  const made = await stand.ask(path, { method: 'POST', body, headers })
  expect(made.code, made.text.slice(0, 300)).toBe(code)
  if (code !== 201) return
  const change = { ...made.json, metadata: { ...made.json.metadata, labels: { a: 'b' } } }
  const changed = await stand.ask(`${path}/long`, { method: 'PUT', body: change, headers })
  expect(changed.code).toBe(200)
})

test('4,000 containers', async () => {
  const stand = await ApiStand.start({ isWhole: true })
  onTestFinished(() => stand.stop())
  const containers = many(4_000, (at) => ({ name: `c${at}`, image: 'x' }))
  const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } }
  const headers = { 'Content-Type': 'application/apply-patch+yaml' }
  for (const manager of ['a', 'b']) {
    const path = `/api/v1/namespaces/default/pods/p?fieldManager=${manager}`
    const answer = await stand.ask(path, { method: 'PATCH', body, headers })
    expect(answer.code).toBeLessThan(500)
  }
})
