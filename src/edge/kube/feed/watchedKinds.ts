// Which kinds does a program watch, and what does it do with each? What the table of kinds says.
import type { Kind } from '../../../core/model/view.ts'
import type { Resource } from '../api/resource.ts'
import type { KindRow } from '../kinds.ts'

export type WatchedKind = {
  readonly kind: Kind
  readonly resource: Resource
  /** Of another allocator, or reported by speakers: it need not be there. */
  readonly isOptional: boolean
  /** Configuration of ours: validated before it counts. */
  readonly isValidated: boolean
  /** What goes with its definition has not been deleted by anybody. */
  readonly isKept: boolean
  /**
   * What went with its definition is waited for. The controller goes on without pools: what they
   * gave is recorded in Addresses (R3.14).
   */
  readonly isAwaited: boolean
}

export const watchedKinds = (
  rows: readonly KindRow[],
  program: 'controller' | 'speaker' | 'openstack',
  ownNamespace: string,
): readonly WatchedKind[] =>
  rows.flatMap((row) => {
    const watching = row[program]
    if (watching === undefined || row.decode === undefined) return []
    const { kind, group, version, plural, scope, labelSelector } = row
    const place = scope === 'ours' ? { namespace: ownNamespace } : {}
    const some = labelSelector === undefined ? {} : { selector: { labelSelector } }
    return {
      kind: kind as Kind,
      resource: { group, version, plural, ...place, ...some },
      isOptional: watching === 'optional',
      isValidated: watching === 'validated',
      isKept: watching === 'validated' || kind === 'NetConfig',
      isAwaited: program === 'speaker' || kind === 'Tenant',
    }
  })
