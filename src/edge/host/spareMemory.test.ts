// Proves that only what is as in the program's file is let go, and that the program goes on.
import { expect, test } from 'vitest'
import { releaseSpareMemory, unchangedIn, unchangedOfProgram } from './spareMemory.ts'

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
  const unchanged = await unchangedOfProgram()
  expect(unchanged).not.toEqual([])
  releaseSpareMemory(unchanged)
  expect([3, 1, 2].sort()).toEqual([1, 2, 3])
})
