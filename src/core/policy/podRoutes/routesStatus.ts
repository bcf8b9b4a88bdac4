// What does the status of a BGPConfiguration say (R16.6)? Whether all routes are made, which wait
// for what, and what is left out.
import type { BgpConfiguration } from '../../model/podRoutes/podRoutes.ts'
import { isSame } from '../../model/sameView.ts'
import type { Write } from '../../model/write.ts'
import { counted } from '../../net/counted.ts'
import { conditionsAfter, type Said, saidError, saidTrue } from '../libConditions.ts'

export type Told = {
  /** Why nothing is made at all, or empty. */
  readonly why: string
  /** By the API. */
  readonly refused: readonly string[]
  readonly waiting: readonly string[]
  readonly leftOut: readonly string[]
}

/** Nothing where the status says so already. */
export function routesStatus(
  { kind, name, namespace, status }: BgpConfiguration,
  told: Told,
  now: string,
): readonly Write[] {
  const said = { ServiceConfigReady: saidOf(told) }
  const conditions = conditionsAfter(status.conditions, said, now)
  if (isSame(status.conditions, conditions)) return []
  return [{ type: 'status', of: { kind, name, namespace }, fields: { conditions } }]
}

const complete = 'Service config create completed'
const failed = 'Service config create error occurred'

function saidOf({ why, refused, waiting, leftOut }: Told): Said {
  if (why !== '') return saidError(`${failed} ${why}`)
  const wrong = [...refused, ...waiting]
  const left = leftOut.length === 0 ? '' : `left out: ${someOf(leftOut)}`
  if (wrong.length > 0) {
    return saidError([`${failed} ${someOf(wrong)}`, left].filter(Boolean).join('; '))
  }
  return saidTrue([complete, left].filter(Boolean).join('; '))
}

/** A message is read, not scrolled. */
const mostTold = 3

function someOf(all: readonly string[]): string {
  const more = all.length - mostTold
  return [...all.slice(0, mostTold), ...(more > 0 ? [`and ${counted(more, 'other')}`] : [])].join(
    '; ',
  )
}
