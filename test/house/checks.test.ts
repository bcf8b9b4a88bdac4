// Does the table of kinds say all about a kind? Each that it says is judged has a check, each that
// the World holds has a row whose decoder makes its view. The compiler compares; so do tests.
import { expect, test } from 'vitest'
import type { Kind, ViewOf } from '../../src/core/model/view.ts'
import { checks } from '../../src/core/policy/check/checks.ts'
import { deciders } from '../../src/core/policy/deciders.ts'
import { type KnownRow, kinds } from '../../src/edge/kube/kinds.ts'

/** Rows that say so. */
type Saying<S> = Extract<KnownRow, S>['kind']
type Deletions = { readonly operations: readonly ['CREATE', 'UPDATE', 'DELETE'] }
type ReviewedKind = Saying<{ readonly webhook: unknown }>
type KindReviewedOnDelete = Saying<{ readonly webhook: Deletions }>
type ValidatedKind =
  | Saying<{ readonly controller: 'validated' }>
  | Saying<{ readonly speaker: 'validated' }>
/** What the decoder of each kind makes of an object. */
type DecodedViews = {
  readonly [R in Extract<KnownRow, { readonly decode: unknown }> as R['kind']]: ReturnType<
    R['decode']
  >
}

type Checked = keyof typeof checks
type CheckedOnDelete = {
  [K in Checked]: (typeof checks)[K] extends { readonly deletion: unknown } ? K : never
}[Checked]
/** Kinds that no toy of another test adds. */
type Held = Exclude<Kind, 'Toy'>
type Decoded = { readonly [K in keyof DecodedViews]-?: Exclude<DecodedViews[K], undefined> }

/** Each of the first is among the second; a program where one is not does not compile. */
const isAmong = <One extends Other, Other>(..._: readonly [One?, Other?]): true => true

test('the compiler refuses a judged kind without a check, and a view without its decoder', () => {
  const compared = [
    isAmong<ReviewedKind, Checked>(),
    isAmong<Checked, ReviewedKind>(),
    isAmong<KindReviewedOnDelete, CheckedOnDelete>(),
    isAmong<CheckedOnDelete, KindReviewedOnDelete>(),
    isAmong<ValidatedKind, ReviewedKind>(),
    isAmong<Decoded, { readonly [K in Held]: ViewOf<K> }>(),
    isAmong<keyof Decoded, Held>(),
  ]
  // @ts-expect-error Namespaces are not judged.
  isAmong<'Namespace', ReviewedKind>()
  // @ts-expect-error A deletion of an IPSet is not judged.
  isAmong<'IPSet', KindReviewedOnDelete>()
  expect(compared).not.toContain(false)
})

test('a kind is judged where it has a check, and its deletion where it has one for that', () => {
  const judged = kinds.filter(({ webhook }) => webhook !== undefined)
  const onDelete = judged.filter(({ webhook }) => webhook?.operations.includes('DELETE'))
  const checked = Object.entries(checks)
  const checkedOnDelete = checked.filter(([, check]) => 'deletion' in check)
  expect(checked.map(([kind]) => kind).toSorted()).toEqual(judged.map(nameOf).toSorted())
  expect(checkedOnDelete.map(([kind]) => kind).toSorted()).toEqual(onDelete.map(nameOf).toSorted())
})

test('an object counts once the check accepts it only where there is a check', () => {
  const validated = kinds.filter((row) =>
    [row.controller, row.speaker, row.openstack].includes('validated'),
  )
  expect(validated.length).toBeGreaterThan(5)
  for (const row of validated) expect(Object.keys(checks)).toContain(row.kind)
})

test('a decider has a name of its own, and its keys and what it reads are kinds of the table', () => {
  const names = deciders.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const decoded = kinds.filter(({ decode }) => decode !== undefined).map(nameOf)
  for (const { reads } of deciders) expect(decoded).toEqual(expect.arrayContaining([...reads]))
  for (const { kind } of deciders) expect(kinds.map(nameOf)).toContain(kind)
})

const nameOf = ({ kind }: { readonly kind: string }): string => kind
