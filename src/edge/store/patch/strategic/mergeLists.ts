// How do two lists merge in a strategic patch? Objects by their merge key, scalars as sets.
import type { JsonObject } from '../../../../core/model/gate.ts'
import { isRecord } from '../../../kube/decode/fields.ts'
import type { Schema } from '../../../kube/schema/schema.ts'
import { perNode } from '../../../kube/schema/schemaNodes.ts'
import { goText, goType } from '../../values/goText.ts'
import type { Refused } from '../../values/status.ts'
import { type FirstRefusal, rejected, unexplained } from '../refusals.ts'
import { interleave, keyOf } from './interleave.ts'

type ListRule = {
  readonly items: Schema | undefined
  /** '' for lists of scalars. */
  readonly mergeKey: string
  readonly isMerged: boolean
  /** Also for objects: the patch replaces the list. */
  readonly isReplaced: boolean
}
type Lists = { readonly before: readonly unknown[]; readonly change: readonly unknown[] }
type Merge = Lists & {
  readonly rule: ListRule
  readonly mergeItem: (target: JsonObject, patch: JsonObject) => JsonObject
}

const ruleOfNode = perNode<ListRule>((schema) => {
  const strategies = schema['x-kubernetes-patch-strategy']?.split(',') ?? []
  return {
    items: schema.items,
    mergeKey: schema['x-kubernetes-patch-merge-key'] ?? '',
    isMerged: strategies.includes('merge'),
    isReplaced: strategies.includes('replace'),
  }
})
const unknownRule: ListRule = {
  items: undefined,
  mergeKey: '',
  isMerged: false,
  isReplaced: false,
}

export const ruleOf = (schema: Schema | undefined): ListRule =>
  schema === undefined ? unknownRule : ruleOfNode(schema)

export function mergeLists(walk: FirstRefusal, merge: Merge): readonly unknown[] {
  const { before, change, rule } = merge
  if (before.length === 0 && change.length === 0) return before
  if (!areAlike(walk, before, change)) return before
  if (!isRecord(before[0] ?? change[0])) {
    const list = [...new Set([...before, ...change])]
    return interleave({ list, first: change, before, mergeKey: '' })
  }
  return rule.mergeKey === '' ? keyless(walk, before) : mergedObjects(walk, merge)
}

export function withoutItems(walk: FirstRefusal, { before, change }: Lists): readonly unknown[] {
  if (!areAlike(walk, before, change)) return before
  if (isRecord(before[0])) return keyless(walk, before)
  const removed = new Set(change)
  return before.filter((item) => !removed.has(item))
}

function keyless(walk: FirstRefusal, before: readonly unknown[]): readonly unknown[] {
  walk.add(unexplained('cannot merge lists without merge key for struct'))
  return before
}

/** All items of both lists have one type, and none is a list. */
function areAlike(walk: FirstRefusal, ...lists: readonly (readonly unknown[])[]): boolean {
  const items = lists.flat()
  walk.spend(items.length)
  const types = new Set(items.map(goType))
  if (types.size > 1 || types.has('<nil>')) {
    walk.add(unexplained(`list element types are not identical: ${goText(lists)}`))
  } else if (types.has('[]interface {}')) {
    walk.add(rejected)
  }
  return walk.first === undefined
}

function mergedObjects(walk: FirstRefusal, merge: Merge): readonly unknown[] {
  const { mergeKey } = merge.rule
  const { before, change } = obeyed(walk, merge)
  const list = [...before]
  const places = new Map<unknown, number>()
  for (const [at, item] of list.entries()) {
    if (!places.has(keyOf(item, mergeKey))) places.set(keyOf(item, mergeKey), at)
  }
  for (const item of change.filter(isRecord)) {
    const at = places.get(keyOf(item, mergeKey))
    const target = at === undefined ? undefined : list[at]
    if (!Object.hasOwn(item, mergeKey)) walk.add(withoutKey(item, mergeKey))
    if (at !== undefined && isRecord(target)) list[at] = merge.mergeItem(target, item)
    else places.set(keyOf(item, mergeKey), list.push(item) - 1)
  }
  return interleave({ list, first: change, before, mergeKey })
}

/** Executes items with `$patch` directives, and returns the others. */
function obeyed(walk: FirstRefusal, { before, change, rule }: Merge): Lists {
  const { mergeKey } = rule
  const gone = new Set<unknown>()
  let isReplaced = false
  const plain: unknown[] = []
  for (const item of change.filter(isRecord)) {
    if (!Object.hasOwn(item, '$patch')) plain.push(item)
    else if (item['$patch'] === 'replace') isReplaced = true
    else if (item['$patch'] !== 'delete') walk.add(badDirective(item))
    else if (Object.hasOwn(item, mergeKey)) gone.add(item[mergeKey])
    else walk.add(withoutKey(item, mergeKey))
  }
  if (isReplaced) return { before: plain, change: [] }
  return { before: before.filter((item) => !gone.has(keyOf(item, mergeKey))), change: plain }
}

const badDirective = (item: JsonObject): Refused =>
  unexplained(
    item['$patch'] === 'merge'
      ? 'merging lists cannot yet be specified in the patch'
      : `unknown patch type: ${goText(item['$patch'])} in map: ${goText(item)}`,
  )

export const withoutKey = (item: JsonObject, mergeKey: string): Refused =>
  unexplained(`map: ${goText(item)} does not contain declared merge key: ${mergeKey}`)
