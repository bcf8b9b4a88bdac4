// How long is a duration? Parsed like Go's time.ParseDuration: 90s, 1m30s, 1.5h, -2ms, 0.
import { type Parsed, parsed, refused } from '../../../core/net/parsed.ts'

const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3, // U+00B5, micro sign
  μs: 1e-3, // U+03BC, Greek letter mu
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const whole = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/
const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g
/** Go counts nanoseconds in 64 bits. */
const longestMs = 2 ** 63 / 1e6

/** In milliseconds. */
export function decodeDuration(text: string): Parsed<number> {
  if (/^[+-]?0$/.test(text)) return parsed(0)
  if (text.length > 64 || !whole.test(text)) {
    const quoted = JSON.stringify(text.slice(0, 64))
    return refused(`${quoted} is not a duration: write a number and a unit, such as 90s or 1m30s`)
  }
  let sum = 0
  for (const [, number, unit = ''] of text.matchAll(part)) {
    sum += Number(number) * (unitMs[unit] ?? 0)
  }
  if (sum >= longestMs) return refused(`${JSON.stringify(text)} is too long a duration`)
  // Whole nanoseconds, as in Go: 1.005s is exactly 1005 ms.
  const ms = Math.round(sum * 1e6) / 1e6
  return parsed(text.startsWith('-') && ms > 0 ? -ms : ms)
}
