// Which command mends a finding? Only where one command is right, whatever was meant.
import type { Problem } from '../../../core/model/problem.ts'
import type { ReadonlyWorld } from '../../../core/model/world.ts'
import { familyOf } from '../../../core/net/ip.ts'
import type { LintFinding } from '../../../core/policy/lint/lintFinding.ts'
import { recordAt } from '../../../core/sim/json.ts'
import type { Manifest } from '../../../edge/manifests/manifest.ts'

/** The command for an object that is named Kind/namespace/name or Kind/name. */
function kubectl(object: string, verb: string, ...args: readonly string[]): string {
  const [kind = '', ...names] = object.split('/')
  const [name = '', namespace] = names.toReversed()
  const place = namespace === undefined ? [] : ['-n', namespace]
  return ['kubectl', ...place, verb, kind.toLowerCase(), name, ...args.map(quoted)].join(' ')
}

const quoted = (text: string): string =>
  /^[\w./:=,@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`

export function deprecationFix(
  { object, field }: Pick<LintFinding, 'object' | 'field'>,
  { json }: Pick<Manifest, 'json'>,
): string | undefined {
  if (field === 'spec.disableMP') {
    return kubectl(
      object,
      'patch',
      '--type=json',
      '-p',
      '[{"op":"remove","path":"/spec/disableMP"}]',
    )
  }
  const [, key = ''] = /^metadata\.annotations\[(.+)\]$/.exec(field) ?? []
  const annotations = recordAt(json['metadata'], 'annotations')
  const value = annotations[key]
  if (typeof value !== 'string' || /\p{Cc}/u.test(value)) return undefined
  const name = key.slice(key.indexOf('/') + 1)
  const renamed = `metallb.io/${name}`
  // What stands under the new prefix wins, and the controller writes its own note itself.
  const isNeedless = renamed in annotations || name === 'ip-allocated-from-pool'
  return kubectl(object, 'annotate', ...(isNeedless ? [] : [`${renamed}=${value}`]), `${key}-`)
}

export function problemFix(world: ReadonlyWorld, problem: Problem): string | undefined {
  const { code, object } = problem
  switch (code) {
    case 'unknown-tenant':
      return kubectl(object, 'label', 'berth.dev/tenant-')
    case 'split-needs-three':
      return kubectl(object, 'annotate', 'berth.dev/split-')
    case 'bad-annotation':
      return annotationFix(world, problem)
    case 'reservation-twice':
      return isSpare(world, object) ? kubectl(object, 'delete') : undefined
    default:
      return undefined
  }
}

/** What the bad value is read as is written down: nothing changes but the problem. */
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
  return kubectl(object, 'annotate', ...args)
}

/** Not the address that the Service holds or, while it holds neither, would get first (R3.6). */
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
