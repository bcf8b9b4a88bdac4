// Which command solves a problem? Only where one command is right, whatever was meant.
import type { Problem } from '../../model/problem.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { familyOf } from '../../net/ip.ts'
import { kubectlFix } from './kubectlFix.ts'

export function problemFix(world: ReadonlyWorld, problem: Problem): string | undefined {
  const { code, object } = problem
  switch (code) {
    case 'unknown-tenant':
      return kubectlFix(object, 'label', 'berth.dev/tenant-')
    case 'split-needs-three':
      return kubectlFix(object, 'annotate', 'berth.dev/split-')
    case 'bad-annotation':
      return annotationFix(world, problem)
    case 'reservation-twice':
      return isSpare(world, object) ? kubectlFix(object, 'delete') : undefined
    default:
      return undefined
  }
}

/** Writes down how the bad value is read, so that only the problem changes. */
function annotationFix(world: ReadonlyWorld, { object, field }: Problem): string | undefined {
  const [, key = ''] = /^metadata\.annotations\[(.+)\]$/.exec(field ?? '') ?? []
  const serves = world.pools.get(object.split('/').at(-1) ?? '')?.serves ?? []
  const readAs: Readonly<Record<string, string>> = {
    'berth.dev/when-full': 'wait',
    'berth.dev/split': 'available',
    'berth.dev/serves': serves.join(','),
  }
  const value = readAs[key]
  if (value === undefined) return undefined
  const args = value === '' ? [`${key}-`] : ['--overwrite', `${key}=${value}`]
  return kubectlFix(object, 'annotate', ...args)
}

/** Whether it is neither held nor, while none is held, the first in line (R3.6). */
function isSpare(world: ReadonlyWorld, object: string): boolean {
  const view = world.all('Address').get(object.split('/').at(-1) ?? '')
  if (view?.reservedFor === undefined) return false
  const family = familyOf(view.address)
  const rivals = world
    .reservationsFor(view.reservedFor)
    .filter(({ address }) => familyOf(address) === family)
  const held = world.holdingOf(view.reservedFor)?.ips ?? []
  const kept = rivals.find(({ address }) => held.includes(address)) ?? rivals[0]
  return kept !== undefined && kept.address !== view.address
}
