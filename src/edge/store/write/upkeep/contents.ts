// How are a namespace and a definition deleted? First their contents in small steps, then
// themselves.

import { resourceOf, type StoredKind } from '../../kinds/storedKind.ts'
import type { Transaction } from '../../storage/objects.ts'
import { keyOf } from '../../storage/shelf.ts'
import type { Stored } from '../../storage/stored.ts'
import { metaOf, recordOf, textsOf } from '../../values/jsonRead.ts'
import { definitions } from '../definition/accept.ts'
import { withSpec } from '../jsonChange.ts'
import { endHold, keepingOf, keepOrRemove } from '../keeping.ts'
import { cleanup, letGo } from '../remove.ts'
import { decoded, isGoing } from '../stored.ts'
import type { Doing, Keeping, Work } from '../work.ts'
import { endOfHandful, mostAtOnce, type Step, type Task } from './step.ts'

export function emptyNamespace(work: Work, tx: Transaction, name: string): Step {
  if (goingNamespace({ work, tx }, name) === undefined) return 'done'
  const last: Task = (now) => endNamespace(work, now, name)
  return clear({ work, resources: namespaced(work), namespace: name, last }, tx)
}

/** A terminating namespace takes no new objects, so once empty it stays empty. */
export function endNamespace(work: Work, tx: Transaction, name: string): Step {
  const keeping = goingNamespace({ work, tx }, name)
  if (keeping === undefined) return 'done'
  const isEmpty = ({ length }: readonly Stored[]): boolean => length === 0
  const areEmpty = namespaced(work).every((resource) =>
    isEmpty(tx.list({ resource, namespace: name, limit: 1 }).items),
  )
  const finalizers = textsOf(recordOf(keeping.object['spec'])['finalizers'])
  if (!areEmpty || !finalizers.includes(ofNamespaces)) return 'done'
  const left = finalizers.filter((one) => one !== ofNamespaces)
  const change = { finalizers: left.length === 0 ? undefined : left }
  keepOrRemove({ ...keeping, object: withSpec(keeping.object, change) })
  return 'done'
}

const ofNamespaces = 'kubernetes'
const namespaced = ({ kinds }: Work): readonly string[] =>
  kinds
    .all()
    .filter(({ isNamespaced }) => isNamespaced)
    .map(resourceOf)

function goingNamespace(doing: Doing, name: string): Keeping | undefined {
  const stored = doing.tx.get('namespaces', '', name)
  const kind = doing.work.kinds.get('namespaces')
  if (stored === undefined || kind === undefined || !isGoing(stored)) return undefined
  return keepingOf(doing, kind, decoded(stored))
}

export function withdrawDefinition(work: Work, tx: Transaction, name: string): Step {
  if (goingDefinition({ work, tx }, name) === undefined) return 'done'
  const resources = definedBy(work, name) === undefined ? [] : [name]
  const last: Task = (now) => endDefinition(work, now, name)
  return clear({ work, resources, namespace: undefined, last }, tx)
}

export function endDefinition(work: Work, tx: Transaction, name: string): Step {
  const keeping = goingDefinition({ work, tx }, name)
  if (keeping === undefined) return 'done'
  const isLeft = definedBy(work, name) && tx.list({ resource: name, limit: 1 }).items.length > 0
  if (!isLeft) endHold(keeping, cleanup)
  return 'done'
}

/** Not a built-in kind, whatever name the definition has. */
function definedBy({ kinds }: Work, name: string): StoredKind | undefined {
  const kind = kinds.get(name)
  return kind?.isBuiltIn === false ? kind : undefined
}

function goingDefinition(doing: Doing, name: string): Keeping | undefined {
  const stored = doing.tx.get(definitions, '', name)
  const kind = doing.work.kinds.get(definitions)
  if (stored === undefined || kind === undefined || !isGoing(stored)) return undefined
  const keeping = keepingOf(doing, kind, decoded(stored))
  return textsOf(metaOf(keeping.object)['finalizers']).includes(cleanup) ? keeping : undefined
}

type Clearing = {
  readonly work: Work
  readonly resources: readonly string[]
  /** Undefined for all. */
  readonly namespace: string | undefined
  /** The first of `resources` is listed after this position. */
  readonly after?: string | undefined
  readonly last: Task
}

/** An object with finalizers is only marked, and deleted when they are removed. */
function clear(clearing: Clearing, tx: Transaction): Step {
  const { work, namespace, last } = clearing
  let { resources, after } = clearing
  for (let [resource] = resources; resource !== undefined; [resource] = resources) {
    const { items } = tx.list({ resource, namespace, after, limit: mostAtOnce })
    const some = items.slice(0, endOfHandful(tx, items, 0))
    for (const stored of some) bid({ work, tx }, stored)
    const final = some.at(-1)
    if (final !== undefined) {
      return (now) => clear({ ...clearing, resources, after: keyOf(final) }, now)
    }
    after = undefined
    resources = resources.slice(1)
  }
  return last(tx)
}

function bid(doing: Doing, stored: Stored): void {
  const kind = doing.work.kinds.get(stored.resource)
  if (kind === undefined || isGoing(stored)) return
  letGo(keepingOf(doing, kind, decoded(stored)), { propagationPolicy: 'Background' })
}
