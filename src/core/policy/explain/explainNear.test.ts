import { expect, test } from 'vitest'
import { ip, pool, worldOf } from '../../../../test/build/announcing.ts'
import { poolsNear } from './explainNear.ts'

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
