// How much is compared? Others write these objects, tenants among them, and whoever asks for
// problems waits for the answer: so what one object says is bounded, and so is the whole.
import type { Problem } from '../../model/problem.ts'
import type { RangeUse } from './wiresRangeUse.ts'

/** Of one object. */
export const mostRanges = 1000
/** Behind one name of an interface. */
export const mostWires = 16
/** Of ranges, all in all: a second or two. */
const mostComparisons = 2_000_000

export class Effort {
  readonly #cut = new Set<string>()
  #comparisons = 0

  /** No more than one object may say. */
  bounded(uses: readonly RangeUse[]): readonly RangeUse[] {
    const [first] = uses
    if (first !== undefined && uses.length > mostRanges) this.#cut.add(first.object)
    return uses.slice(0, mostRanges)
  }

  /** Whether there is time for so many more comparisons. */
  mayCompare(count: number): boolean {
    this.#comparisons += count
    return this.#comparisons <= mostComparisons
  }

  /** What was not looked at, on the objects that are too much. */
  problems(uses: readonly RangeUse[]): Problem[] {
    const cut = [...this.#cut].map((object) =>
      tooMany(object, `${object} has more than ${mostRanges} ranges; the rest was not compared`),
    )
    if (this.#comparisons <= mostComparisons) return cut
    const [object, count] = largestOf(uses)
    const message = `too many ranges overlap to compare them all; ${object} has the most (${count})`
    return [...cut, tooMany(object, message)]
  }
}

const tooMany = (object: string, message: string): Problem => ({
  ...{ code: 'too-many-ranges', severity: 'warning', object, message },
})

function largestOf(uses: readonly RangeUse[]): readonly [object: string, count: number] {
  const counts = new Map<string, number>()
  for (const { object } of uses) counts.set(object, (counts.get(object) ?? 0) + 1)
  const inOrder = [...counts].sort(([one, few], [other, many]) =>
    few === many ? (one < other ? -1 : 1) : many - few,
  )
  return inOrder[0] ?? ['', 0]
}
