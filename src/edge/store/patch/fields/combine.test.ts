import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { difference, intersection, union, unionOf, withoutTrees } from './combine.ts'
import { type FieldSet, fieldAt, isEmpty, nothing } from './fieldSet.ts'

/** As a plain set of paths: what every operation must agree with. */
function pathsIn({ isOwned, under }: FieldSet, path = ''): string[] {
  const inside = [...under].flatMap(([name, node]) => pathsIn(node, `${path}/${name}`))
  return isOwned ? [path, ...inside] : inside
}
const sorted = (fields: FieldSet) => pathsIn(fields).sort()

const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
const fields = fc
  .array(path, { maxLength: 8 })
  .map((paths) => paths.map((names) => fieldAt(...names)).reduce(union, nothing))

const holdsNothingEmpty = ({ under }: FieldSet): boolean =>
  [...under.values()].every((node) => !isEmpty(node) && holdsNothingEmpty(node))

describe('for any two sets', () => {
  const each = (
    combine: (one: FieldSet, other: FieldSet) => FieldSet,
    expected: (one: string[], other: string[]) => string[],
  ) =>
    fc.assert(
      fc.property(fields, fields, (one, other) => {
        const result = combine(one, other)
        expect(sorted(result)).toEqual(expected(pathsIn(one), pathsIn(other)).sort())
        expect(holdsNothingEmpty(result)).toBe(true)
      }),
    )

  test('union has the paths of both', () => {
    each(union, (one, other) => [...new Set([...one, ...other])])
  })

  test('unionOf has the same', () => {
    each(
      (one, other) => unionOf([one, other, one]),
      (one, other) => [...new Set([...one, ...other])],
    )
  })

  test('intersection has the paths that both have', () => {
    each(intersection, (one, other) => one.filter((each) => other.includes(each)))
  })

  test('difference has the paths that the other does not have', () => {
    each(difference, (one, other) => one.filter((each) => !other.includes(each)))
  })

  test('withoutTrees also loses what is under a path of the other', () => {
    each(withoutTrees, (one, other) =>
      one.filter((each) => !other.some((cut) => each === cut || each.startsWith(`${cut}/`))),
    )
  })
})

test('of 100,000 sets, unionOf copies none again for each of the others', () => {
  const sets = Array.from({ length: 100_000 }, (_, at) => fieldAt('data', `${at}`))
  expect(sorted(unionOf(sets))).toHaveLength(100_000)
})
