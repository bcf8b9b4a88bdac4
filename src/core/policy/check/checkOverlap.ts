// Which ranges of one side meet ranges of another? One pass over the ends, in order of the first.
import { overlap, prefixesOf, rangeText } from '../../net/intervals.ts'
import { prefixText, type Range } from '../../net/range.ts'

/** A range, the field that says so, and whose it is for people. */
export type ClaimedRange = { readonly path: string; readonly owner: string; readonly range: Range }
type Clash = { readonly mine: ClaimedRange; readonly other: ClaimedRange; readonly common: Range }

/** At least one clash where there is any, for each of mine at most one with a range before it. */
export function clashesBetween(
  mine: readonly ClaimedRange[],
  theirs: readonly ClaimedRange[],
): Clash[] {
  const sides = [
    mine.map((claim) => ({ claim, isMine: true })),
    theirs.map((claim) => ({ claim, isMine: false })),
  ]
  const clashes: Clash[] = []
  let myReach: ClaimedRange | undefined
  let theirReach: ClaimedRange | undefined
  for (const { claim, isMine } of sides.flat().sort((a, b) => byFirst(a.claim, b.claim))) {
    const met = isMine ? clash(claim, theirReach) : clash(myReach, claim)
    if (met !== undefined) clashes.push(met)
    if (isMine) myReach = farther(myReach, claim)
    else theirReach = farther(theirReach, claim)
  }
  return clashes
}

export function clashesWithin(claims: readonly ClaimedRange[]): Clash[] {
  const clashes: Clash[] = []
  let reach: ClaimedRange | undefined
  for (const claim of [...claims].sort(byFirst)) {
    const met = clash(claim, reach)
    if (met !== undefined) clashes.push(met)
    reach = farther(reach, claim)
  }
  return clashes
}

/** Both are named, with what they have in common and the way out. */
export const clashText = ({ mine, other, common }: Clash): string =>
  `${shortText(mine.range)} of ${mine.owner} overlaps ${shortText(other.range)} of ` +
  `${other.owner}; take ${shortText(common)} out of one of the two`

/** As a prefix where the range is one. */
export function shortText(range: Range): string {
  const [prefix, ...rest] = range.first === range.last ? [] : prefixesOf(range)
  return prefix === undefined || rest.length > 0 ? rangeText(range) : prefixText(prefix)
}

function clash(mine: ClaimedRange | undefined, other: ClaimedRange | undefined): Clash | undefined {
  if (mine === undefined || other === undefined) return undefined
  const common = overlap(mine.range, other.range)
  return common === undefined ? undefined : { mine, other, common }
}

/** Of those that started before, only the one that ends last can still meet what comes. */
const farther = (reach: ClaimedRange | undefined, claim: ClaimedRange): ClaimedRange =>
  reach !== undefined &&
  reach.range.family === claim.range.family &&
  reach.range.last > claim.range.last
    ? reach
    : claim

function byFirst({ range: one }: ClaimedRange, { range: other }: ClaimedRange): number {
  if (one.family !== other.family) return one.family === 'IPv4' ? -1 : 1
  if (one.first === other.first) return 0
  return one.first < other.first ? -1 : 1
}
