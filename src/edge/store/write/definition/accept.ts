// Are the names of a definition accepted, and is its kind established? A name that another
// definition of the group uses is taken until that one is deleted. Built-in kinds stay for ever.
import type { JsonObject } from '../../../../core/model/gate.ts'
import { builtInKinds } from '../../kinds/builtIn.ts'
import type { Transaction } from '../../storage/objects.ts'
import { metaOf, recordOf, recordsOf, textOf, textsOf } from '../../values/jsonRead.ts'
import { changed } from '../jsonChange.ts'
import { decoded } from '../stored.ts'

export const definitions = 'customresourcedefinitions.apiextensions.k8s.io'

export function withAcceptance(tx: Transaction, object: JsonObject, now: string): JsonObject {
  const spec = recordOf(object['spec'])
  const status = recordOf(object['status'])
  const names = recordOf(spec['names'])
  const taken = namesTaken(tx, textOf(spec['group']), textOf(metaOf(object)['name']))
  const clash = clashOf(names, taken)
  const accepted =
    clash === undefined
      ? { status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { status: 'False', ...clash }
  const established =
    clash === undefined
      ? {
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        }
      : { status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
  const conditions = recordsOf(status['conditions'])
  const isServed = conditions.some(
    (one) => one['type'] === 'Established' && one['status'] === 'True',
  )
  return changed(object, {
    status: {
      ...status,
      conditions: [
        withTime(conditions, { type: 'NamesAccepted', ...accepted }, now),
        // Once established, it stays so.
        ...(isServed
          ? conditions.filter(({ type }) => type === 'Established')
          : [withTime(conditions, { type: 'Established', ...established }, now)]),
        ...conditions.filter(({ type }) => type !== 'NamesAccepted' && type !== 'Established'),
      ],
      acceptedNames:
        clash === undefined ? names : (status['acceptedNames'] ?? { kind: '', plural: '' }),
    },
  })
}

type Condition = {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

/** The time changes only with the status. */
function withTime(before: readonly JsonObject[], condition: Condition, now: string): JsonObject {
  const old = before.find(({ type }) => type === condition.type)
  const isSame = old?.['status'] === condition.status
  return { ...condition, lastTransitionTime: isSame ? old['lastTransitionTime'] : now }
}

type Taken = { readonly resources: ReadonlySet<string>; readonly kinds: ReadonlySet<string> }

function namesTaken(tx: Transaction, group: string, own: string): Taken {
  const [resources, kinds] = [new Set<string>(), new Set<string>()]
  const take = (names: JsonObject): void => {
    for (const name of [names['plural'], names['singular']]) resources.add(textOf(name))
    for (const name of textsOf(names['shortNames'])) resources.add(name)
    for (const name of [names['kind'], names['listKind']]) kinds.add(textOf(name))
  }
  for (const kind of builtInKinds) if (kind.group === group) take(kind)
  const isOther = ({ name }: { name: string }) => name !== own && name.endsWith(`.${group}`)
  for (const stored of tx.list({ resource: definitions, matches: isOther }).items) {
    const object = decoded(stored)
    if (recordOf(object['spec'])['group'] !== group) continue
    take(recordOf(recordOf(object['status'])['acceptedNames']))
  }
  return { resources, kinds }
}

/** The last conflict found is reported, as in Kubernetes. */
function clashOf(names: JsonObject, { resources, kinds }: Taken) {
  const found: { readonly reason: string; readonly message: string }[] = []
  const look = (name: string, taken: ReadonlySet<string>, reason: string): void => {
    if (taken.has(name)) found.push({ reason, message: `"${name}" is already in use` })
  }
  look(textOf(names['plural']), resources, 'PluralConflict')
  look(textOf(names['singular']), resources, 'SingularConflict')
  for (const name of textsOf(names['shortNames'])) look(name, resources, 'ShortNamesConflict')
  look(textOf(names['kind']), kinds, 'KindConflict')
  look(textOf(names['listKind']), kinds, 'ListKindConflict')
  return found.at(-1)
}
