// Which of two NetConfigs of a namespace counts, and what may become of the other (R12.8)? Which of
// its subnets overlap (R12.11)?
import { expect, test } from 'vitest'
import { worldOf } from '../../../../test/build/announcing.ts'
import { viewOf } from '../../../../test/build/hostNodes.ts'
import { netConfig } from '../../../../test/build/wires.ts'
import type { IpSet } from '../../model/ipam/ipSet.ts'
import { check, checkDelete } from '../check/check.ts'
import { doubtsAbout, netConfigProblems } from './netConfigProblems.ts'

const first = { ...netConfig('openstack'), createdAt: '2026-01-01T00:00:00Z' }
const second = {
  ...netConfig('openstack'),
  name: 'a-second',
  key: 'openstack/a-second',
  createdAt: '2026-01-02T00:00:00Z',
}
const host: IpSet = {
  ...{ kind: 'IPSet', key: 'openstack/a', name: 'a', namespace: 'openstack', uid: 'a' },
  resourceVersion: '1',
  ...{ createdAt: '', generation: 1, isGoing: false, finalizers: [], ownerUids: [], keep: '' },
  ...{ requests: [], isImmutable: false, isForPod: false, unread: [] },
  status: { conditions: [], reservations: [], observedGeneration: 0 },
}
const world = worldOf(first, second, host)

test('[R12.8] the younger one is told that it does nothing', () => {
  expect(netConfigProblems(world)).toEqual([
    {
      code: 'configuration-twice',
      severity: 'error',
      object: 'NetConfig/openstack/a-second',
      message: 'NetConfig openstack/netconfig is older: this one does nothing',
    },
  ])
})

test('[R12.8] only the one that counts has to stay while there are IPSets', () => {
  expect(checkDelete(world, second)).toEqual([])
  expect(checkDelete(world, first)).toMatchObject([{ message: expect.stringContaining('1 IPSet') }])
})

test('[O1.4] both can be edited, and edits are checked', () => {
  const bad = { path: 'spec.networks[0].subnets[0].cidr', message: 'Invalid value' }
  const edited = (view: typeof first) =>
    check(world, { view: { ...view, unread: [bad] }, before: view, bgpMode: 'native' })
  expect([first, second].map(edited)).toEqual([[bad], [bad]])
  const third = { ...second, name: 'third', key: 'openstack/third' }
  expect(check(world, { view: third, before: undefined, bgpMode: 'native' })).toMatchObject([
    { message: expect.stringContaining('edit that one') },
  ])
})

/** `172.17.0.0/16 20`: with its VLAN, if it has one; each a subnet of one network. */
function overlapsOf(...texts: readonly string[]): readonly string[] {
  const subnets = texts.map((text, at) => {
    const [cidr = '', id] = text.split(' ')
    return { name: `s${at}`, cidr, ...(id === undefined ? {} : { vlan: Number(id) }) }
  })
  const view = viewOf({
    apiVersion: 'network.openstack.org/v1beta1',
    kind: 'NetConfig',
    metadata: { name: 'netconfig', namespace: 'openstack' },
    spec: { networks: [{ name: 'net', subnets }] },
  })
  if (view.kind !== 'NetConfig') throw new Error(view.kind)
  return doubtsAbout(view)
    .filter(({ code }) => code === 'subnets-overlap')
    .map(({ message }) => [...message.matchAll(/net s([0-9]+)/g)].map(([, at]) => at).join(' '))
}

const overlapping: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['on other VLANs', ['172.17.0.0/16 20', '172.17.0.0/24 21'], []],
  [
    'on one VLAN, under a larger one on another VLAN',
    ['172.16.0.0/12 20', '172.17.0.0/16 21', '172.17.1.0/24 21'],
    ['1 2'],
  ],
  [
    'untagged, under a larger one on a VLAN',
    ['172.16.0.0/15 20', '172.17.0.0/16', '172.17.255.0/24 21'],
    ['0 1', '1 2'],
  ],
  [
    'untagged, in two on VLANs',
    ['172.16.0.0/12 20', '172.17.0.0/16 21', '172.17.1.0/24'],
    ['0 2', '1 2'],
  ],
  [
    'untagged, beside two VLANs',
    ['10.0.0.0/16', '10.0.1.0/24', '10.1.0.0/24 20', '10.2.0.0/24 21'],
    ['0 1'],
  ],
  ['behind a smaller one', ['10.0.0.0/8', '10.0.0.0/24', '10.9.0.0/24'], ['1 0', '0 2']],
  ['in two families', ['0.0.0.0/0', '::/0', '10.0.0.0/8', 'fd00::/8 20'], ['0 2', '1 3']],
]
test.each(overlapping)('[R12.11] subnets that overlap %s', (_, texts, found) => {
  expect(overlapsOf(...texts)).toEqual(found)
})
