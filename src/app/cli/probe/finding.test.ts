import { expect, test } from 'vitest'
import type { Mac } from '../../../core/net/mac.ts'
import { findingsOf, type Seen } from './finding.ts'

const [one, two] = ['02:00:00:10:00:11' as Mac, '02:00:00:10:00:12' as Mac]
const usual: Seen = {
  asked: 3,
  answers: [1, 2, 3].map((ms) => ({ mac: one, ms })),
  neighbour: { mac: one, state: 'REACHABLE' },
  reached: [{ how: 'TCP port 80', ms: 1 }],
}
const silent = [{ how: 'TCP port 80', ms: undefined }]

test.each<{ what: string; change: Partial<Seen>; words: string[] }>([
  { what: 'all is well', change: {}, words: [] },
  { what: 'no entry yet', change: { neighbour: undefined }, words: [] },
  { what: 'nobody answers', change: { answers: [] }, words: ['no-answer'] },
  {
    what: 'two answer',
    change: { answers: [...usual.answers, { mac: two, ms: 4 }] },
    words: ['two-macs'],
  },
  {
    what: 'an old entry',
    change: { neighbour: { mac: two, state: 'STALE' } },
    words: ['stale-entry'],
  },
  {
    what: 'a wrong entry that is trusted',
    change: { neighbour: { mac: two, state: 'PERMANENT' }, reached: silent },
    words: ['wrong-mac', 'not-passed-on'],
  },
  { what: 'a node that does not pass on', change: { reached: silent }, words: ['not-passed-on'] },
  {
    what: 'a ping that is not answered beside a connection that is',
    change: { reached: [...usual.reached, { how: 'ping', ms: undefined }] },
    words: [],
  },
  { what: 'answers are lost', change: { answers: usual.answers.slice(1) }, words: ['lossy'] },
])('$what: $words', ({ change, words }) => {
  expect(findingsOf({ ...usual, ...change }).map(({ word }) => word)).toEqual(words)
})
