import { expect, test } from 'vitest'
import { topologyOf } from '../topology.ts'
import { type Served, tableOf } from './dataPath.ts'
import { servedBy } from './served.ts'
import { slicesOf } from './slices.ts'

const own = { name: 'node-1', pod: { 4: '10.30.11.2', 6: 'fd10:30:11::2' } }
const targets = [
  { address: '10.30.11.2', node: 'node-1' },
  { address: '10.30.12.2', node: 'node-2' },
  { address: 'fd10:30:12::2', node: 'node-2' },
]
const web: Served = {
  protocol: 'tcp',
  addresses: ['10.10.100.1', 'fd10:10::100:1'],
  port: 80,
  targetPort: 8080,
  targets,
  isLocalOnly: false,
}
const entries = (table: string): string[] =>
  table
    .split('\n')
    .filter((line) => line.includes('elements') && line.includes(' : '))
    .map((line) => line.trim().replace(/^elements = \{ (.*) \}$/, '$1'))

test.each<{ what: string; change: Partial<Served>; leads: string[] }>([
  {
    what: 'to the pod on this node, otherwise to another',
    change: {},
    leads: [
      '10.10.100.1 . tcp . 80 : 10.30.11.2 . 8080',
      'fd10:10::100:1 . tcp . 80 : fd10:30:12::2 . 8080',
    ],
  },
  {
    what: 'nowhere else under externalTrafficPolicy: Local',
    change: { isLocalOnly: true },
    leads: ['10.10.100.1 . tcp . 80 : 10.30.11.2 . 8080'],
  },
  { what: 'nowhere without an endpoint', change: { targets: [] }, leads: [] },
])('traffic goes $what', ({ change, leads }) => {
  expect(entries(tableOf(own, [{ ...web, ...change }]))).toEqual(leads)
})

test('an address without an endpoint is still held', () => {
  expect(tableOf(own, [{ ...web, targets: [] }])).toContain('elements = { 10.10.100.1 }')
})

const service = {
  metadata: { namespace: 'shop', name: 'web', uid: 'u1' },
  spec: {
    selector: { app: 'echo' },
    externalTrafficPolicy: 'Local',
    ports: [
      { name: 'http', port: 80, targetPort: 'http' },
      { name: 'echo', protocol: 'UDP', port: 7, targetPort: 7777 },
    ],
  },
  status: { loadBalancer: { ingress: [{ ip: '10.10.100.1' }, { hostname: 'x' }] } },
}
const { machines } = topologyOf({ name: 'main', nodes: 2, routers: 0, clients: 0, router: 'none' })
const nodes = machines.filter(({ role }) => role === 'node')

test('a Service and its slices determine what is served where', () => {
  const slices = slicesOf(service, nodes)
  expect(slices.map(({ addressType }) => addressType)).toEqual(['IPv4', 'IPv6'])
  expect(servedBy(service, slices)).toMatchObject([
    { protocol: 'tcp', port: 80, targetPort: 8080, addresses: ['10.10.100.1'], isLocalOnly: true },
    { protocol: 'udp', port: 7, targetPort: 7777 },
  ])
})

test.each([
  { what: 'selects other pods', spec: { selector: { app: 'other' } } },
  { what: 'selects none', spec: {} },
])('a Service that $what gets no slices from the lab', ({ spec }) => {
  expect(slicesOf({ ...service, spec }, nodes)).toEqual([])
})

test.each([undefined, {}, { spec: { ports: [{}] } }, { status: 1 }])(
  'an invalid object serves nothing: %j',
  (json) => {
    expect(servedBy(json, [json])).toEqual([])
  },
)
