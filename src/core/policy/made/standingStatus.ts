// How does a status say what has been made? Every object with its state, and one condition for all:
// Ready means made.
import type { JsonObject } from '../../model/gate.ts'
import { refText } from '../../model/ref.ts'
import type { Condition } from '../../model/write.ts'
import { counted } from '../../net/counted.ts'
import { type Standing, states } from './standing.ts'

/** A status is read whole whenever it changes: there is an end to what it lists. */
const mostListed = 1_000

/** The worst state says it; others are in the list. */
export function readyCondition(standings: readonly Standing[]): Condition {
  const worst = states.find((state) => standings.some((one) => one.state === state)) ?? 'Made'
  if (worst === 'Made') return { status: 'True', reason: 'Ready', message: '' }
  const [first, ...rest] = standings.filter(({ state }) => state === worst)
  const text = first === undefined ? '' : `${refText(first.of)}: ${first.message}`
  const message = rest.length === 0 ? text : `${text}; and ${counted(rest.length, 'more object')}`
  return { status: 'False', reason: worst, message }
}

/** What is not made comes first, else they are in the order in which they are made. */
export function listedObjects(standings: readonly Standing[]): JsonObject {
  const rank = ({ state }: Standing) => (state === 'Made' ? 1 : 0)
  const sorted = [...standings].sort((one, other) => rank(one) - rank(other))
  const objects = sorted.slice(0, mostListed).map(({ of, state, message }) => ({
    kind: of.kind,
    ...(of.namespace === undefined ? {} : { namespace: of.namespace }),
    name: of.name,
    state,
    ...(message === '' ? {} : { message }),
  }))
  return { objects }
}
