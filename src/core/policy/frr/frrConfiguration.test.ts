import { expect, test } from 'vitest'
import { peer } from '../../../../test/build/announcing.ts'
import type { Peer } from '../../model/announcing.ts'
import { fitForFrrK8s, frrConfigurationSpec } from './frrConfiguration.ts'
import { frrRouters } from './frrRouters.ts'

type Given = Parameters<typeof frrRouters>[0][number]
type Route = Given['routes'][number]

const near = { peerAddress: '192.0.2.1', peerASN: 64513, myASN: 64512 }
const route = (prefix: string, more: Partial<Route> = {}): Route => ({
  ...{ prefix, localPref: undefined, communities: [] },
  ...more,
})
const given = (fields: Partial<Peer>, routes: readonly Route[] = []): Given => ({
  peer: peer('tor', { ...near, ...fields }),
  link: '',
  routes,
})
const specOf = (one: Given, passwords = new Map<string, string>()) =>
  frrConfigurationSpec({
    routers: frrRouters([one]).routers,
    profiles: [],
    passwords,
    namespace: 'frr-k8s-system',
    hostname: 'host-1.example.com',
  })
const neighbourIn = (spec: object) => expect(spec).toHaveProperty('bgp.routers.0.neighbors.0')

test('[R8.19] the node is selected by the label that it has', () => {
  expect(specOf(given({}))).toHaveProperty('nodeSelector', {
    matchLabels: { 'kubernetes.io/hostname': 'host-1.example.com' },
  })
})

test('[M12.2] source address and local AS are passed', () => {
  const spec = specOf(given({ sourceAddress: '192.0.2.9', localASN: 64999 }))
  expect(spec).toHaveProperty('bgp.routers.0.neighbors.0.sourceaddress', '192.0.2.9')
  expect(spec).toHaveProperty('bgp.routers.0.neighbors.0.localASN', 64999)
})

test('[R8.19] a Secret is named, and its password nowhere', () => {
  const spec = specOf(given({ passwordSecret: 'tor-key' }))
  expect(spec).toHaveProperty('bgp.routers.0.neighbors.0.passwordSecret', {
    name: 'tor-key',
    namespace: 'frr-k8s-system',
  })
  neighbourIn(spec)
  expect(JSON.stringify(spec)).not.toContain('"password"')
})

test('[M1.11] prefixes are allowed, and marked by community and localPref', () => {
  const routes = [
    route('198.51.100.2/32', { communities: ['64513:1', 'large:1:2:3'], localPref: 150 }),
    route('198.51.100.1/32', { communities: ['64513:1'] }),
    route('fd00::1/128'),
  ]
  const spec = specOf(given({}, routes))
  // IPv6 needs dualStackAddressFamily.
  expect(spec).toHaveProperty('bgp.routers.0.prefixes', ['198.51.100.1/32', '198.51.100.2/32'])
  expect(spec).toHaveProperty('bgp.routers.0.neighbors.0.toAdvertise', {
    allowed: { prefixes: ['198.51.100.1/32', '198.51.100.2/32'] },
    withCommunity: [
      { community: '64513:1', prefixes: ['198.51.100.1/32', '198.51.100.2/32'] },
      { community: 'large:1:2:3', prefixes: ['198.51.100.2/32'] },
    ],
    withLocalPref: [{ localPref: 150, prefixes: ['198.51.100.2/32'] }],
  })
})

test('[M6.4] timers are whole seconds, and absent where none are given', () => {
  const timed = specOf(given({ keepaliveMs: 3_000, connectMs: 2_000 }))
  expect(timed).toHaveProperty('bgp.routers.0.neighbors.0.holdTime', '9s')
  expect(timed).toHaveProperty('bgp.routers.0.neighbors.0.connectTime', '2s')
  expect(specOf(given({}))).not.toHaveProperty('bgp.routers.0.neighbors.0.holdTime')
})

const left: readonly (readonly [Partial<Peer>, string])[] = [
  [{ peerAddress: 'fe80::1' }, 'use interface'],
  [{ peerPort: 20_000 }, 'above 16384'],
  [{ connectMs: 500 }, 'below 1s'],
  [{ annotations: { 'berth.dev/gtsm': 'true' } }, 'no field for berth.dev/gtsm'],
]

test.each(left)('[R8.19] frr-k8s cannot have %o: no session', (fields, message) => {
  const { fitting, misfits } = fitForFrrK8s([given(fields)])
  expect(fitting).toEqual([])
  expect(misfits.map((one) => one.message)).toEqual([expect.stringContaining(message)])
})

test('[R8.19] routes go without what no field can say', () => {
  const routes = [route('198.51.100.1/32', { med: 5, prepend: 1, endpoints: 2 })]
  const { fitting, misfits } = fitForFrrK8s([given({}, routes)])
  expect(fitting).toHaveLength(1)
  expect(misfits.map(({ message }) => message)).toEqual([
    'routes go to it without berth.dev/med, berth.dev/as-path-prepend, berth.dev/link-bandwidth: ' +
      'FRRConfiguration has no field',
  ])
})
