import { expect, test } from 'vitest'
import { type Json, recordAt } from '../../model/json.ts'
import { isSeen } from './renumberSeen.ts'
import { movedTenant } from './renumberTenant.ts'
import { shiftOf } from './shift.ts'

const shift = shiftOf('172.17.0.0/24', '172.27.0.0/24')
if (!shift.ok) throw new Error(shift.why)

test('[R15.5] a network that somebody adds to a Tenant while it moves stays', () => {
  const networks = [{ name: 'a', cidrs: ['172.17.0.0/24'], translateFrom: ['10.0.0.0/24'] }]
  const tenant = { kind: 'Tenant', metadata: {}, spec: { requestedAddresses: 'Ignore', networks } }
  const moved = movedTenant(shift.value, 'Tenant/t', tenant)
  if (moved === undefined || 'message' in moved) throw new Error('it does not move')
  const between = moved.translating[0]?.change(tenant) ?? {}
  const spec = recordAt(between, 'spec')
  expect(spec).toMatchObject({ requestedAddresses: 'Translate' })
  const added = { name: 'b', cidrs: ['172.18.0.0/24'] }
  const now = { ...between, spec: { ...spec, networks: [...(spec['networks'] as Json[]), added] } }
  expect(moved.final.change(now)).toEqual({
    ...{ kind: 'Tenant', metadata: { annotations: {} } },
    spec: {
      requestedAddresses: 'Ignore',
      networks: [{ ...networks[0], cidrs: ['172.27.0.0/24'] }, added],
    },
  })
})

const of = (kind: string, more: Json): Json => ({ kind, metadata: {}, ...more })
const marked = { annotations: { 'metallb.io/ip-allocated-from-pool': 'lan' } }

test.each([
  ['a Tenant', of('Tenant', { metadata: { generation: 2 }, status: { observedGeneration: 1 } })],
  ['an Address', of('Address', { spec: { sharedWith: '-' } })],
  ['a Service', of('Service', {})],
  ['a pool', of('IPAddressPool', { status: { assignedIPv4: 2, availableIPv4: 8 } })],
])('[R15.1] %s that the controller has not seen yet', (_, now) => {
  const status = { assignedIPv4: 1, availableIPv4: 19 }
  expect(isSeen(now, of('x', { metadata: marked, status }))).toBe(false)
})

test.each([
  ['a Tenant', of('Tenant', { metadata: { generation: 2 }, status: { observedGeneration: 2 } })],
  ['an Address', of('Address', { spec: { sharedWith: '' } })],
  ['a Service', of('Service', { metadata: marked })],
  ['a pool', of('IPAddressPool', { status: { assignedIPv4: 3, availableIPv4: 17 } })],
])('[R15.1] %s that the controller has seen', (_, now) => {
  const status = { assignedIPv4: 1, availableIPv4: 19 }
  expect(isSeen(now, of('x', { metadata: marked, status }))).toBe(true)
})
