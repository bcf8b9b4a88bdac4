// Which of two NetConfigs of a namespace counts, and what may become of the other (R12.8)?
import { expect, test } from 'vitest'
import { worldOf } from '../../../../test/build/announcing.ts'
import { netConfig } from '../../../../test/build/wires.ts'
import type { IpSet } from '../../model/ipam/ipSet.ts'
import { check, checkDelete } from '../check/check.ts'
import { netConfigProblems } from './netConfigProblems.ts'

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
