// How long ago was it, as a table prints it?
import { humanDuration } from './humanDuration.ts'

/** `<unknown>` without a time, `<invalid>` for a text that is not a time or is in the future. */
export function ageOf(text: string, nowMs: number): string {
  if (text === '' || text === zeroTime) return '<unknown>'
  const since = rfc3339.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  return Number.isNaN(since) ? '<invalid>' : humanDuration(nowMs - since)
}

/** How Go writes an absent time. */
const zeroTime = '0001-01-01T00:00:00Z'
const rfc3339 = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** February 30 would become March 1. */
const isDay = (text: string): boolean =>
  new Date(Date.parse(text)).getUTCDate() === Number(text.slice(-2))
