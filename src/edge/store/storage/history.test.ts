import { expect, test } from 'vitest'
import { stored } from '../../../../test/build/storedObjects.ts'
import { History } from './history.ts'
import type { Change } from './stored.ts'

const change = (revision: number, size = 10): Change => ({
  type: 'ADDED',
  revision,
  stored: stored(revision, 'a/x', { bytes: new Uint8Array(size) }),
  before: undefined,
})

function historyOf(from: number, to: number, bounds: { changes: number; bytes: number }): History {
  const history = new History(from, bounds)
  for (let revision = from + 1; revision <= to; revision++) history.add(change(revision, 1000))
  return history
}

const cases = [
  { title: 'empty', to: 100, changes: 5, bytes: 1e6, oldest: 100, since: 100, known: [] },
  {
    title: 'with room',
    to: 103,
    changes: 5,
    bytes: 1e6,
    oldest: 100,
    since: 101,
    known: [102, 103],
  },
  { title: 'full', to: 105, changes: 5, bytes: 1e6, oldest: 100, since: 103, known: [104, 105] },
  {
    title: 'over its number',
    to: 112,
    changes: 5,
    bytes: 1e6,
    oldest: 107,
    since: 110,
    known: [111, 112],
  },
  {
    title: 'over its bytes',
    to: 112,
    changes: 50,
    bytes: 5000,
    oldest: 109,
    since: 109,
    known: [110, 111, 112],
  },
  {
    title: 'one change too large',
    to: 112,
    changes: 50,
    bytes: 900,
    oldest: 112,
    since: 112,
    known: [],
  },
  {
    title: 'asked for more than it knows',
    to: 112,
    changes: 2,
    bytes: 1e6,
    oldest: 110,
    since: 1,
    known: [111, 112],
  },
]

test.each(cases)(
  '$title: reaches back to $oldest',
  ({ to, changes, bytes, oldest, since, known }) => {
    const history = historyOf(100, to, { changes, bytes })
    expect(history.oldest).toBe(oldest)
    expect([...history.since(since)].map(({ revision }) => revision)).toEqual(known)
  },
)
