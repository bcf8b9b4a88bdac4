import { expect, test } from 'vitest'
import type { Change, Stored } from '../../storage/stored.ts'
import { EventAges } from './events.ts'

const minuteMs = 60_000

function event(name: string, creationTimestamp = ''): Stored {
  const object = { kind: 'Event', apiVersion: 'v1', metadata: { name, creationTimestamp } }
  const bytes = Buffer.from(JSON.stringify(object))
  const place = { resource: 'events', namespace: 'shop', name, uid: name, revision: 1 }
  return { ...place, bytes, labels: {}, fields: {}, owners: [] }
}
const added = (name: string): Change => ({
  type: 'ADDED',
  revision: 1,
  stored: event(name),
  before: undefined,
})

function ages() {
  let elapsedMs = 0
  const made = new EventAges(() => elapsedMs)
  const pass = (minutes: number): void => {
    elapsedMs += minutes * minuteMs
  }
  const old = (most = 10): string[] => made.old(most).map(({ name }) => name)
  return { made, pass, old }
}

test('an event is old an hour after it was last written', () => {
  const { made, pass, old } = ages()
  made.apply(added('a'))
  made.apply(added('b'))
  pass(30)
  made.apply({ ...added('a'), type: 'MODIFIED' })
  pass(30)
  expect(old()).toEqual(['b'])
  made.apply({ ...added('b'), type: 'DELETED' })
  pass(30)
  expect(old()).toEqual(['a'])
  expect(old(0)).toEqual([])
})

test('what was written before the start is as old as the times in it tell', () => {
  const { made, pass, old } = ages()
  const events = [event('b', '2026-01-01T00:30:00Z'), event('a', '2026-01-01T00:10:00Z')]
  made.fill(events, new Date('2026-01-01T01:00:00Z'))
  expect(old()).toEqual([])
  pass(10)
  expect(old()).toEqual(['a'])
  pass(20)
  expect(old()).toEqual(['a', 'b'])
})

test('what was written while the clock was ahead is new, and keeps nobody else', () => {
  const { made, pass, old } = ages()
  const events = [event('ahead', '2036-01-01T00:00:00Z'), event('b', '2026-01-01T00:30:00Z')]
  made.fill(events, new Date('2026-01-01T01:00:00Z'))
  pass(30)
  expect(old()).toEqual(['b'])
  pass(30)
  expect(old()).toEqual(['b', 'ahead'])
})
