// Proves when what is shown is taken over without a record: once, and again after MetalLB.
import { expect, test } from 'vitest'
import { addressRecord, holderOf } from '../../../test/build/addressRecord.ts'
import { pool, service, worldOf } from '../../../test/build/announcing.ts'
import type { Adoption } from '../../edge/kube/adoption.ts'
import { Adopting } from './adopting.ts'

const web = service('web', ['192.0.2.1'], { uid: 'web' })
const record = addressRecord('192.0.2.2', { holders: [holderOf(service('a', [], { uid: 'a' }))] })

type Stand = { readonly mark?: Adoption; readonly views?: readonly ('web' | 'record')[] }

type Now = {
  mark: Adoption | undefined
  isLeading: boolean
  isOthers: boolean
  isWritten: boolean
}

function stand({ mark, views = ['web'] }: Stand) {
  const world = worldOf(
    pool('lan', ['192.0.2.0/24']),
    ...views.map((view) => (view === 'web' ? web : record)),
  )
  const now: Now = { mark, isLeading: true, isOthers: false, isWritten: false }
  const marks: Adoption[] = []
  const adopting: Adopting = new Adopting({
    world,
    leader: {
      get adoption() {
        return now.mark
      },
      isMarked: true,
      async mark(adoption) {
        marks.push(adoption)
        now.mark = adoption
      },
    },
    mayDecide: () => now.isLeading,
    isGivenByOthers: () => now.isOthers,
    isDecided: () => true,
    isWritten: () => now.isWritten,
    changed: () => adopting.look(),
  })
  const isCounted = () => world.holdingOf('default/web') !== undefined
  return { adopting, now, marks, isCounted }
}

test.each<Stand & { of: string; isCounted: boolean; marks: readonly Adoption[] }>([
  { of: 'a cluster of MetalLB', isCounted: true, marks: ['begun'] },
  { of: 'an adoption that was cut short', mark: 'begun', isCounted: true, marks: ['begun'] },
  { of: 'a cluster that was adopted', mark: 'done', isCounted: false, marks: [] },
  {
    of: 'a cluster of an earlier Berth',
    views: ['record', 'web'],
    isCounted: false,
    marks: ['done'],
  },
  { of: 'an empty cluster', views: [], isCounted: false, marks: ['done'] },
])('[R3.15] $of', async ({ isCounted, marks, ...start }) => {
  const { adopting, marks: written, isCounted: isCountedNow } = stand(start)
  adopting.look()
  await Promise.resolve()
  expect(adopting.isKnown).toBe(true)
  expect(isCountedNow()).toBe(isCounted)
  expect(written.filter((mark) => start.mark !== mark)).toEqual(
    marks.filter((mark) => start.mark !== mark),
  )
})

test.each<Stand & { isPending: boolean }>([
  { isPending: true },
  { mark: 'begun', isPending: true },
  { mark: 'begun', views: ['record', 'web'], isPending: true },
  { mark: 'done', isPending: false },
  { views: ['record', 'web'], isPending: false },
])('[R3.15] with the mark $mark and $views, what others gave may still come: $isPending', (one) => {
  const { isPending, ...start } = one
  expect(stand(start).adopting.isPending).toBe(isPending)
})

test('[R3.15] it is over once all of it is written', async () => {
  const { adopting, now, marks, isCounted } = stand({})
  adopting.look()
  await Promise.resolve()
  adopting.end()
  expect(adopting.isOver).toBe(false)
  now.isWritten = true
  adopting.end()
  expect(adopting.isOver).toBe(true)
  expect(marks).toEqual(['begun', 'done'])
  expect(isCounted()).toBe(false)
})

test('[R3.15] one Service that cannot be written does not keep it open for ever', async () => {
  const { adopting } = stand({})
  adopting.look()
  await Promise.resolve()
  for (let round = 0; round < 100; round++) adopting.end()
  expect(adopting.isOver).toBe(false)
  for (let round = 0; round < 100; round++) adopting.tick()
  expect(adopting.isOver).toBe(true)
})

test('[R3.15] a Lease that somebody deletes gets the mark again', () => {
  const { adopting, now, marks } = stand({ mark: 'done' })
  adopting.look()
  now.mark = undefined
  adopting.tick()
  expect(marks).toEqual(['done'])
})

test('[R3.15] what MetalLB gives while it runs again is taken over when it is gone', async () => {
  const { adopting, now, marks, isCounted } = stand({ mark: 'done' })
  adopting.look()
  now.isOthers = true
  adopting.look()
  expect([adopting.isKnown, marks]).toEqual([false, ['begun']])
  now.isOthers = false
  adopting.look()
  expect([adopting.isKnown, adopting.isOver, isCounted()]).toEqual([true, false, true])
})
