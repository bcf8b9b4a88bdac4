// How does a pool move? The new ranges stand beside the old ones while Services move.
import { type Json, recordAt, textsAt } from '../../model/json.ts'
import { sameRange } from '../../net/intervals.ts'
import { parseRange } from '../../net/range.ts'
import type { Refused, RenumberWrite } from './renumberWrite.ts'
import { type Shift, shiftedRange } from './shift.ts'

type MovedPool = {
  readonly wide: readonly RenumberWrite[]
  readonly narrow: readonly RenumberWrite[]
}

export const wrongIn = (shift: Shift, id: string, json: Json): readonly Refused[] =>
  rangesOf(json).flatMap((text, index) => {
    const moved = shiftedRange(shift, text)
    const why = moved.ok ? (moved.value === text ? '' : uncounted(text)) : moved.why
    return why === '' ? [] : [{ id, path: `spec.addresses[${index}]`, message: why }]
  })

/** The status of the pool tells when the controller has seen the new ranges. */
function uncounted(text: string): string {
  const range = parseRange(text)
  const size = range.ok ? range.value.last - range.value.first : 0n
  const isFine = size < BigInt(Number.MAX_SAFE_INTEGER) / 4n
  return isFine
    ? ''
    : `${text} has more addresses than a pool's status can count: use a smaller one`
}

export function movedPool(shift: Shift, id: string, json: Json): MovedPool {
  const before = rangesOf(json)
  const gone = before.filter((text) => shifted(shift, text) !== text)
  const added = gone.map((text) => shifted(shift, text)).filter((text) => !isIn(before, text))
  const wide: RenumberWrite = {
    id,
    what: `adds ${added.join(', ')}`,
    change: (now) => now && withRanges(now, (texts) => [...texts, ...added]),
  }
  // A range that somebody has added since has no other beside it: it stays.
  const narrow: RenumberWrite = {
    id,
    what: `removes ${gone.join(', ')}`,
    change: (now) =>
      now &&
      withRanges(now, (texts) =>
        texts.map((text) => (isIn(texts, shifted(shift, text)) ? shifted(shift, text) : text)),
      ),
  }
  return { wide: added.length > 0 ? [wide] : [], narrow: gone.length > 0 ? [narrow] : [] }
}

function shifted(shift: Shift, text: string): string {
  const moved = shiftedRange(shift, text)
  return moved.ok ? moved.value : text
}

const rangesOf = (json: Json): readonly string[] => textsAt(recordAt(json, 'spec'), 'addresses')

/** Each once, in the order in which they come first. */
function withRanges(json: Json, change: (texts: readonly string[]) => readonly string[]): Json {
  const after: string[] = []
  for (const text of change(rangesOf(json))) if (!isIn(after, text)) after.push(text)
  return { ...json, spec: { ...recordAt(json, 'spec'), addresses: after } }
}

function isIn(texts: readonly string[], text: string): boolean {
  const range = parseRange(text)
  return texts.some((one) => {
    const other = parseRange(one)
    return one === text || (range.ok && other.ok && sameRange(range.value, other.value))
  })
}
