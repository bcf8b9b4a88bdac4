// Who judges what is written beside the schema? The one admission, for Services and our own kinds;
// a refusal reads as on a cluster, where it comes from a webhook.
import type { FieldError } from '../../../core/model/admission.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import { metaOf, textOf } from '../jsonRead.ts'
import { convert } from '../kinds/convert.ts'
import { resourceOf, type StoredKind } from '../kinds/storedKind.ts'
import { type Refused, refused } from '../status.ts'
import type { Place } from './asked.ts'
import { cause } from './causes.ts'
import { invalid } from './refusals.ts'

export type Admitted =
  | { readonly ok: true; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly FieldError[] }

/** Objects are shown in the version that is kept. */
export type Door = {
  readonly admit: (object: JsonObject, before: JsonObject | undefined) => Admitted
  readonly admitDelete: (object: JsonObject) => readonly FieldError[]
  /** Whoever writes what follows from objects that were judged is not judged again. */
  readonly isOurs: (person: Place['person']) => boolean
}

/** For what is not judged at all. */
export const openDoor: Door = {
  admit: () => ({ ok: true, warnings: [] }),
  admitDelete: () => [],
  isOurs: () => false,
}

type Webhook = { readonly name: string; readonly isFor: readonly Operation[] }
type Operation = 'create' | 'update' | 'delete'

const always: readonly Operation[] = ['create', 'update']
const alsoGone: readonly Operation[] = [...always, 'delete']
/** As deploy/kustomize registers them on a cluster. */
const webhooks: ReadonlyMap<string, Webhook> = new Map([
  ['ipaddresspools.metallb.io', { name: 'ipaddresspoolvalidationwebhook', isFor: always }],
  ['l2advertisements.metallb.io', { name: 'l2advertisementvalidationwebhook', isFor: always }],
  ['bgpadvertisements.metallb.io', { name: 'bgpadvertisementvalidationwebhook', isFor: always }],
  ['bgppeers.metallb.io', { name: 'bgppeersvalidationwebhook', isFor: always }],
  ['communities.metallb.io', { name: 'communityvalidationwebhook', isFor: always }],
  ['bfdprofiles.metallb.io', { name: 'bfdprofilevalidationwebhook', isFor: alsoGone }],
  ['addresses.berth.dev', { name: 'addressvalidationwebhook', isFor: always }],
  ['tenants.berth.dev', { name: 'tenantvalidationwebhook', isFor: alsoGone }],
])

export type Proposed = {
  readonly place: Place
  readonly object: JsonObject
  readonly before: JsonObject | undefined
}
export type Judgement = { readonly ok: true; readonly warnings: readonly string[] } | Refused

export function judge(door: Door, { place, object, before }: Proposed): Judgement {
  const { kind } = place.found
  const isJudged = isAsked(kind, before === undefined ? 'create' : 'update')
  if (!isJudged || place.isStatus || door.isOurs(place.person)) {
    return { ok: true, warnings: [] }
  }
  const kept = (one: JsonObject): JsonObject => convert(kind, one, kind.storage)
  const admitted = door.admit(kept(object), before && kept(before))
  return admitted.ok ? admitted : denied(kind, object, admitted.errors)
}

export function judgeDelete(door: Door, place: Place, object: JsonObject): Refused | undefined {
  const { kind } = place.found
  if (!isAsked(kind, 'delete') || door.isOurs(place.person)) return undefined
  const errors = door.admitDelete(convert(kind, object, kind.storage))
  return errors.length === 0 ? undefined : denied(kind, object, errors)
}

const isAsked = (kind: StoredKind, operation: Operation): boolean => {
  const resource = resourceOf(kind)
  if (resource === 'services') return operation !== 'delete'
  return webhooks.get(resource)?.isFor.includes(operation) ?? false
}

function denied(kind: StoredKind, object: JsonObject, errors: readonly FieldError[]): Refused {
  const name = textOf(metaOf(object)['name'])
  const webhook = webhooks.get(resourceOf(kind))
  if (webhook === undefined) return invalid(kind, name, errors)
  const said = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const by = `admission webhook "${webhook.name}.${kind.group}" denied the request`
  return refused(
    { code: 403, reason: 'Forbidden', message: `${by}: ${said.join('; ')}` },
    { name, group: kind.group, kind: kind.kind, causes: errors.map(cause) },
  )
}
