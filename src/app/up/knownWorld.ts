// What does admission check against? Everything stored, as soon as it is stored: the next write is
// checked against all acknowledged ones.
import { Bug } from '../../core/model/bug.ts'
import type { JsonObject } from '../../core/model/gate.ts'
import { keyOf, type View } from '../../core/model/view.ts'
import { type ReadonlyWorld, type Settings, World } from '../../core/model/world.ts'
import type { Resource } from '../../edge/kube/api/resource.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { watchedKinds } from '../../edge/kube/feed/watchedKinds.ts'
import { kinds, resourceOf } from '../../edge/kube/kinds.ts'
import { meetsLabels, parseLabelSelector } from '../../edge/store/http/labelSelector.ts'
import type { Objects } from '../../edge/store/storage/objects.ts'
import type { Stored } from '../../edge/store/storage/stored.ts'
import { decoded } from '../../edge/store/write/stored.ts'
import { controllerKinds } from '../controller/controllerKinds.ts'

/** The view of an object that was admitted. */
export function viewOf(json: JsonObject): View | undefined {
  const read = decode(json)
  return read.kind === 'view' ? read.view : undefined
}

export function knownWorld(objects: Objects, settings: Settings): ReadonlyWorld {
  const world = new World(settings)
  const isCounted = (view: View | undefined): view is View =>
    view !== undefined && (view.kind !== 'Secret' || view.namespace === settings.ownNamespace)
  const { ownNamespace } = settings
  const all = [...controllerKinds(ownNamespace), ...watchedKinds(kinds, 'openstack', ownNamespace)]
  const watched = all.map(({ resource }) => resource)
  // The controller may not read Secrets; who keeps them can tell whether one has a password.
  for (const resource of [...watched, resourceOf('Secret')]) {
    const { group, plural } = resource
    const name = group === '' ? plural : `${plural}.${group}`
    const isSelected = selectedBy(resource)
    const page = objects.list({ resource: name, matches: isSelected })
    const kept = typeof page === 'object' ? page.items : []
    for (const stored of kept) {
      const view = viewOf(decoded(stored))
      if (isCounted(view)) world.apply({ type: 'upsert', view })
    }
    objects.watch(name, objects.revision, ({ type, stored, before }) => {
      const isThere = type !== 'DELETED' && isSelected(stored)
      if (!isThere && (before === undefined || !isSelected(before))) return
      // An object that cannot be decoded was refused by admission.
      const view = viewOf(decoded(stored))
      if (!isCounted(view)) return
      if (isThere) world.apply({ type: 'upsert', view })
      else world.apply({ type: 'delete', kind: view.kind, key: keyOf(view) })
      forget(world)
    })
  }
  forget(world)
  return world
}

/** As the controller watches it: of 100,000 ConfigMaps, hardly any has names. */
function selectedBy({ selector }: Resource): (stored: Stored) => boolean {
  const requirements = parseLabelSelector(selector?.['labelSelector'] ?? '')
  if (!requirements.ok) throw new Bug(requirements.why)
  return ({ labels }) => meetsLabels(requirements.value, labels)
}

/** Nothing is decided here, so no work may accumulate. */
function forget({ queue, nodeQueue }: World): void {
  for (const each of [queue, nodeQueue]) while (each.pop() !== undefined);
}
