// What becomes of the objects that Berth makes from Tenants and the Site in a plan? Which come,
// change and go, field by field, and which are wanted and cannot be made.
import { isRecord, type Json, recordAt, textAt } from '../model/json.ts'
import { ownerOf } from '../model/made.ts'
import { refText } from '../model/ref.ts'
import { siteMaker } from '../model/sitePools.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import { siteStandings } from '../policy/decideSite.ts'
import { tenantStandings } from '../policy/decideTenant.ts'
import { madeKinds } from '../policy/made/madeKinds.ts'
import type { Standing } from '../policy/made/standing.ts'

/** As text, by path. */
type Fields = ReadonlyMap<string, string>
/** `maker` is empty for what others made: it may be taken over. */
type MadeObject = { readonly maker: string; readonly fields: Fields }
type Unmade = {
  /** As Kind/name. */
  readonly maker: string
  readonly state: Standing['state']
  readonly message: string
  readonly objects: readonly string[]
}
export type MadeObjects = {
  /** By Kind/namespace/name. */
  readonly made: ReadonlyMap<string, MadeObject>
  readonly unmade: readonly Unmade[]
}
export type MadeChange = {
  readonly object: string
  readonly maker: string
  readonly action: 'create' | 'change' | 'delete'
  /** Of one that changes; empty where the field is not there. */
  readonly fields: readonly FieldChange[]
}
type FieldChange = { readonly path: string; readonly before: string; readonly after: string }
/** `isNew`: whether it was made before, or was not wanted, or lacked something else. */
export type UnmadeChange = Unmade & { readonly isNew: boolean }

export function madeObjectsIn(world: ReadonlyWorld, objects: readonly Json[]): MadeObjects {
  const made = objects.flatMap((json): [string, MadeObject][] => {
    const owner = ownerOf(json) ?? ''
    const maker = isMaker(owner) ? owner : ''
    const canBeTaken = madeKinds.some((kind) => kind === json['kind'])
    if ((maker === '' && !canBeTaken) || json['kind'] === nodePolicy) return []
    return [[textOf(json), { maker, fields: fieldsOf(json) }]]
  })
  return { made: new Map(made), unmade: unmadeIn(world) }
}

/** What its policies do to nodes is told by node and interface. */
const nodePolicy = 'NodeNetworkConfigurationPolicy'

const isMaker = (maker: string): boolean => maker.startsWith('Tenant/') || maker === siteMaker

const textOf = (json: Json): string => {
  const metadata = recordAt(json, 'metadata')
  const namespace = textAt(metadata, 'namespace')
  return refText({
    kind: textAt(json, 'kind'),
    name: textAt(metadata, 'name'),
    ...(namespace === '' ? {} : { namespace }),
  })
}

/** Problems tell what is refused. */
const told: readonly Standing['state'][] = ['NotServed', 'Waiting']

function unmadeIn(world: ReadonlyWorld): readonly Unmade[] {
  const tenants = [...world.all('Tenant').values()].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  )
  return [
    ...tenants.flatMap((one) => grouped(`Tenant/${one.name}`, tenantStandings(world, one))),
    ...[...world.all('Site').values()].flatMap((one) =>
      grouped(siteMaker, siteStandings(world, one)),
    ),
  ]
}

/** What waits for one thing is told once. */
function grouped(maker: string, standings: readonly Standing[]): readonly Unmade[] {
  const groups = new Map<string, Unmade>()
  for (const { of, state, message } of standings) {
    if (!told.includes(state)) continue
    const key = `${state} ${of.kind} ${message}`
    const objects = [...(groups.get(key)?.objects ?? []), refText(of)]
    groups.set(key, { maker, state, message, objects })
  }
  return [...groups.values()]
}

/** What kubectl notes on an object says nothing of what was made. */
const notes = 'kubectl.kubernetes.io/last-applied-configuration'

function fieldsOf(json: Json): Fields {
  const { labels, annotations } = recordAt(json, 'metadata')
  const metadata = { labels, annotations: { ...recordAt({ annotations }, 'annotations') } }
  delete metadata.annotations[notes]
  const found = new Map<string, string>()
  note(found, 'metadata', metadata)
  note(found, 'spec', json['spec'])
  return found
}

function note(found: Map<string, string>, path: string, value: unknown): void {
  if (isRecord(value)) {
    for (const [name, one] of Object.entries(value)) note(found, `${path}.${name}`, one)
  } else if (!Array.isArray(value)) {
    if (value !== undefined && value !== null) found.set(path, String(value))
  } else if (value.every((one) => !isRecord(one) && !Array.isArray(one))) {
    if (value.length > 0) found.set(path, value.join(', '))
  } else value.forEach((one, index) => void note(found, `${path}[${index}]`, one))
}

/** In order of name. */
export function madeChanges(before: MadeObjects, after: MadeObjects): readonly MadeChange[] {
  const names = [...new Set([...before.made.keys(), ...after.made.keys()])].sort()
  return names.flatMap((object): MadeChange[] => {
    const [was, is] = [before.made.get(object), after.made.get(object)]
    const maker = is?.maker || was?.maker
    if (!maker) return []
    if (was === undefined) return [{ object, maker, action: 'create', fields: [] }]
    if (is === undefined) return [{ object, maker, action: 'delete', fields: [] }]
    const fields = fieldChanges(was, is)
    return fields.length === 0 ? [] : [{ object, maker, action: 'change', fields }]
  })
}

function fieldChanges(was: MadeObject, is: MadeObject): readonly FieldChange[] {
  const both = { before: withMaker(was), after: withMaker(is) }
  return [...new Set([...both.before.keys(), ...both.after.keys()])].sort().flatMap((path) => {
    const [before, after] = [both.before.get(path) ?? '', both.after.get(path) ?? '']
    return before === after ? [] : [{ path, before, after }]
  })
}

const owners = 'metadata.ownerReferences'

const withMaker = ({ maker, fields }: MadeObject): Fields => new Map([...fields, [owners, maker]])

/** Whether it was there before, and nobody's. */
export const isTakenOver = ({ fields }: MadeChange): boolean =>
  fields.some(({ path, before }) => path === owners && before === '')

export function unmadeChanges(before: MadeObjects, after: MadeObjects): readonly UnmadeChange[] {
  const known = new Set(before.unmade.map(identityOf))
  return after.unmade.map((one) => ({ ...one, isNew: !known.has(identityOf(one)) }))
}

const identityOf = ({ maker, state, objects }: Unmade): string =>
  `${maker} ${state} ${objects.join(' ')}`
