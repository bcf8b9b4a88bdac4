// By which names does a pool answer, and has its definition changed (its status aside)?
import { rangeText } from '../net/intervals.ts'
import type { Pool } from './pool.ts'

export const answersTo = ({ name, serves }: Pool, asked: string): boolean =>
  name === asked || serves.includes(asked)

export function samePool(one: Pool | undefined, other: Pool | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one === other || definition(one) === definition(other)
}

function definition({ ranges, status: _, ...rest }: Pool): string {
  return JSON.stringify({ ...rest, ranges: ranges.map(rangeText) })
}
