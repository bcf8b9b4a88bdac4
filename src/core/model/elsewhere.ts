// Which addresses does an object hold that no Service may be given? Those of nodes, gateways and
// node-range reservations, as far as the API knows them (section 5). What is said in a tenant's
// namespace counts in its own pools and in open ones, not in those of other tenants.
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
  /** Whose namespace says so; empty for nobody's. */
  readonly tenant: string
  readonly was: ReadonlySet<Ip>
  readonly is: ReadonlySet<Ip>
}

type Space = { tenant: string; readonly views: Map<string, View> }

export class Elsewhere {
  readonly #views: ViewStore
  readonly #tenantOf: (namespace: string) => string
  /** By namespace. */
  readonly #spaces = new Map<string, Space>()

  constructor(views: ViewStore, tenantOf: (namespace: string) => string) {
    this.#views = views
    this.#tenantOf = tenantOf
  }

  /** In this order. What a speaker reports counts while its Node is there (R8.5). */
  movedBy(before: View | undefined, after: View | undefined): readonly Moved[] {
    const view = after ?? before
    if (view === undefined) return []
    if (view.kind === 'Tenant') return [movedOf(before, after), ...this.#sidesOf(this.#spaces)]
    if (view.kind === 'Namespace') {
      const space = this.#spaces.get(view.name)
      return space === undefined ? [] : this.#sidesOf([[view.name, space]])
    }
    if (view.kind !== 'Node' && !('occupied' in view)) return []
    const isNode = view.kind === 'Node' && (before === undefined) !== (after === undefined)
    const report = isNode ? this.#views.of('NodeInterfaces').get(view.name) : undefined
    if (report !== undefined) {
      const moved = after === undefined ? movedOf(report, undefined) : movedOf(undefined, report)
      return [movedOf(before, after), moved]
    }
    const isNobodys = view.kind === 'NodeInterfaces' && !this.#views.of('Node').has(view.name)
    return isNobodys ? [] : [movedOf(before, after, this.#noted(view, after))]
  }

  /** Answers whose it is. */
  #noted(view: View, after: View | undefined): string {
    if (view.kind !== 'NetConfig' && view.kind !== 'Reservation') return ''
    const { namespace } = view
    const space = this.#spaces.get(namespace) ?? {
      tenant: this.#tenantOf(namespace),
      views: new Map<string, View>(),
    }
    if (after === undefined) space.views.delete(objectOf(view))
    else space.views.set(objectOf(view), after)
    if (space.views.size === 0) this.#spaces.delete(namespace)
    else this.#spaces.set(namespace, space)
    return space.tenant
  }

  /** What is said in namespaces that are another's now ends, and begins anew. */
  #sidesOf(spaces: Iterable<readonly [string, Space]>): readonly Moved[] {
    const moved: Moved[] = []
    for (const [namespace, space] of spaces) {
      const [was, is] = [space.tenant, this.#tenantOf(namespace)]
      if (was === is) continue
      space.tenant = is
      for (const view of space.views.values()) {
        moved.push(movedOf(view, undefined, was), movedOf(undefined, view, is))
      }
    }
    return moved
  }
}

function movedOf(before: View | undefined, after: View | undefined, tenant = ''): Moved {
  const view = after ?? before
  return {
    object: view === undefined ? '' : objectOf(view),
    tenant,
    was: new Set(before && elsewhereOf(before)),
    is: new Set(after && elsewhereOf(after)),
  }
}
