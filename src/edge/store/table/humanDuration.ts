// How is a duration printed in a table? As by Kubernetes' duration.HumanDuration.

const [minute, hour, day, year] = [60, 3600, 86_400, 365 * 86_400]

/** Two units for short durations, then one. */
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
