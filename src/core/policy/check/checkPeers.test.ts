import { expect, test } from 'vitest'
import { labelled, node, onNode, peer, secret, worldOf } from '../../../../test/build/announcing.ts'
import type { BgpMode } from '../../model/admission.ts'
import type { Peer } from '../../model/announcing.ts'
import type { View } from '../../model/view.ts'
import { check } from './check.ts'

const basicAuth = 'kubernetes.io/basic-auth'
const world = worldOf(
  secret('good', basicAuth, ['password', 'username']),
  secret('opaque', 'Opaque', ['password']),
  secret('keyless', basicAuth, ['username']),
  { ...secret('elsewhere', 'Opaque', []), namespace: 'default' },
)
const paths = (given: Partial<Peer>) =>
  check(world, { view: peer('tor', given), before: undefined, bgpMode: 'native' }).map(
    ({ path }) => path,
  )
const times = (holdMs?: number, keepaliveMs?: number) => ({ holdMs, keepaliveMs })

const refused: readonly [string, Partial<Peer>, string][] = [
  ['M8.1 rule 3', { myASN: 0 }, 'spec.myASN'],
  ['M8.1 rule 4', { peerASN: 0 }, 'spec.peerASN'],
  ['M8.1 rule 4', { dynamicASN: 'internal' }, 'spec.dynamicASN'],
  ['M8.1 rule 4', { peerASN: 0, dynamicASN: 'either' }, 'spec.dynamicASN'],
  ['M8.1 rule 5', { ebgpMultiHop: true }, 'spec.ebgpMultiHop'],
  ['M8.1 rule 6', { peerAddress: '' }, 'spec.peerAddress'],
  ['M8.1 rule 6', { interface: 'eth0' }, 'spec.interface'],
  ['M8.1 rule 6', { vrf: 'red\n router bgp 1' }, 'spec.vrf'],
  ['M8.1 rule 7', times(1000), 'spec.holdTime'],
  ['M12.4', times(2900), 'spec.holdTime'],
  ['M8.1 rule 7', times(-3000), 'spec.holdTime'],
  ['M8.1 rule 7', times(undefined, 500), 'spec.keepaliveTime'],
  ['M8.1 rule 7', times(30_000, 90_000), 'spec.keepaliveTime'],
  ['M1.4', { connectMs: 0 }, 'spec.connectTime'],
  ['M1.4', { connectMs: 1500 }, 'spec.connectTime'],
  ['M1.4', { connectMs: 65_536_000 }, 'spec.connectTime'],
  ['M8.1 rule 9', { nodeSelectors: [labelled({}), labelled({})] }, 'spec.nodeSelectors[1]'],
  ['M8.1 rule 10', { hasPassword: true, passwordSecret: 'good' }, 'spec.passwordSecret.name'],
  ['M8.1 rule 11', { passwordSecret: 'opaque' }, 'spec.passwordSecret.name'],
  ['M8.1 rule 11', { passwordSecret: 'keyless' }, 'spec.passwordSecret.name'],
]
test.each(refused)('[%s] %j is refused', (_, given, path) => {
  expect(paths(given)).toContain(path)
})

const admitted: readonly [string, Partial<Peer>][] = [
  ['M8.1 rule 4', { peerASN: 0, dynamicASN: 'external' }],
  ['M8.1 rule 5', { ebgpMultiHop: true, peerASN: 64501 }],
  ['M8.1 rule 6', { peerAddress: '', interface: 'eth0' }],
  ['M6.4', times(180_000)],
  ['M6.4', times(undefined, 60_000)],
  ['M6.4', times(0, 0)],
  ['M12.4', times(500)],
  ['M6.4', times(90_000, 30_000)],
  ['M6.4', times(3000, 3000)],
  ['M1.4', { connectMs: 1000 }],
  ['M1.4', { connectMs: 65_535_000 }],
  ['M8.1 rule 11', { passwordSecret: 'good' }],
  ['M8.1 rule 11', { passwordSecret: 'missing' }],
  ['M8.1 rule 11', { passwordSecret: 'elsewhere' }],
  ['M8.1 rule 12', { bfdProfile: 'missing' }],
  ['M12.2', { vrf: 'red', connectMs: 1000, enableGracefulRestart: true, localASN: 65410 }],
]
test.each(admitted)('[%s] %j is admitted', (_, given) => {
  expect(paths(given)).toEqual([])
})

test.each([
  [undefined, true, 0],
  [true, undefined, 0],
  [true, true, 0],
  [false, true, 1],
  [true, false, 1],
])('[M1.4] enableGracefulRestart from %j to %j: %i errors', (was, is, count) => {
  const [before, after] = [was, is].map((enableGracefulRestart) =>
    peer('tor', { enableGracefulRestart }),
  )
  const errors = check(world, { view: after ?? peer('tor'), before, bgpMode: 'native' })
  expect(errors).toHaveLength(count)
})

const beside = (there: readonly View[], given: Partial<Peer>, bgpMode: BgpMode = 'frr') =>
  check(worldOf(...there), { view: peer('new', given), before: undefined, bgpMode }).map(
    ({ path }) => path,
  )
const first = peer('a', { routerID: '10.0.0.9', nodeSelectors: [onNode('n1')] })
const same = { routerID: '10.0.0.9', peerAddress: '192.0.2.2' }
const [n1, n2] = [node('n1'), node('n2')]

test.each<[Partial<Peer>, readonly string[]]>([
  [same, []],
  [{ ...same, routerID: '10.0.0.10' }, ['spec.routerID']],
  [{ ...same, routerID: '' }, ['spec.routerID']],
  [{ ...same, routerID: '', vrf: 'red' }, ['spec.routerID']],
  [{ ...same, peerAddress: '192.0.2.1' }, ['spec.peerAddress']],
  [{ ...same, peerAddress: '192.0.2.1', peerPort: 1179 }, ['spec.peerAddress']],
  [{ ...same, peerAddress: '192.0.2.1', vrf: 'red' }, []],
  [{ ...same, myASN: 64502 }, ['spec.myASN']],
  [{ ...same, myASN: 64502, vrf: 'red' }, []],
  [{ peerAddress: '192.0.2.1', nodeSelectors: [onNode('n2')] }, []],
])('[M8.1 rule 28] beside a peer of node n1, %j: %j', (given, errors) => {
  expect(beside([first, n1, n2], given)).toEqual(errors)
})

test('[M8.1 rule 28] unnumbered peers are told apart by their interface', () => {
  const there = peer('a', { peerAddress: '', interface: 'eth0' })
  expect(beside([there, n1], { peerAddress: '', interface: 'eth1' })).toEqual([])
  expect(beside([there, n1], { peerAddress: '', interface: 'eth0' })).toEqual(['spec.interface'])
})

test('[M8.1 rule 28] without nodes all peers are taken to meet', () => {
  const nodeSelectors = [onNode('n2')]
  expect(beside([first], { ...same, routerID: '', nodeSelectors })).toEqual(['spec.routerID'])
})

test('[M6.3] our own engine has none of FRR’s limits', () => {
  expect(beside([first, n1], { routerID: '10.0.0.10', myASN: 64502 }, 'native')).toEqual([])
})
