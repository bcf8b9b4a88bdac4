import { expect, test } from 'vitest'
import { pool, worldOf } from '../../../test/build/announcing.ts'
import { netConfig, tenant } from '../../../test/build/wires.ts'
import type { Pool } from '../model/pool.ts'
import type { Tenant } from '../model/tenant.ts'
import type { World } from '../model/world.ts'
import { madeProblems, tenants } from './decideTenant.ts'
import { tenantsWoken } from './made/tenantsWoken.ts'

const blue = tenant('blue', { name: 'api', cidrs: ['10.1.0.0/24'], loadBalancer: ['10.1.0.80/32'] })
const shown = (given: Partial<Pool> = {}): Pool =>
  pool('blue-api', ['10.1.0.80/32'], { isOurs: true, tenant: 'blue', madeFrom: 'blue', ...given })
const writesOf = (world: World) => tenants.decide(world, 'blue').writes.map(({ type }) => type)
const leave = (world: World) => world.apply({ type: 'delete', kind: 'Tenant', key: 'blue' })

test.each<{ readonly of: string; readonly given: Partial<Tenant>; readonly writes: string[] }>([
  { of: 'that stays', given: {}, writes: ['apply', 'apply'] },
  { of: 'that is being deleted', given: { isGoing: true }, writes: [] },
])('[R4.19] of a tenant $of is written: $writes', ({ given, writes }) => {
  expect(writesOf(worldOf({ ...blue, ...given }))).toEqual(writes)
})

test.each<{ readonly of: string; readonly given: Partial<Pool>; readonly isLeft: boolean }>([
  { of: 'a pool that it owns counts no more', given: {}, isLeft: false },
  { of: 'a pool that was taken from it stays', given: { madeFrom: '' }, isLeft: true },
])('[R4.20] once a tenant is gone, $of', ({ given, isLeft }) => {
  const world = worldOf(blue, shown(given))
  leave(world)
  expect([world.pools.has('blue-api'), writesOf(world)]).toEqual([isLeft, isLeft ? [] : ['delete']])
  world.apply({ type: 'upsert', view: blue })
  expect(world.pools.has('blue-api')).toBe(true)
})

test('[R4.20] a speaker, which knows no tenants, knows their pools', () => {
  expect(worldOf(shown()).pools.has('blue-api')).toBe(true)
})

test('[R4.23] what the API refuses is a problem of the tenant, with the cause', () => {
  const world = worldOf(blue)
  const of = { kind: 'IPAddressPool', name: 'blue-api', namespace: 'metallb-system' }
  world.apply({ type: 'refused', of, maker: 'Tenant/blue', why: 'no room' })
  expect(madeProblems(world)).toMatchObject([
    { code: 'not-made', object: 'Tenant/blue', message: expect.stringContaining('no room') },
  ])
})

test('[R4.19] a name that becomes free is heard by every tenant that wants it', () => {
  const at = (name: string): Tenant => ({ ...blue, name, namespaces: ['shop'] })
  const world = worldOf(at('blue'), at('red'))
  const before = { ...netConfig('shop'), maker: 'Tenant/red' }
  const changed = { type: 'object', kind: 'NetConfig', key: before.key, before } as const
  const woken = (after: typeof before | undefined) =>
    [...new Set(tenantsWoken({ ...changed, after }, world))].sort()
  expect(woken(undefined)).toEqual(['blue', 'red'])
  expect(woken({ ...before, maker: 'Tenant/blue' })).toEqual(['blue', 'red'])
  expect(woken({ ...before, wire: 'b' })).toEqual(['red'])
})
