import { expect, test } from 'vitest'
import { isMadeAs } from './made.ts'
import { mergePatch } from './mergePatch.ts'
import { type StatusWrite, withStatus } from './write.ts'

const [before, now] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
const ready = { type: 'Ready', status: 'True', reason: 'Ready', message: '' } as const
const theirs = { type: 'Theirs', status: 'True', lastTransitionTime: before }
const shown = {
  metadata: { name: 'web', annotations: { pool: 'a', theirs: 'x' } },
  status: {
    addresses: { used: 1, quota: 3 },
    conditions: [theirs, { ...ready, lastTransitionTime: before }],
    other: 1,
  },
}
const { type: _, ...same } = ready

test.each<{ title: string; write: Partial<StatusWrite>; patch: unknown }>([
  { title: 'nothing new', write: { conditions: { Ready: same } }, patch: undefined },
  {
    title: 'a field is replaced whole',
    write: { fields: { addresses: { used: 1 } } },
    patch: { status: { addresses: { quota: null } } },
  },
  {
    title: 'another reason keeps its time',
    write: { conditions: { Ready: { ...same, reason: 'Other' } } },
    patch: {
      status: { conditions: [theirs, { ...ready, reason: 'Other', lastTransitionTime: before }] },
    },
  },
  {
    title: 'another status is a transition',
    write: { conditions: { Ready: { ...same, status: 'False' } } },
    patch: {
      status: { conditions: [theirs, { ...ready, status: 'False', lastTransitionTime: now }] },
    },
  },
  {
    title: 'a condition that goes',
    write: { conditions: { Ready: undefined } },
    patch: { status: { conditions: [theirs] } },
  },
  {
    title: 'annotations: one set, one removed, one left alone',
    write: { annotations: { pool: undefined, other: 'b' } },
    patch: { metadata: { annotations: { pool: null, other: 'b' } } },
  },
])('$title', ({ write, patch }) => {
  const of = { kind: 'Tenant', name: 'web' }
  const after = withStatus(shown, { type: 'status', of, ...write }, now)
  expect(mergePatch(shown, after)).toEqual(patch)
})

test.each([
  [{ a: { b: 1 } }, { a: {} }, { a: { b: null } }],
  [{}, { a: {} }, { a: {} }],
  [{ a: [1, 2] }, { a: [1] }, { a: [1] }],
  [{ a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }, { a: [{ b: 1 }] }],
  [{ a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
  [undefined, {}, {}],
  [{ a: 1 }, { a: 1 }, undefined],
])('%j becomes %j by %j', (one, other, patch) => expect(mergePatch(one, other)).toEqual(patch))

const owned = (name: string) => ({ ownerReferences: [{ kind: 'Tenant', name }] })
const labels = { of: 'red', by: 'berth' }
const wanted = { metadata: { name: 'red-edge', labels, ...owned('red') } }

test.each([
  { there: { ...owned('red') }, isMade: true },
  { there: { labels }, isMade: true },
  { there: { labels: { ...labels, more: 'x' } }, isMade: true },
  { there: { labels: { of: 'red' } }, isMade: false },
  { there: { labels, ...owned('blue') }, isMade: false },
  { there: {}, isMade: false },
])('[R4.19] $there is ours: $isMade', ({ there, isMade }) => {
  expect(isMadeAs({ metadata: there }, wanted)).toBe(isMade)
})
