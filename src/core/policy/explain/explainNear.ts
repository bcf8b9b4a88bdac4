// Which pools are near an address that is in none?
import type { Pool } from '../../model/pool.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { rangeText } from '../../net/intervals.ts'
import { familyOf, type Ip, toBigInt } from '../../net/ip.ts'

export type NearPool = { readonly pool: string; readonly range: string }

const told = 3

/** The nearest range of each pool of that family, nearest pools first, equal ones by name. */
export function poolsNear({ pools }: ReadonlyWorld, address: Ip): NearPool[] {
  const near = [...pools.values()].flatMap((pool) => nearestIn(pool, address))
  return near
    .sort((one, other) => {
      if (one.distance !== other.distance) return one.distance < other.distance ? -1 : 1
      return one.pool < other.pool ? -1 : 1
    })
    .slice(0, told)
    .map(({ pool, range }) => ({ pool, range }))
}

function nearestIn({ name: pool, ranges }: Pool, address: Ip): (NearPool & { distance: bigint })[] {
  const value = toBigInt(address)
  const near = ranges
    .filter(({ family }) => family === familyOf(address))
    .map((range) => {
      const distance = value < range.first ? range.first - value : value - range.last
      return { pool, range: rangeText(range), distance }
    })
    .sort((one, other) => (one.distance < other.distance ? -1 : 1))
  return near.slice(0, 1)
}
