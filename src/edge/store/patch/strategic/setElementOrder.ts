// What does `$setElementOrder` do? It sets the order of the items that it names in a merged list.
import { isRecord } from '../../../kube/decode/fields.ts'
import { goText, goType } from '../../values/goText.ts'
import { type FirstRefusal, unexplained } from '../refusals.ts'
import { interleave, keyOf } from './interleave.ts'
import { withoutKey } from './mergeLists.ts'

type Ordering = {
  readonly order: readonly unknown[]
  readonly before: readonly unknown[]
  readonly change: readonly unknown[]
  readonly merged: readonly unknown[]
  readonly mergeKey: string
}

export function setElementOrder(walk: FirstRefusal, ordering: Ordering): readonly unknown[] {
  const { order, before, change, merged, mergeKey } = ordering
  walk.spend(order.length + merged.length)
  if (walk.first !== undefined) return merged
  if (before.length === 0 && change.length === 0) {
    walk.add(unexplained('no elements in any of the given slices'))
  }
  checkOrder(walk, ordering)
  if (mergeKey !== '') checkKeys(walk, mergeKey, { merged, order })
  return interleave({ list: merged, first: order, before, mergeKey })
}

/** Every item of the patch is in the order list, and in the same order. */
function checkOrder(walk: FirstRefusal, { order, change, mergeKey }: Ordering): void {
  if (order.length === 0) return
  const named = change.filter((item) => directiveIn(item) !== 'delete')
  if (mergeKey !== '') checkAreObjects(walk, named)
  let next = 0
  for (const item of order) {
    while (directiveIn(named[next]) !== undefined) next += 1
    if (next === named.length) break
    if (mergeKey !== '') {
      checkKeys(walk, mergeKey, { merged: [named[next]], order: [item] })
      // One item can be compared with all of the order, and each refusal quotes it.
      if (walk.first !== undefined) return
    }
    if (keyOf(item, mergeKey) === keyOf(named[next], mergeKey)) next += 1
  }
  if (next === named.length) return
  const patch = `The order in patch list:\n${goText(change)}\n`
  walk.add(unexplained(`${patch} doesn't match $setElementOrder list:\n${goText(order)}\n`))
}

const directiveIn = (item: unknown): unknown => (isRecord(item) ? item['$patch'] : undefined)

function checkAreObjects(walk: FirstRefusal, items: readonly unknown[]): void {
  const stray = items.find((item) => !isRecord(item))
  if (stray === undefined) return
  walk.add(unexplained(`expected a map[string]interface {}, but received a ${goType(stray)}`))
}

function checkKeys(
  walk: FirstRefusal,
  mergeKey: string,
  { merged, order }: Pick<Ordering, 'merged' | 'order'>,
): void {
  for (const item of merged) {
    if (isRecord(item) && !Object.hasOwn(item, mergeKey)) walk.add(withoutKey(item, mergeKey))
  }
  for (const [at, item] of order.entries()) {
    if (!isRecord(item)) walk.add(unexplained(`value for key ${at} is not a map`))
    else if (!Object.hasOwn(item, mergeKey)) walk.add(withoutKey(item, mergeKey))
  }
}
