import { expect, test } from 'vitest'
import { ip, node, peer } from '../../../../test/build/announcing.ts'
import type { Peer } from '../../model/announcing.ts'
import { badSources, peerOnNode } from './peerOnNode.ts'

const host = {
  addresses: [
    { interface: 'lo', address: ip('10.255.0.7'), prefixLength: 32 },
    { interface: 'bond0', address: ip('fe80::7'), prefixLength: 64 },
    { interface: 'bond0', address: ip('192.0.2.7'), prefixLength: 24 },
    { interface: 'bond0', address: ip('2001:db8::7'), prefixLength: 64 },
  ],
  gateways: [
    { address: ip('192.0.2.254'), interface: 'bond0' },
    { address: ip('fe80::1'), interface: 'bond0' },
  ],
}
const here = node('a', {
  labels: { 'rack/tor': '192.0.2.1', 'rack/asn': '65001', 'rack/bad': 'tor-1' },
  annotations: { 'rack/six': '2001:db8::1' },
})

type Case = {
  readonly from: Readonly<Record<string, string>>
  readonly given?: Partial<Peer>
  readonly on?: Partial<Peer> & { readonly link?: string }
  readonly lacking?: string
}
const cases: readonly Case[] = [
  { from: {}, on: { peerAddress: '192.0.2.1' } },
  { from: { 'peer-address': 'label:rack/tor' }, on: { peerAddress: '192.0.2.1' } },
  { from: { 'peer-address': 'annotation:rack/six' }, on: { peerAddress: '2001:db8::1' } },
  { from: { 'peer-asn': 'label:rack/asn', 'my-asn': 'label:rack/asn' }, on: { peerASN: 65001 } },
  { from: { 'my-asn': 'label:rack/asn' }, on: { myASN: 65001, peerASN: 64500 } },
  { from: { 'peer-address': 'default-gateway' }, on: { peerAddress: '192.0.2.254' } },
  {
    from: { 'peer-address': 'default-gateway:IPv6' },
    on: { peerAddress: 'fe80::1', link: 'bond0' },
  },
  { from: { 'source-address': 'interface:bond0' }, on: { sourceAddress: '192.0.2.7' } },
  { from: { 'source-address': 'cidr:10.0.0.0/8' }, on: { sourceAddress: '10.255.0.7' } },
  {
    from: { 'peer-address': 'annotation:rack/six', 'source-address': 'interface:bond0' },
    on: { sourceAddress: '2001:db8::7' },
  },
  { from: { 'peer-address': 'label:rack/none' }, lacking: 'has no label rack/none' },
  {
    from: { 'peer-asn': 'label:rack/bad' },
    lacking: 'has "tor-1" in label rack/bad: it is not an AS number',
  },
  {
    from: { 'peer-address': 'label:rack/bad' },
    lacking: 'has "tor-1" in label rack/bad: it is not an address',
  },
  { from: { 'source-address': 'cidr:172.16.0.0/12' }, lacking: 'has no address in 172.16.0.0/12' },
  {
    from: { 'source-address': 'interface:eth9' },
    lacking: 'has no address on eth9 of the family of the peer',
  },
]
const annotated = (from: Case['from'], given: Partial<Peer> = {}): Peer => {
  const entries = Object.entries(from).map(([name, text]) => [`berth.dev/${name}-from`, text])
  return peer('tor', {
    ...(entries.length > 0 && { annotations: Object.fromEntries(entries) }),
    ...given,
  })
}

test.each(cases)('[R8.17] $from: $on $lacking', ({ from, given, on, lacking }) => {
  const found = peerOnNode(annotated(from, given), here, host)
  if ('lacking' in found) expect(found.lacking.map(({ message }) => message)).toEqual([lacking])
  else {
    const { link = undefined, ...fields } = on ?? {}
    expect(found.peer).toMatchObject(fields)
    if (link !== undefined) expect(found.link).toBe(link)
  }
})

test('[R8.17] without a gateway there is no session', () => {
  const found = peerOnNode(annotated({ 'peer-address': 'default-gateway' }), here, {
    ...host,
    gateways: [],
  })
  expect(found).toMatchObject({
    lacking: [{ message: 'has no default route of IPv4 with a gateway' }],
  })
})

test('[R8.17] what only the node itself knows is taken for granted elsewhere', () => {
  const found = peerOnNode(annotated({ 'source-address': 'interface:eth9' }), here, undefined)
  expect(found).toHaveProperty('peer')
})

test.each([
  { name: 'peer-address', text: 'interface:eth0' },
  { name: 'peer-address', text: 'default-gateway:IPv5' },
  { name: 'peer-asn', text: 'default-gateway' },
  { name: 'source-address', text: 'cidr:10.0.0.0' },
  { name: 'my-asn', text: 'label:' },
])('[R8.17] berth.dev/$name-from: $text cannot be read', ({ name, text }) => {
  const bad = badSources(annotated({ [name]: text }))
  expect(bad.map(({ code, name: at }) => `${code} ${at}`)).toEqual([
    `bad-annotation berth.dev/${name}-from`,
  ])
  expect(bad[0]?.message).toContain(`${JSON.stringify(text)} is none of`)
})
