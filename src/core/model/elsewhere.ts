// Which addresses does an object hold that no Service may be given? Those of nodes, gateways and
// node-range reservations, as far as the API knows them (section 5).
import type { Ip } from '../net/ip.ts'
import { objectOf, type View } from './view.ts'
import type { ViewStore } from './viewStore.ts'

/** A view that has it takes addresses out of the pools. */
export type Occupying = { readonly occupied: readonly Ip[] }

/** Each once; whether a Service of ours holds one of them is for the reader to ask. */
const elsewhereOf = (view: View): readonly Ip[] =>
  'occupied' in view ? [...new Set(view.occupied)] : []

/** Of one object: the addresses that it had, and has. */
type Moved = {
  readonly object: string
  readonly was: ReadonlySet<Ip>
  readonly is: ReadonlySet<Ip>
}

/** What a speaker reports counts while the Node is there that it speaks of (R8.5). */
export function movedBy(
  views: ViewStore,
  before: View | undefined,
  after: View | undefined,
): readonly Moved[] {
  const view = after ?? before
  if (view === undefined) return []
  const isNode = view.kind === 'Node' && (before === undefined) !== (after === undefined)
  const report = isNode ? views.of('NodeInterfaces').get(view.name) : undefined
  if (report !== undefined) {
    const moved = after === undefined ? movedOf(report, undefined) : movedOf(undefined, report)
    return [movedOf(before, after), moved]
  }
  const isNobodys = view.kind === 'NodeInterfaces' && !views.of('Node').has(view.name)
  return isNobodys ? [] : [movedOf(before, after)]
}

function movedOf(before: View | undefined, after: View | undefined): Moved {
  const view = after ?? before
  return {
    object: view === undefined ? '' : objectOf(view),
    was: new Set(before && elsewhereOf(before)),
    is: new Set(after && elsewhereOf(after)),
  }
}
