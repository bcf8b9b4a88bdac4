// Did we make this object, and from what (R4.19)?
import type { JsonObject } from './gate.ts'
import { includes, isRecord, recordAt, textAt } from './json.ts'
import type { Ref } from './write.ts'

/** A view of a kind that we make. */
export type Made = {
  /** What it was made from, as Kind/name (`Tenant/red`); absent for what others made. */
  readonly maker?: string
}

/** The label of what we make. */
export const managed = { 'app.kubernetes.io/managed-by': 'berth' } as const

export const isOwnedBy = (object: unknown, { kind, name }: Ref): boolean =>
  ownersOf(object).some((owner) => owner['kind'] === kind && owner['name'] === name)

/**
 * Whether what stands under the name of an object that we want was made as that one: it has the
 * same owner; or none, as after a restore from a backup, and all of our labels.
 */
export function isMadeAs(object: unknown, wanted: JsonObject): boolean {
  const [owner] = ownersOf(wanted)
  if (owner !== undefined && isOwnedBy(object, refOf(owner))) return true
  const labels = recordAt(recordAt(wanted, 'metadata'), 'labels')
  const isLabelled = includes(recordAt(recordAt(object, 'metadata'), 'labels'), labels)
  return ownersOf(object).length === 0 && Object.keys(labels).length > 0 && isLabelled
}

/** Why an object of a wanted name cannot be made. */
export const takenText = (wanted: JsonObject): string =>
  `an object of this name exists already and was not made from ${ownerOf(wanted) ?? 'ours'}; ` +
  'rename or delete one of them'

/** The first, as Kind/name. */
export function ownerOf(object: JsonObject): string | undefined {
  const [owner] = ownersOf(object)
  return owner && `${textAt(owner, 'kind')}/${textAt(owner, 'name')}`
}

const refOf = (owner: JsonObject): Ref => ({
  kind: textAt(owner, 'kind'),
  name: textAt(owner, 'name'),
})

function ownersOf(object: unknown): readonly JsonObject[] {
  const { ownerReferences } = recordAt(object, 'metadata')
  return Array.isArray(ownerReferences) ? ownerReferences.filter(isRecord) : []
}
