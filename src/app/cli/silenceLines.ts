// How is it told that nobody announces some Services? The same in a plan and in the status.
import { counted } from '../../core/net/counted.ts'
import type { Silence } from '../../core/policy/announce/silence.ts'
import { wrapped } from './wrapped.ts'

/** One entry for all that have one reason, since it is mended in one place; the rest is counted. */
export function silenceLines(silences: readonly Silence[], most = Number.POSITIVE_INFINITY) {
  const groups = new Map<string, Silence[]>()
  for (const one of silences) groups.set(one.why, [...(groups.get(one.why) ?? []), one])
  return [...groups.values()].flatMap((group) => {
    const named = group.map(({ service, ips }) => `${ips.join(', ')} (${service})`)
    const [{ why, remedy } = { why: '', remedy: '' }] = group
    return [...headOf(named, most), ...wrapped(why, 6), ...wrapped(`remedy: ${remedy}`, 6)]
  })
}

function headOf(named: readonly string[], most: number): string[] {
  if (named.length === 1) return [`  ! ${named.join()} is not announced`]
  const rest = named.length > most ? ` and ${named.length - most} more` : ''
  const what = `${counted(named.length, 'Service')} are not announced`
  const listed = `${named.slice(0, most).join(', ')}${rest}`
  return [`  ! ${what}`, ...wrapped(listed, 6)]
}
