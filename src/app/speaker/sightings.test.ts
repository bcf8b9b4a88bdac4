import { expect, test } from 'vitest'
import { ip } from '../../../test/build/announcing.ts'
import { newClock } from '../../../test/build/manualClock.ts'
import type { Mac } from '../../core/net/mac.ts'
import type { Sighting } from '../../core/session/layer2/claim.ts'
import { Sightings } from './sightings.ts'

const sighting = (given: Partial<Sighting> = {}): Sighting => ({
  kind: 'foreign-owner',
  address: ip('192.0.2.1'),
  interface: 'eth0',
  mac: '02:00:00:00:00:01' as Mac,
  isAnnounced: true,
  ...given,
})

test('the same one is news once, counted each time, and forgotten after a while', () => {
  const clock = newClock()
  const sightings = new Sightings(clock.nowMs)
  expect([sightings.note(sighting()), sightings.note(sighting())]).toEqual([true, false])
  expect(sightings.counts).toEqual({ 'foreign-owner': 2, 'two-owners': 0 })
  expect(sightings.foreign).toHaveLength(1)
  clock.advance(91_000)
  expect(sightings.foreign).toEqual([])
  expect(sightings.note(sighting())).toBe(true)
})

test('a fellow speaker is counted, and no foreign owner', () => {
  const sightings = new Sightings(() => 0)
  sightings.note(sighting({ kind: 'two-owners' }))
  expect([sightings.foreign, sightings.counts['two-owners']]).toEqual([[], 1])
})
