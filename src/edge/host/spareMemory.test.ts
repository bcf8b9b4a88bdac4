// Proves that only what is as in the program's file is let go, and that the program goes on.
import { expect, test } from 'vitest'
import { Growth, releaseSpareMemory, unchangedIn } from './spareMemory.ts'

const mapping = (head: string, writtenKb: number, swappedKb = 0): string =>
  `${head}\nSize:  4 kB\nAnonymous:  ${writtenKb} kB\nSwap:  ${swappedKb} kB\nVmFlags: rd mr\n`

test.each([
  { what: 'program text', head: '1000-3000 r-xp 00346000 fe:00 53', dirty: 0, isFound: true },
  { what: 'constants', head: '1000-3000 r--p 02e01000 fe:00 53', dirty: 0, isFound: true },
  { what: 'relocated constants', head: '1000-3000 r--p 0675 fe:00 53', dirty: 8, isFound: false },
  { what: 'variables', head: '1000-3000 rw-p 06755000 fe:00 53', dirty: 0, isFound: false },
  { what: 'what is shared', head: '1000-3000 r--s 06755000 fe:00 53', dirty: 0, isFound: false },
])('$what, $dirty kB of it written to: let go $isFound', ({ head, dirty, isFound }) => {
  const smaps =
    mapping(`${head}      /usr/bin/node`, dirty) + mapping('5000-6000 rw-p 0 00:00 0', 4)
  const expected = isFound ? [{ from: 0x1000, length: 0x2000 }] : []
  expect(unchangedIn(smaps, '/usr/bin/node')).toEqual(expected)
  expect(unchangedIn(smaps, '/usr/bin/other')).toEqual([])
})

test('what was written to and swapped out stays', () => {
  const smaps = mapping('1000-3000 r--p 0675 fe:00 53      /usr/bin/node', 0, 4)
  expect(unchangedIn(smaps, '/usr/bin/node')).toEqual([])
})

test('the program goes on', async () => {
  await releaseSpareMemory()
  expect([3, 1, 2].sort()).toEqual([1, 2, 3])
})

/** In MB, one look after the other: those at which something is given back. */
const releases: readonly { what: string; held: readonly number[]; at: readonly number[] }[] = [
  { what: 'when the start has come to rest', held: [60, 60, 60, 60, 60, 60], at: [3] },
  { what: 'a start that goes on is waited for', held: [60, 80, 90, 90.5], at: [3] },
  { what: 'what is in use comes back and stays', held: [60, 66, 66, 60, 66, 66], at: [3] },
  { what: 'a burst is over when nothing is added', held: [50, 70, 90, 90], at: [3] },
  { what: 'again at rest, and no more', held: [50, 60, 60, 59, 59, 59, 59, 55, 55], at: [2, 6] },
  { what: 'and one after it', held: [50, 70, 70, 55, 64, 64], at: [2, 5] },
  { what: 'a little more is not worth it', held: [50, 57, 57, 50, 57.5], at: [3] },
  { what: 'slow growth', held: [50, 50.9, 51.8, 50, 52.7, 53.6, 57.9, 58.5], at: [3, 7] },
  { what: 'what was held for a moment', held: [70, 50, 58, 58], at: [3] },
  { what: 'a burst in which it is due', held: [50, 54, 58, 62, 66, 66], at: [3, 5] },
]
test.each(releases)('$what: given back at $at of $held', ({ held, at }) => {
  const growth = new Growth()
  const found = held.flatMap((mb, index) => (growth.isOver(mb * 2 ** 20) ? [index] : []))
  expect(found).toEqual(at)
})
