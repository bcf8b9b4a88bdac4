// What do the live verbs read? Kinds that others refer to come first.
import type { Resource } from '../../../edge/kube/api/resource.ts'
import { kinds } from '../../../edge/kube/kinds.ts'

export const liveKinds: readonly (Resource & { readonly kind: string })[] = kinds
  .filter(({ cli }) => cli)
  .map(({ kind, group, version, plural, labelSelector }) => {
    const some = labelSelector === undefined ? {} : { selector: { labelSelector } }
    return { kind, group, version, plural, ...some }
  })
