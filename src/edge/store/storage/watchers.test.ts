import { expect, test } from 'vitest'
import { stored } from '../../../../test/build/storedObjects.ts'
import type { Change } from './stored.ts'
import { Watchers } from './watchers.ts'

const change = (revision: number, resource = 'services'): Change => ({
  type: 'ADDED',
  revision,
  stored: stored(revision, 'a/x', { resource }),
  before: undefined,
})
const nobody = () => expect.unreachable()

function newWatch() {
  const seen: number[] = []
  const sink = ({ revision }: Change): void => {
    seen.push(revision)
  }
  return { seen, sink }
}

test('first the past, then what happens; of its resource only, nothing twice', () => {
  const watchers = new Watchers(nobody)
  const { seen, sink } = newWatch()
  watchers.add('services', { from: 3, past: [change(4), change(5, 'nodes'), change(6)], sink })
  watchers.publish([change(6), change(7, 'nodes'), change(8)])
  expect(seen).toEqual([4, 6, 8])
})

test('a watcher that stops gets no more, also in the middle of a batch', () => {
  const watchers = new Watchers(nobody)
  const { seen, sink } = newWatch()
  const stop = watchers.add('services', { from: 0, past: [], sink })
  watchers.add('services', { from: 0, past: [], sink: ({ revision }) => revision === 2 && stop() })
  watchers.publish([change(1), change(2), change(3)])
  stop()
  expect(seen).toEqual([1, 2])
})

test('a sink that throws is dropped, in the past too; the others go on', () => {
  const dropped: unknown[] = []
  const watchers = new Watchers((error) => dropped.push(error))
  const thrown = new Error('full')
  const fails = (): void => {
    throw thrown
  }
  const { seen, sink } = newWatch()
  watchers.add('services', { from: 0, past: [change(1), change(2)], sink: fails })
  watchers.add('services', { from: 2, past: [], sink: fails })
  watchers.add('services', { from: 2, past: [], sink })
  watchers.publish([change(3), change(4)])
  expect(seen).toEqual([3, 4])
  expect(dropped).toEqual([thrown, thrown])
})

test('a watch that begins while a batch is published sees each change of it once', () => {
  const watchers = new Watchers(nobody)
  const batch = [change(1), change(2), change(3)]
  const { seen, sink } = newWatch()
  let isBegun = false
  const begin = (): void => {
    if (!isBegun) watchers.add('services', { from: 0, past: batch, sink })
    isBegun = true
  }
  watchers.add('services', { from: 0, past: [], sink: begin })
  watchers.publish(batch)
  expect(seen).toEqual([1, 2, 3])
})
