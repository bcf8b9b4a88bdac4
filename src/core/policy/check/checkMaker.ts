// May an object that was made lose what says so? Without owner and labels nobody can tell that it
// is ours, and what belongs to one tenant would be open to all (R4.19).
import type { FieldError } from '../../model/admission.ts'
import { forbidden } from '../../model/fieldError.ts'
import type { View } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { makerOf } from '../made/madeKinds.ts'

export function checkMaker(
  world: ReadonlyWorld,
  view: View,
  before: View | undefined,
): readonly FieldError[] {
  const maker = before === undefined ? '' : makerOf(before)
  if (maker === '' || makerOf(view) === maker || !isThere(world, maker)) return []
  const why = `it is made from ${maker}: keep its labels and owner, or edit ${maker}`
  return [forbidden('metadata.labels', why)]
}

function isThere(world: ReadonlyWorld, maker: string): boolean {
  const [kind, name = ''] = maker.split('/')
  // Host networks follow from all tenants together (R4.27).
  if (kind === 'Node') return world.all('Node').has(name)
  if (kind !== 'Tenant' && kind !== 'Site') return false
  const there = world.all(kind).get(name)
  return there !== undefined && there.isGoing !== true
}
