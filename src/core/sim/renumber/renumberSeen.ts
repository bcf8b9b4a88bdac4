// Has the controller seen a write? Watches of different kinds are not in step: the next step begins
// when something that only the controller writes shows it.
import { type Json, recordAt, textAt } from '../../model/json.ts'
import { annotationsOf } from './renumberAnnotations.ts'

/** The controller puts it back when it is missing. */
export const poolMark = 'metallb.io/ip-allocated-from-pool'
/** Never right, so the controller corrects it (R3.10). */
export const unseen = { sharedWith: '-' } as const

/** `rehearsed` is the object as it was after the same write on the simulated cluster. */
export function isSeen(now: Json, rehearsed: Json | undefined): boolean {
  const [spec, status] = [recordAt(now, 'spec'), recordAt(now, 'status')]
  switch (now['kind']) {
    case 'Service':
      return poolMark in annotationsOf(now) || !(poolMark in annotationsOf(rehearsed ?? {}))
    case 'Address':
      return textAt(spec, 'sharedWith') !== unseen.sharedWith
    case 'Tenant':
      return status['observedGeneration'] === recordAt(now, 'metadata')['generation']
    case 'IPAddressPool':
      return sizeOf(now) === sizeOf(rehearsed)
    default:
      return true
  }
}

function sizeOf(pool: Json | undefined): string {
  const counts = recordAt(pool, 'status')
  const of = (family: string): number =>
    Number(counts[`assigned${family}`] ?? 0) + Number(counts[`available${family}`] ?? 0)
  return `${of('IPv4')} ${of('IPv6')}`
}
