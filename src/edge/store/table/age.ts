// How long ago was it, in the few letters of a table? As duration.HumanDuration of Kubernetes.

/** `<unknown>` when there is no time, `<invalid>` when it is none or yet to come. */
export function ageOf(text: string, nowMs: number): string {
  if (text === '' || text === zeroTime) return '<unknown>'
  const since = rfc3339.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN
  return Number.isNaN(since) ? '<invalid>' : humanDuration(nowMs - since)
}

/** How Go writes no time where it has to write one. */
const zeroTime = '0001-01-01T00:00:00Z'
const rfc3339 = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** February 30 would become March 1. */
const isDay = (text: string): boolean =>
  new Date(Date.parse(text)).getUTCDate() === Number(text.slice(-2))

const [minute, hour, day, year] = [60, 3600, 86_400, 365 * 86_400]

/** Two units while both tell something, then one. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000)
  // Clocks differ a little.
  if (seconds < -1) return '<invalid>'
  if (seconds < 2 * minute) return `${Math.max(seconds, 0)}s`
  if (seconds < 10 * minute) return inTwo(seconds, [minute, 'm'], [1, 's'])
  if (seconds < 3 * hour) return inOne(seconds, minute, 'm')
  if (seconds < 8 * hour) return inTwo(seconds, [hour, 'h'], [minute, 'm'])
  if (seconds < 2 * day) return inOne(seconds, hour, 'h')
  if (seconds < 8 * day) return inTwo(seconds, [day, 'd'], [hour, 'h'])
  if (seconds < 2 * year) return inOne(seconds, day, 'd')
  if (seconds < 8 * year) return inTwo(seconds, [year, 'y'], [day, 'd'])
  return inOne(seconds, year, 'y')
}

const inOne = (seconds: number, unit: number, letter: string): string =>
  `${Math.floor(seconds / unit)}${letter}`

type Unit = readonly [seconds: number, letter: string]

function inTwo(seconds: number, [large, letter]: Unit, [small, smallLetter]: Unit): string {
  const rest = Math.floor((seconds % large) / small)
  const first = inOne(seconds, large, letter)
  return rest === 0 ? first : `${first}${rest}${smallLetter}`
}
