// Can a BGP session keep these times? (M6.4, M8.1 rule 7, RFC 4271 section 4.2)
import type { FieldError } from '../../model/admission.ts'
import type { Peer } from '../../model/announcing.ts'
import { invalid } from '../../model/fieldError.ts'

type Times = Pick<Peer, 'holdMs' | 'keepaliveMs' | 'connectMs'>

export function checkTimers({ holdMs, keepaliveMs, connectMs }: Times): readonly FieldError[] {
  return [...checkHold(holdMs, keepaliveMs), ...checkConnect(connectMs)]
}

/** One of the two follows from the other; the hold time is sent in whole seconds. */
function checkHold(hold: number | undefined, keepalive: number | undefined): FieldError[] {
  const holdMs = hold ?? (keepalive === undefined ? undefined : 3 * keepalive)
  if (holdMs === undefined) return []
  const keepaliveMs = keepalive ?? holdMs / 3
  const errors: FieldError[] = []
  const path = hold === undefined ? 'spec.keepaliveTime' : 'spec.holdTime'
  const sent = Math.trunc(holdMs / 1000)
  if (sent !== 0 && sent < 3) {
    errors.push(invalid(path, seconds(hold ?? keepaliveMs), 'the hold time is 0 or at least 3s'))
  }
  if (keepaliveMs > holdMs) {
    const why = `must not be longer than the hold time, ${seconds(holdMs)}`
    errors.push(invalid('spec.keepaliveTime', seconds(keepaliveMs), why))
  }
  return errors
}

/** As MetalLB's CRD has it. */
function checkConnect(connectMs: number | undefined): FieldError[] {
  if (connectMs === undefined) return []
  const isWhole = connectMs % 1000 === 0
  if (isWhole && connectMs >= 1000 && connectMs <= 65_535_000) return []
  return [invalid('spec.connectTime', seconds(connectMs), 'must be whole seconds, 1s to 65535s')]
}

const seconds = (ms: number): string => `${ms / 1000}s`
