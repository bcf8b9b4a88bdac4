// Proves that what admission would refuse does nothing, says why, and counts once it can (P6).
import { expect, test } from 'vitest'
import type { Check } from '../../../core/model/admission.ts'
import type { View } from '../../../core/model/view.ts'
import { World } from '../../../core/model/world.ts'
import { decode } from '../decode/decode.ts'
import { ValidatedSink } from './validatedSink.ts'

const pool = (
  name: string,
  addresses: string,
  creationTimestamp: string,
  { metadata = {}, ...more }: { metadata?: object; status?: object } = {},
): View => {
  const decoded = decode({
    apiVersion: 'metallb.io/v1beta1',
    kind: 'IPAddressPool',
    metadata: { name, namespace: 'metallb-system', creationTimestamp, ...metadata },
    spec: { addresses: [addresses] },
    ...more,
  })
  if (decoded.kind !== 'view') throw new Error('no view')
  return decoded.view
}
const [older, newer] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']

/** As policy would: of two pools that begin with the same address one is too many. */
const check: Check = (world, { view }) => {
  if (view.kind !== 'IPAddressPool') return []
  const others = [...world.pools.values()].filter(({ name }) => name !== view.name)
  const isTaken = others.some(({ ranges }) => ranges[0]?.first === view.ranges[0]?.first)
  return isTaken ? [{ path: 'spec.addresses[0]', message: 'overlaps' }] : []
}

function start() {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  return {
    world,
    validated: new ValidatedSink(world, check),
    names: () => [...world.pools.keys()].sort(),
  }
}

test('[P6] of two that overlap the older counts, in whichever order they come', () => {
  const { validated, names } = start()
  validated.put(pool('a', '192.0.2.0/24', newer))
  validated.put(pool('b', '192.0.2.0/25', older))
  expect(names()).toEqual([])
  validated.open()
  expect(names()).toEqual(['b'])
  expect(validated.complaints).toEqual([expect.stringMatching(/IPAddressPool.*a: .*overlaps/)])
})

const edited = (...managedFields: readonly object[]) => ({
  metadata: { generation: 2, managedFields },
})
const latest = '2026-01-03T00:00:00Z'
const ofSpec = { time: latest, fieldsV1: { 'f:spec': {} } }
const used = { status: { assignedIPv4: 1, availableIPv4: 1, assignedIPv6: 0, availableIPv6: 0 } }

test.each([
  ['an edit claims what a younger pool has', edited(ofSpec), 'b'],
  ['a label comes later', { metadata: { generation: 1, managedFields: [ofSpec] } }, 'a'],
  ['only its status changed', edited({ ...ofSpec, subresource: 'status' }), 'a'],
  ['it is edited, and the other one never counted', { ...edited(ofSpec), ...used }, 'a'],
])('[R9.2] who was there first counts after a restart too: %s', (_, more, counts) => {
  const { validated, names } = start()
  validated.put(pool('a', '192.0.2.0/24', older, more))
  validated.put(pool('b', '192.0.2.0/25', newer))
  validated.open()
  expect(names()).toEqual([counts])
})

test('[P6] once what stood in its way is gone it counts', () => {
  const { validated, names } = start()
  validated.open()
  validated.put(pool('a', '192.0.2.0/24', older))
  validated.put(pool('b', '192.0.2.0/25', newer))
  validated.drop('IPAddressPool', 'a')
  expect(names()).toEqual(['b'])
  expect(validated.complaints).toEqual([])
})

test('[P6] an edit that would be refused changes nothing', () => {
  const { world, validated } = start()
  validated.open()
  validated.put(pool('a', '192.0.2.0/24', older))
  validated.put(pool('b', '198.51.100.0/24', newer))
  const before = world.pools.get('b')
  validated.put(pool('b', '192.0.2.0/25', newer))
  expect(world.pools.get('b')).toBe(before)
  validated.refuse({ kind: 'IPAddressPool', key: 'a', why: 'spec.addresses[0]: no range' })
  expect(world.pools.has('a')).toBe(true)
  expect(validated.complaints.length).toBe(2)
})

test('[P2] what does not count is known by the names that it serves, read or not', () => {
  const { world, validated } = start()
  const late = pool('b', '192.0.2.0/25', newer)
  validated.put(pool('a', '192.0.2.0/24', older))
  validated.put(late.kind === 'IPAddressPool' ? { ...late, serves: ['api'] } : late)
  validated.refuse({ kind: 'IPAddressPool', key: 'torn', why: 'no range', serves: ['web'] })
  validated.open()
  const serves = (name: string) => ['a', 'b', 'torn'].filter((one) => world.inert.serves(one, name))
  expect([serves('api'), serves('web')]).toEqual([['b'], ['torn']])
  validated.drop('IPAddressPool', 'a')
  expect(serves('api')).toEqual([])
})
