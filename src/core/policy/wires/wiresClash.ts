// How is a clash of two objects told? Once for each pair and code, on both, with all they share.
import type { Problem, ProblemCode, Severity } from '../../model/problem.ts'
import type { RangeUse } from './wiresRangeUse.ts'
import type { Overlap } from './wiresSweep.ts'

export type Clash = {
  readonly code: ProblemCode
  readonly both: Overlap
  /** What the two have in common, for people; asked with the two in order of name. */
  readonly common: (one: RangeUse, other: RangeUse) => string
}

type Pair = {
  readonly code: ProblemCode
  readonly one: RangeUse
  readonly other: RangeUse
  readonly parts: Set<string>
}

const shownParts = 5

/** Where everybody can clash with everybody, one partner each is told: a hundred namespaces with
 *  one range are two hundred problems then, not ten thousand. */
const oneEach: ReadonlySet<ProblemCode> = new Set([
  'overlap-attachments',
  'overlap-nodes',
  'one-subnet-two-vlans',
])

/** The pairs of one code by object, then by partner; each stands under both. */
type Book = Map<string, Map<string, Pair>>

/** The order of the clashes matters only where `oneEach` picks a partner, and in the message. */
export function clashProblems(clashes: Iterable<Clash>): Problem[] {
  const books = new Map<ProblemCode, Book>()
  const pairs: Pair[] = []
  for (const { code, both, common } of clashes) {
    const [one, other] = inOrder(both)
    const book: Book = books.get(code) ?? new Map()
    books.set(code, book)
    const known = book.get(one.object)?.get(other.object)
    const areTold = book.has(one.object) && book.has(other.object)
    if (known === undefined && areTold && oneEach.has(code)) continue
    const pair = known ?? { code, one, other, parts: new Set() }
    pair.parts.add(common(one, other))
    if (known === undefined) pairs.push(entered(book, pair))
  }
  return pairs.flatMap(problemsOf)
}

function entered(book: Book, pair: Pair): Pair {
  const names = [pair.one.object, pair.other.object]
  for (const [object = '', partner = ''] of [names, names.toReversed()]) {
    const partners: Map<string, Pair> = book.get(object) ?? new Map()
    book.set(object, partners.set(partner, pair))
  }
  return pair
}

const inOrder = ([one, other]: Overlap): Overlap =>
  other.object < one.object ? [other, one] : [one, other]

function problemsOf(pair: Pair): Problem[] {
  const { code, one, other } = pair
  const isOne = one.object === other.object
  const who = isOne ? `two parts of ${one.object}` : `${one.object} and ${other.object}`
  const message = `${who} ${verbs[code] ?? 'both have'} ${partsText(pair)}`
  const severity = severityOf(pair)
  return (isOne ? [one] : [one, other]).map(({ object, field }) =>
    field === '' ? { code, severity, object, message } : { code, severity, object, field, message },
  )
}

const verbs: Partial<Record<ProblemCode, string>> = {
  'one-vlan-two-subnets': 'put two subnets on one VLAN:',
  'one-subnet-two-vlans': 'put one subnet on two VLANs:',
}

function partsText({ parts }: Pair): string {
  const shown = [...parts].slice(0, shownParts).join(', ')
  return parts.size > shownParts ? `${shown} and ${parts.size - shownParts} more` : shown
}

function severityOf({ code, one, other }: Pair): Severity {
  if (code === 'one-vlan-two-subnets') return 'warning'
  if (code !== 'one-subnet-two-vlans' || one.object === other.object) return 'error'
  // Two tenants may have the same addresses on two VLANs (R4.22): then it can be meant.
  return [one, other].every(({ object }) => object.startsWith('Tenant/')) ? 'warning' : 'error'
}
