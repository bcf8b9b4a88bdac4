// How long is that? As kubectl prints ages, in one unit.
export function span(seconds: number): string {
  if (seconds < 120) return `${Math.max(0, seconds)}s`
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}m`
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`
}

/** Empty where no time is told. */
export function spanSince(time: string, nowMs: number): string {
  const sinceMs = Date.parse(time)
  return Number.isNaN(sinceMs) ? '' : span(Math.round((nowMs - sinceMs) / 1000))
}
