// Which fields of a strategic patch are directives, and what is a patch without them?
import { isRecord } from '../../../kube/decode/fields.ts'
import { mapFields } from '../../../kube/schema/schemaNodes.ts'
import { badRequest } from '../../values/status.ts'
import type { FirstRefusal } from '../refusals.ts'

/** `$setElementOrder/ports` is about `ports`. */
export const orderIn = (walk: FirstRefusal, key: string): string | undefined =>
  listNamedIn(walk, key, {
    word: '$setElementOrder',
    refusal: 'invalid patch format of setElementOrder list',
  })

/** `$deleteFromPrimitiveList/finalizers` is about `finalizers`. */
export const removedIn = (walk: FirstRefusal, key: string): string | undefined =>
  listNamedIn(walk, key, {
    word: '$deleteFromPrimitiveList',
    refusal: 'invalid patch format of primitive list',
  })

type Instruction = { readonly word: string; readonly refusal: string }

function listNamedIn(
  walk: FirstRefusal,
  key: string,
  { word, refusal }: Instruction,
): string | undefined {
  if (!key.startsWith(word)) return undefined
  if (key.startsWith(`${word}/`)) return key.slice(word.length + 1)
  walk.add(badRequest(refusal))
  return undefined
}

/** A patch value with nothing to merge with; undefined if it is only a directive. */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined)
  }
  if (!isRecord(value)) return value
  if (Object.hasOwn(value, '$patch')) return undefined
  return mapFields(value, (_, field) => withoutDirectives(field))
}
