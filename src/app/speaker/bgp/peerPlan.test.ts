import { expect, test } from 'vitest'
import type { Peer } from '../../../core/model/announcing.ts'
import type { Ip } from '../../../core/net/ip.ts'
import { decodePeer } from '../../../edge/kube/decode/decodePeer.ts'
import { Fields } from '../../../edge/kube/decode/fields.ts'
import { interfaceOf, isOnLink, nextHopsOf } from './nextHops.ts'
import { needsNewSession, planOf } from './peerPlan.ts'
import { routerIdOf } from './routerId.ts'

const peer = (spec: object): Peer =>
  decodePeer(
    new Fields(
      {
        metadata: { name: 'tor', namespace: 'metallb-system' },
        spec: { myASN: 64512, peerASN: 64513, peerAddress: '192.0.2.1', ...spec },
      },
      [],
    ),
  )

test.each([
  { what: 'neither', spec: {}, timers: [90, undefined] },
  { what: 'only hold', spec: { holdTime: '30s' }, timers: [30, undefined] },
  { what: 'only keepalive', spec: { keepaliveTime: '5s' }, timers: [15, 5] },
  { what: 'both', spec: { holdTime: '30s', keepaliveTime: '5s' }, timers: [30, 5] },
  { what: 'zero', spec: { holdTime: '0s', keepaliveTime: '0s' }, timers: [0, 0] },
  { what: 'part of a second', spec: { holdTime: '3900ms' }, timers: [3, undefined] },
])('[M6.4] timers: $what', ({ spec, timers }) => {
  const options = planOf(peer(spec))?.options
  expect([options?.holdSeconds, options?.keepaliveSeconds]).toEqual(timers)
})

test.each([
  { what: 'another AS', spec: {}, ttl: 1 },
  { what: 'another AS, far away', spec: { ebgpMultiHop: true }, ttl: 255 },
  { what: 'our AS', spec: { peerASN: 64512 }, ttl: 255 },
  { what: 'whichever, inside', spec: { peerASN: 0, dynamicASN: 'internal' }, ttl: 255 },
  { what: 'whichever, outside', spec: { peerASN: 0, dynamicASN: 'external' }, ttl: 1 },
  { what: 'our AS by localASN', spec: { localASN: 64513 }, ttl: 255 },
])('TTL for $what: $ttl', ({ spec, ttl }) => {
  expect(planOf(peer(spec))?.ttl).toBe(ttl)
})

test.each([
  { spec: {}, families: ['IPv4'] },
  { spec: { peerAddress: '2001:db8::1' }, families: ['IPv6'] },
  { spec: { dualStackAddressFamily: true }, families: ['IPv4', 'IPv6'] },
])('families of $spec: $families', ({ spec, families }) => {
  expect(planOf(peer(spec))?.options.families).toEqual(families)
})

test('[R8.9] what needs no new session makes no other plan', () => {
  const spec = { bfdProfile: 'fast', nodeSelectors: [{}], disableMP: true }
  expect(planOf(peer(spec))).toEqual(planOf(peer({})))
})

const needsNew = (before: object, after: object): boolean => {
  const [one, other] = [planOf(peer(before)), planOf(peer(after))]
  return one !== undefined && other !== undefined && needsNewSession(one, other)
}

test.each([
  { what: 'other pauses', after: { connectTime: '7s', keepaliveTime: '2s', holdTime: '90s' } },
  {
    what: 'another Secret',
    before: { passwordSecret: { name: 'old' } },
    after: { passwordSecret: { name: 'new' } },
  },
  {
    what: 'a Secret in place of text',
    before: { password: 'x' },
    after: { passwordSecret: { name: 'r' } },
  },
])('[R8.9] $what: the session goes on', ({ before = {}, after }) => {
  expect(needsNew(before, after)).toBe(false)
})

test.each([
  { what: 'another hold time', after: { holdTime: '30s' } },
  { what: 'another AS', after: { peerASN: 64514 } },
  { what: 'another family', after: { dualStackAddressFamily: true } },
  { what: 'a password where there was none', after: { password: 'x' } },
])('[R8.9] $what: a new session', ({ after }) => {
  expect(needsNew({}, after)).toBe(true)
})

test('[R8.18] an interface: the router that is heard there, both families, one hop', () => {
  const unnumbered = peer({
    peerAddress: '',
    interface: 'eth1',
    peerASN: 0,
    dynamicASN: 'external',
  })
  expect(planOf(unnumbered, { link: 'eth1', heard: undefined })).toBeUndefined()
  expect(planOf(unnumbered, { link: 'eth1', heard: 'fe80::1' as Ip })).toMatchObject({
    ...{ address: 'fe80::1', link: 'eth1', ttl: 1, isOneHop: true },
    options: { families: ['IPv4', 'IPv6'], hopsBySix: true, peerAsn: 'external' },
  })
})

test('[R8.17] an interface counts only for an address of a link', () => {
  const place = { link: 'eth0', heard: undefined }
  expect(planOf(peer({}), place)?.link).toBe('')
  expect(planOf(peer({ peerAddress: 'fe80::1' }), place)?.link).toBe('eth0')
})

const at = (name: string, address: string, prefixLength: number) => ({
  interface: name,
  address: address as Ip,
  prefixLength,
})
const own = [
  at('lo', '127.0.0.1', 8),
  at('eth0', '192.0.2.9', 24),
  at('eth0', '2001:db8::9', 64),
  at('eth0', 'fe80::9', 64),
  at('eth1', '2001:db8:1::9', 64),
  at('eth2', 'fe80::2', 64),
]

test.each([
  {
    what: 'the other family of the same interface, and its link',
    local: '192.0.2.9',
    peer: '192.0.2.1',
    hops: { IPv4: ['192.0.2.9'], IPv6: ['2001:db8::9', 'fe80::9'] },
  },
  {
    what: 'no address of the link for a peer that is not on it',
    local: '2001:db8::9',
    peer: '2001:db8:9::1',
    hops: { IPv4: ['192.0.2.9'], IPv6: ['2001:db8::9'] },
  },
  {
    what: 'only one family where the interface has no other',
    local: '2001:db8:1::9',
    peer: '2001:db8:1::1',
    hops: { IPv6: ['2001:db8:1::9'] },
  },
  {
    what: '[R8.18] of a session of the link, the global address beside it',
    local: 'fe80::9',
    peer: 'fe80::1',
    hops: { IPv4: ['192.0.2.9'], IPv6: ['2001:db8::9', 'fe80::9'] },
  },
  {
    what: '[R8.18] of a session of the link, that one where there is no other',
    local: 'fe80::2',
    peer: 'fe80::1',
    hops: { IPv6: ['fe80::2'] },
  },
])('next hops: $what', ({ local, peer: to, hops }) => {
  expect(nextHopsOf(local as Ip, to as Ip, own)).toEqual(hops)
})

test('who is on a link is in one of its subnets', () => {
  expect(isOnLink('192.0.2.200' as Ip, own)).toBe(true)
  expect(isOnLink('192.0.3.1' as Ip, own)).toBe(false)
  expect(interfaceOf('192.0.2.9' as Ip, own)).toBe('eth0')
})

test.each([
  { what: 'as configured', configured: '1.2.3.4', local: '192.0.2.9', id: '1.2.3.4' },
  { what: 'of the connection', local: '192.0.2.9', id: '192.0.2.9' },
  { what: 'of its interface', local: '2001:db8::9', id: '192.0.2.9' },
  { what: "of the node's name", local: '2001:db8:1::9', id: '95.28.242.19' },
  { what: 'IPv4 alone', configured: '2001:db8::1', local: '192.0.2.9', id: '192.0.2.9' },
])('[M6.5] router ID: $what', ({ configured, local, id }) => {
  const given = configured as Ip | undefined
  expect(routerIdOf({ configured: given, local: local as Ip, own, node: 'node-1' })).toBe(id)
})
