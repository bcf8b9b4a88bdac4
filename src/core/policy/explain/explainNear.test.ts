import { expect, test } from 'vitest'
import { ip, pool, worldOf } from '../../../../test/build/announcing.ts'
import { namesNear, poolsNear } from './explainNear.ts'

test.each([
  { wanted: 'lna', names: ['wan', 'lan', 'public'], near: ['lan'] },
  { wanted: 'shop/wbe', names: ['shop/web', 'shop/api', 'other/x'], near: ['shop/web'] },
  {
    wanted: 'internalapi',
    names: ['openstack-internalapi', 'dual'],
    near: ['openstack-internalapi'],
  },
  { wanted: 'top', names: ['bgp', 'up'], near: [] },
  { wanted: 'dns', names: ['dsn', 'dbs2'], near: ['dsn'] },
  { wanted: 'x', names: ['far-away', 'y'], near: ['y'] },
  { wanted: 'lan', names: ['lan1', 'lan2', 'lan3', 'lan4'], near: ['lan1', 'lan2', 'lan3'] },
  { wanted: 'lan', names: [], near: [] },
])('close to $wanted: $near', ({ wanted, names, near }) => {
  expect(namesNear(wanted, names)).toEqual(near)
})

test('the nearest range of each pool, the nearest pools first, equal ones by name', () => {
  const pools = [
    pool('b', ['10.0.0.10/32', '10.9.0.0/24']),
    pool('a', ['10.0.0.20/32']),
    pool('far', ['192.0.2.1/32']),
    pool('farther', ['203.0.113.1/32']),
  ]
  expect(poolsNear(worldOf(...pools), ip('10.0.0.15'))).toEqual([
    { pool: 'a', range: '10.0.0.20' },
    { pool: 'b', range: '10.0.0.10' },
    { pool: 'far', range: '192.0.2.1' },
  ])
})
