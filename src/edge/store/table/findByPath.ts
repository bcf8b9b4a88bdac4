// What does a JSONPath find in an object? As k8s.io/client-go/util/jsonpath, missing keys allowed.
import { isRecord } from '../../kube/decode/fields.ts'
import type { Path, Slice, Step } from './jsonPath.ts'

type PathValues = readonly unknown[]

/** In order; undefined if a step does not fit the value, and then nothing is found at all. */
export function findByPath(path: Path, from: PathValues): PathValues | undefined {
  let found: PathValues | undefined = from
  for (const step of path) {
    if (found === undefined) return undefined
    found = follow(step, found)
  }
  return found
}

function follow(step: Step, found: PathValues): PathValues | undefined {
  switch (step.kind) {
    case 'field':
      return found.flatMap((value) =>
        isRecord(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [],
      )
    case 'wildcard':
      return found.flatMap(insideOf)
    case 'descend':
      return found.flatMap(withAllInside)
    case 'slice':
      return sliced(step.slice, found)
    case 'filter':
      return filtered(step, found)
    case 'union':
      return union(step.paths, found)
    case 'keyword':
      // `range` and `end` are for templates; others have no meaning.
      return undefined
    case 'literal':
      return typeof step.value === 'string' ? [step.value] : found.map(() => step.value)
  }
}

function insideOf(value: unknown): PathValues {
  if (Array.isArray(value)) return value
  return isRecord(value) ? Object.values(value) : []
}

/** Containers, each before its contents. */
function withAllInside(value: unknown): PathValues {
  if (typeof value === 'string') return value === '' ? [] : [value]
  const inside = insideOf(value)
  return inside.length === 0 ? [] : [value, ...inside.flatMap(withAllInside)]
}

function union(paths: readonly Path[], found: PathValues): PathValues | undefined {
  const each = paths.map((path) => findByPath(path, found))
  return each.every((one) => one !== undefined) ? each.flat() : undefined
}

function sliced(slice: Slice, found: PathValues): PathValues | undefined {
  const all: unknown[] = []
  for (const value of found) {
    if (value === null) continue
    if (!Array.isArray(value)) return undefined
    const part = partOf(value, slice)
    if (part === undefined) return undefined
    // As in Kubernetes, an empty part ends the search.
    if (part.length === 0) return all
    for (const item of part) all.push(item)
  }
  return all
}

/** Undefined if out of bounds, which this dialect does not clip. */
function partOf(list: PathValues, { from = 0, to = list.length, step = 1, isOne }: Slice) {
  const { length } = list
  const first = from < 0 ? from + length : from
  const end = to < 0 || (to === 0 && isOne) ? to + length : to
  if (first === end) return []
  const isInside = first >= 0 && first < length && end >= first && end <= length
  if (!isInside || step <= 0) return undefined
  return list.slice(first, end).filter((_, index) => index % step === 0)
}

type Filter = Extract<Step, { kind: 'filter' }>

function filtered(filter: Filter, found: PathValues): PathValues | undefined {
  const kept: unknown[] = []
  for (const list of found) {
    if (!Array.isArray(list)) return undefined
    for (const item of list) {
      const isKept = passes(filter, item)
      if (isKept === undefined) return undefined
      if (isKept) kept.push(item)
    }
  }
  return kept
}

/** Undefined if the values cannot be compared. */
function passes({ left, operator, right }: Filter, item: unknown): boolean | undefined {
  const lefts = findByPath(left, [item])
  if (operator === 'exists') return lefts !== undefined && lefts.length > 0
  const rights = findByPath(right, [item])
  if (lefts?.length === 0 || (lefts?.length === 1 && rights?.length === 0)) return false
  if (lefts?.length !== 1 || rights?.length !== 1) return undefined
  return compare(lefts[0], operator, rights[0])
}

function compare(left: unknown, operator: string, right: unknown): boolean | undefined {
  const kind = kindOf(left)
  if (kind === undefined || kind !== kindOf(right)) return undefined
  if (operator === '==') return left === right
  if (operator === '!=') return left !== right
  const isLess = less(left, right)
  if (operator === '<') return isLess
  if (operator === '>=') return isLess === undefined ? undefined : !isLess
  const isMore = less(right, left)
  if (operator === '>') return isMore
  return operator !== '<=' || isMore === undefined ? undefined : !isMore
}

function less(left: unknown, right: unknown): boolean | undefined {
  if (typeof left === 'string' && typeof right === 'string') return left < right
  return typeof left === 'number' && typeof right === 'number' ? left < right : undefined
}

/** As Go, which does not compare an int with a float. */
function kindOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return typeof value === 'string' || typeof value === 'boolean' ? typeof value : undefined
}
