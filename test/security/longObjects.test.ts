// Objects of other projects as long as an API server stores them. The attacker may write NetConfigs,
// IPSets, Reservations or attachments in its namespace, or is a node that reports its interfaces.
// Afterwards: each was read, and its problems were found, in time that grows with its length.
// Before: it took longer than the Lease of the controller lasts.
import { expect, test } from 'vitest'
import { keyOf } from '../../src/core/model/view.ts'
import { World } from '../../src/core/model/world.ts'
import { check } from '../../src/core/policy/check/check.ts'
import { ledgerProblems } from '../../src/core/policy/wires/ledgerProblems.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { ValidatedSink } from '../../src/edge/kube/feed/validatedSink.ts'

const many = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at))
const ip = (at: number): string => `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`
const named = (apiVersion: string, kind: string, spec: object, name = 'a') => ({
  ...{ apiVersion, kind, metadata: { name, namespace: 'n', uid: name } },
  spec,
})
const subnet = { name: 's', cidr: '10.0.0.0/8' }
const all = { start: '10.0.0.0', end: '10.255.255.255' }
const inNetworks = (networks: object) =>
  named('network.openstack.org/v1beta1', 'NetConfig', { networks })
const netConfig = (parts: object) => inNetworks([{ name: 'x', subnets: [{ ...subnet, ...parts }] }])
const attachment = (ipam: object, name = 'a') =>
  named(
    'k8s.cni.cncf.io/v1',
    'NetworkAttachmentDefinition',
    { config: JSON.stringify({ type: 'macvlan', ipam: { type: 'whereabouts', ...ipam } }) },
    name,
  )
const reservation = (count: number, name: string) => {
  const entry = (at: number) => ({ network: 'x', subnet: 's', address: ip(at) })
  const entries = Object.fromEntries(many(count, (at) => [`n${at}`, entry(at)]))
  return named('network.openstack.org/v1beta1', 'Reservation', { reservation: entries }, name)
}
const ipSet = (count: number) =>
  named('network.openstack.org/v1beta1', 'IPSet', {
    networks: many(count, (at) => ({ name: `${at}`, subnetName: 's' })),
  })
const policy = (desiredState: object) =>
  named('nmstate.io/v1', 'NodeNetworkConfigurationPolicy', { desiredState })
const onEthernet = (at: number) => ({ ip: ip(at), 'prefix-length': 8 })

const objects: [what: string, ...objects: object[]][] = [
  [
    '100,000 addresses left out of a range',
    netConfig({ allocationRanges: [all], excludeAddresses: many(100_000, (at) => ip(2 * at)) }),
  ],
  [
    'as many ranges as addresses left out of them',
    netConfig({
      allocationRanges: many(20_000, () => all),
      excludeAddresses: many(40_000, (at) => ip(2 * at)),
    }),
  ],
  ['30,000 next hops', netConfig({ routes: many(30_000, (at) => ({ nexthop: ip(at) })) })],
  [
    '10,000 networks in one place',
    inNetworks(many(10_000, (at) => ({ name: `${at}`, subnets: [{ ...subnet, gateway: ip(1) }] }))),
  ],
  [
    '10,000 subnets, and 40,000 addresses of hosts',
    inNetworks([
      { name: 'x', subnets: many(10_000, (at) => ({ name: `s${at}`, cidr: `${ip(at)}/32` })) },
    ]),
    reservation(20_000, 'a'),
    reservation(20_000, 'b'),
  ],
  [
    '20,000 networks, and a host on all of them',
    inNetworks(
      many(20_000, (at) => ({ name: `${at}`, subnets: [{ name: 's', cidr: `${ip(at)}/32` }] })),
    ),
    ipSet(20_000),
  ],
  [
    '30,000 ranges of an attachment',
    attachment({ ipRanges: many(30_000, (at) => ({ range: `${ip(at)}/24` })) }),
  ],
  [
    '3,000 attachments with one range',
    ...many(3000, (at) => attachment({ range: '10.0.0.0/8' }, `a${at}`)),
  ],
  [
    '10,000 interfaces of a policy, and next hops over them',
    policy({
      interfaces: many(10_000, (at) => ({ name: `e${at}`, ipv4: { address: [onEthernet(at)] } })),
      routes: { config: many(10_000, (at) => ({ 'next-hop-address': ip(at) })) },
    }),
  ],
  [
    '10,000 VLANs under one name',
    policy({
      interfaces: many(10_000, (at) => ({
        ...{ name: 'e', vlan: { 'base-iface': 'eth0', id: at } },
        ipv4: { address: [onEthernet(at)] },
      })),
    }),
  ],
  [
    '10,000 interfaces of a node',
    named('v1', 'Node', {}),
    {
      ...named('berth.dev/v1alpha1', 'NodeInterfaces', {}),
      interfaces: many(10_000, (at) => ({ name: `e${at}`, addresses: [`${ip(at)}/8`] })),
    },
  ],
]

const pool = named('metallb.io/v1beta1', 'IPAddressPool', { addresses: ['10.0.0.0/16'] })

test.each(objects)('[R10.3] %s', (_, ...given) => {
  const world = new World(settings)
  const sink = new ValidatedSink(world, check)
  sink.open()
  const views = [pool, ...given].map((json) => {
    const decoded = decode(json)
    if (decoded.kind !== 'view') throw new Error(`${decoded.kind}: ${JSON.stringify(decoded)}`)
    return decoded.view
  })
  for (const view of views) sink.put(view)
  // Whoever cuts something short says so.
  for (const { message } of ledgerProblems(world)) expect(message.length).toBeLessThan(10_000)
  for (const view of views) sink.drop(view.kind, keyOf(view))
  expect(ledgerProblems(world)).toEqual([])
})
