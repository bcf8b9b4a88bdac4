import { expect, test } from 'vitest'
import { peer } from '../../../../test/build/announcing.ts'
import type { Peer } from '../../model/announcing.ts'
import { frrRouters } from './frrRouters.ts'
import { frrText } from './frrText.ts'
import { lineNumbers } from './lineNumbers.ts'

type Route = Parameters<typeof frrRouters>[0][number]['routes'][number]

const route = (prefix: string, more: Partial<Route> = {}): Route => ({
  ...{ prefix, localPref: undefined, communities: [] },
  ...more,
})

const given = (name: string, fields: Partial<Peer>, routes: readonly Route[] = []) => ({
  peer: peer(name, fields),
  link: '',
  routes,
})

const textOf = (peers: Parameters<typeof frrRouters>[0], password?: string): readonly string[] =>
  frrText({
    logLevel: 'informational',
    hostname: 'node-1',
    routers: frrRouters(peers).routers,
    profiles: [],
    passwords: new Map(password === undefined ? [] : [['tor', password]]),
    extras: '',
  }).split('\n')

const near = { peerAddress: '192.0.2.1', peerASN: 64513, myASN: 64512 }

test('[M6.6] a session has the lines of MetalLB, in its order', () => {
  const lines = textOf(
    [
      given('tor', {
        ...{ ...near, localASN: 64999, ebgpMultiHop: true, peerPort: 1179 },
        ...{ holdMs: 90_000, connectMs: 5_000, sourceAddress: '192.0.2.9' },
        ...{ enableGracefulRestart: true, bfdProfile: 'fast' },
      }),
    ],
    'secret',
  )
  expect(lines.filter((line) => line.startsWith(' neighbor'))).toEqual(
    [
      'remote-as 64513',
      'ebgp-multihop',
      'local-as 64999 no-prepend replace-as',
      'port 1179',
      'timers 30 90',
      'timers connect 5',
      'password secret',
      'update-source 192.0.2.9',
      'graceful-restart',
      'bfd',
      'bfd profile fast',
    ].map((line) => ` neighbor 192.0.2.1 ${line}`),
  )
})

test('[M6.6] routes are let through by lists, and nothing comes in', () => {
  const lines = textOf([given('tor', near, [route('198.51.100.1/32', { localPref: 150 })])])
  expect(lines).toContain('route-map 192.0.2.1-in deny 20')
  expect(lines.filter((line) => line.includes('prefix-list 192.0.2.1-allowed'))).toEqual([
    expect.stringMatching(
      /^ip prefix-list 192.0.2.1-allowed-ipv4 seq \d+ permit 198.51.100.1\/32$/,
    ),
    ' match ip address prefix-list 192.0.2.1-allowed-ipv4',
    'ipv6 prefix-list 192.0.2.1-allowed-ipv6 seq 1 deny any',
    ' match ipv6 address prefix-list 192.0.2.1-allowed-ipv6',
  ])
  expect(lines).toContain(' set local-preference 150')
  expect(lines).toContain('  network 198.51.100.1/32')
})

test.each([
  [{ med: 50 }, ' set metric 50'],
  [{ prepend: 2 }, ' set as-path prepend 64512 64512'],
  [{ endpoints: 3 }, ' set extcommunity bandwidth 3'],
  [{ communities: ['64513:1'] }, ' set community 64513:1 additive'],
  [{ communities: ['large:1:2:3'] }, ' set large-community 1:2:3 additive'],
])('[R8.19] what is asked of routes is set: %o', (more, line) => {
  expect(textOf([given('tor', near, [route('198.51.100.1/32', more)])])).toContain(line)
})

test('[R8.14] inside an AS nothing is prepended', () => {
  const inside = { ...near, peerASN: 64512 }
  const lines = textOf([given('tor', inside, [route('198.51.100.1/32', { prepend: 2 })])])
  expect(lines.filter((line) => line.includes('prepend'))).toEqual([])
})

test('[R8.19] one more route is one more line in each list, and moves no other', () => {
  const routes = Array.from({ length: 200 }, (_, at) => {
    return route(`198.51.100.${at + 1}/32`, { communities: ['64513:1'] })
  })
  const before = textOf([given('tor', near, routes)])
  const after = new Set(textOf([given('tor', near, [route('10.0.0.1/32'), ...routes])]))
  expect(before.filter((line) => !after.has(line))).toEqual([])
  expect(after.size - new Set(before).size).toBe(2)
})

test('numbers are different, whatever the names', () => {
  const names = Array.from({ length: 90 }, (_, at) => `name ${at}`)
  const numbers = [...lineNumbers(names, { first: 11, last: 100 }).values()]
  expect(new Set(numbers).size).toBe(90)
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(11)
  expect(Math.max(...numbers)).toBeLessThanOrEqual(100)
})

const misfits: readonly (readonly [string, readonly Partial<Peer>[], string])[] = [
  ['two own AS numbers', [near, { ...near, myASN: 64600, peerAddress: '192.0.2.2' }], 'one own AS'],
  [
    'two router IDs',
    [
      { ...near, routerID: '1.1.1.1' },
      { ...near, peerAddress: '192.0.2.2', routerID: '2.2.2.2' },
    ],
    'one router ID',
  ],
  ['one address twice', [near, near], 'a neighbour once'],
  ['localASN inside an AS', [{ ...near, peerASN: 64512, localASN: 64999 }], 'only to another AS'],
  ['localASN of the peer', [{ ...near, localASN: 64513 }], 'the AS of the peer'],
  [
    'a name with more than a name',
    [{ ...near, peerAddress: '', interface: 'eth0\nexit' }],
    'is not allowed in',
  ],
  [
    'a passive peer',
    [{ ...near, annotations: { 'berth.dev/passive': 'true' } }],
    'FRR does not listen',
  ],
  ['a VRF with more than a name', [{ ...near, vrf: 'red blue' }], 'is not allowed in'],
]

test.each(misfits)('[R8.19] the last peer is left out: %s', (_, peers, message) => {
  const all = peers.map((fields, at) => given(`tor-${at}`, fields))
  const { routers, misfits: found } = frrRouters(all)
  expect(found.map(({ peer: { name }, message: text }) => [name, text])).toEqual([
    [`tor-${peers.length - 1}`, expect.stringContaining(message)],
  ])
  const left = routers.flatMap(({ neighbours }) => neighbours.map(({ peer: { name } }) => name))
  expect(left).toEqual(all.slice(0, -1).map(({ peer: { name } }) => name))
})

test('one address in two VRFs is two routers', () => {
  const { routers } = frrRouters([given('a', near), given('b', { ...near, vrf: 'red' })])
  expect(routers.map(({ vrf }) => vrf)).toEqual(['', 'red'])
})

test('nothing in a BGPPeer ends a line of the configuration', () => {
  const evil = 'fast\nrouter bgp 64512\n network 0.0.0.0/0'
  for (const field of ['bfdProfile', 'vrf', 'interface'] as const) {
    const peers = [given('tor', { ...near, [field]: evil })]
    expect(textOf(peers).filter((line) => line.includes('0.0.0.0/0'))).toEqual([])
    expect(frrRouters(peers).misfits).toHaveLength(1)
  }
})
