import { describe, expect, test } from 'vitest'
import { berth, folderOf } from '../../../../test/build/terminal.ts'
import { parseManifests } from '../../../edge/manifests/readManifests.ts'
import { goDuration } from './goDuration.ts'
import { nameOf } from './legacyNames.ts'

const configMap = (
  config: string,
  metadata = '{name: config, namespace: metallb-system}',
): string => `
apiVersion: v1
kind: ConfigMap
metadata: ${metadata}
data:
  config: |
${config.replaceAll(/^/gm, '    ')}
`

async function convert(config: string, metadata?: string) {
  const folder = folderOf({ 'config.yaml': configMap(config, metadata) })
  const { exit, out, err } = await berth(['migrate', 'configmap', `${folder}/config.yaml`])
  const objects = parseManifests(out, 'out').map((read) => (read.ok ? read.manifest.json : read))
  return { exit, out, err, objects }
}
const resource = (kind: string, name: string, spec: object, namespace = 'metallb-system') => ({
  apiVersion: kind === 'BGPPeer' ? 'metallb.io/v1beta2' : 'metallb.io/v1beta1',
  kind,
  metadata: { name, namespace },
  spec,
})

const full = `
bgp-communities: {zoo: "64512:2", no-export: "65535:65281"}
bfd-profiles:
- {name: fast, receive-interval: 280, transmit-interval: 270, echo-interval: 62,
   minimum-ttl: 254, detect-multiplier: 200}
address-pools:
- name: routed
  protocol: bgp
  addresses: [192.168.10.0/24]
  avoid-buggy-ips: true
  auto-assign: false
  bgp-advertisements:
  - {aggregation-length: 32, localpref: 100, communities: ["64512:1", no-export]}
  - {aggregation-length-v6: 64}
- {name: plain, protocol: bgp, addresses: [192.168.12.0/24]}
- {name: flat, protocol: layer2, addresses: [192.168.11.0/24, fc00::/124]}
peers:
- peer-address: 10.0.0.1
  peer-asn: 64512
  my-asn: 64513
  peer-port: 1179
  source-address: 10.0.0.2
  hold-time: 120s
  keepalive-time: 30s
  router-id: 1.2.3.4
  password: secret
  bfd-profile: fast
  ebgp-multihop: true
  node-selectors:
  - match-labels: {rack: a}
    match-expressions: [{key: kubernetes.io/arch, operator: In, values: [amd64]}]
- {peer-address: 10.0.0.9, peer-asn: 64512, my-asn: 64513}
`

describe('the objects of the converter, in its order', () => {
  test('[M8.2] peers, pools, BGP and layer-2 advertisements, profiles, communities', async () => {
    const { exit, err, objects, out } = await convert(full)
    const selector = {
      matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
      matchLabels: { rack: 'a' },
    }
    expect(objects).toEqual([
      resource('BGPPeer', 'peer1', {
        bfdProfile: 'fast',
        ebgpMultiHop: true,
        holdTime: '2m0s',
        keepaliveTime: '30s',
        myASN: 64513,
        nodeSelectors: [selector],
        password: 'secret',
        peerASN: 64512,
        peerAddress: '10.0.0.1',
        peerPort: 1179,
        routerID: '1.2.3.4',
        sourceAddress: '10.0.0.2',
      }),
      resource('BGPPeer', 'peer2', {
        holdTime: '1m30s',
        myASN: 64513,
        peerASN: 64512,
        peerAddress: '10.0.0.9',
      }),
      resource('IPAddressPool', 'routed', {
        addresses: ['192.168.10.0/24'],
        autoAssign: false,
        avoidBuggyIPs: true,
      }),
      resource('IPAddressPool', 'plain', { addresses: ['192.168.12.0/24'] }),
      resource('IPAddressPool', 'flat', { addresses: ['192.168.11.0/24', 'fc00::/124'] }),
      resource('BGPAdvertisement', 'bgpadvertisement1', {
        aggregationLength: 32,
        communities: ['64512:1', 'no-export'],
        ipAddressPools: ['routed'],
        localPref: 100,
      }),
      resource('BGPAdvertisement', 'bgpadvertisement2', {
        aggregationLengthV6: 64,
        ipAddressPools: ['routed'],
      }),
      resource('BGPAdvertisement', 'bgpadvertisement3', { ipAddressPools: ['plain'] }),
      resource('L2Advertisement', 'l2advertisement1', { ipAddressPools: ['flat'] }),
      resource('BFDProfile', 'fast', {
        detectMultiplier: 200,
        echoInterval: 62,
        echoMode: false,
        minimumTtl: 254,
        passiveMode: false,
        receiveInterval: 280,
        transmitInterval: 270,
      }),
      resource('Community', 'communities', {
        communities: [
          { name: 'no-export', value: '65535:65281' },
          { name: 'zoo', value: '64512:2' },
        ],
      }),
    ])
    expect(out).toMatch(/^# .*\n/)
    expect(out.match(/^---$/gm)).toHaveLength(objects.length)
    expect([exit, err]).toEqual([0, ''])
  })

  test("[M8.2] they are in the ConfigMap's namespace, else in metallb-system", async () => {
    const pool = 'address-pools: [{name: a1, protocol: layer2, addresses: [10.0.0.0/30]}]'
    const there = await convert(pool, '{name: c, namespace: lb}')
    const spec = { addresses: ['10.0.0.0/30'] }
    expect(there.objects[0]).toEqual(resource('IPAddressPool', 'a1', spec, 'lb'))
    const nowhere = await convert(pool, '{name: c}')
    expect(nowhere.objects[0]).toEqual(resource('IPAddressPool', 'a1', spec))
  })

  test('a field without a value is not there', async () => {
    const { exit, objects } = await convert('peers:\naddress-pools:\nbgp-communities:\n')
    expect([exit, objects]).toEqual([0, []])
  })
})

test.each([
  { config: 'address-pools: [{name: flat, protocol: l2, addresses: [10.0.0.0/30]}]', says: '"l2"' },
  { config: 'address-pools: [{name: Big_Pool, protocol: layer2}]', says: 'is now big-pool' },
  { config: 'extra: 1', says: 'extra is not a field' },
])('[M8.2] what is not carried over is said: $says', async ({ config, says }) => {
  const { err } = await convert(config)
  expect(err).toContain(`note: `)
  expect(err).toContain(says)
})

test.each([
  { config: 'peers: [{hold-time: 2s}]', says: 'must be 0 or at least 3s' },
  { config: 'peers: [{hold-time: soon}]', says: 'is not a duration' },
  { config: 'peers: [{keepalive-time: soon}]', says: 'keepalive time' },
  { config: 'peers: [{peer-asn: many}]', says: 'peers[0].peer-asn' },
  { config: 'address-pools: [{name: "123", protocol: layer2}]', says: 'no letter' },
  {
    config: 'address-pools: [{name: ab, addresses: [10.0.0.9-10.0.0.1]}]',
    says: 'IPAddressPool ab',
  },
  {
    config:
      'address-pools: [{name: A_b, addresses: [10.0.0.1/32]}, {name: a-b, addresses: [10.0.0.2/32]}]',
    says: 'IPAddressPool a-b would exist twice',
  },
  { config: 'a: [', says: 'data.config: line' },
])('[M8.2] what cannot be read is said, with exit 1 and no output: $says', async (row) => {
  const { exit, out, err } = await convert(row.config)
  expect(err).toContain(row.says)
  expect([exit, out]).toEqual([1, ''])
})

test.each([
  { text: 'kind: Service\napiVersion: v1\n', says: 'has no ConfigMap' },
  { text: 'kind: ConfigMap\napiVersion: v1\ndata: {other: x}\n', says: 'has no key config' },
  { text: 'a: [', says: 'input.yaml:1' },
])('a file without a configuration: $says', async ({ text, says }) => {
  const folder = folderOf({ 'input.yaml': text })
  const { exit, err } = await berth(['migrate', 'configmap', `${folder}/input.yaml`])
  expect(err).toContain(says)
  expect(exit).toBe(1)
})

test.each([
  { name: '01-numbered-addresspool', becomes: 'numbered-addresspool' },
  { name: 'Capitalized-AddressPool', becomes: 'capitalized-addresspool' },
  { name: 'underscored_bfd_profile', becomes: 'underscored-bfd-profile' },
  { name: 'X'.repeat(80), becomes: 'x'.repeat(63) },
  { name: 'kept-1', becomes: 'kept-1' },
])('[M8.2] $name is called $becomes', ({ name, becomes }) => {
  expect(nameOf(name)).toBe(becomes)
})

test.each([
  [0, '0s'],
  [45, '45s'],
  [90, '1m30s'],
  [3600, '1h0m0s'],
])('%d seconds are %s, as Go writes it', (seconds, text) => {
  expect(goDuration(seconds)).toBe(text)
})
