// Who holds a Lease, and is it still valid at the given time?
import type { Leader } from '../../../core/model/leader.ts'
import { Fields } from './fields.ts'

/** Undefined if nobody holds it. */
export function decodeLeader(lease: unknown, nowMs: number): Leader | undefined {
  const spec = new Fields(lease, []).inner('spec')
  const holder = spec.text('holderIdentity')
  const renewedMs = Date.parse(spec.text('renewTime'))
  if (holder === '' || Number.isNaN(renewedMs)) return undefined
  const ageSeconds = Math.max(0, Math.round((nowMs - renewedMs) / 1000))
  return { holder, ageSeconds, isExpired: ageSeconds > (spec.number('leaseDurationSeconds') ?? 0) }
}
