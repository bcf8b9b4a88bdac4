import { expect, test } from 'vitest'
import { ip } from '../../../../test/build/announcing.ts'
import { newClock } from '../../../../test/build/manualClock.ts'
import type { Mac } from '../../../core/net/mac.ts'
import type { Sighting } from '../../../core/session/layer2/announcement.ts'
import { Sightings } from './sightings.ts'

const macOf = (octet: number) => `02:00:00:00:00:${octet.toString(16).padStart(2, '0')}` as Mac
const sighting = (given: Partial<Sighting> = {}): Sighting => ({
  kind: 'foreign-owner',
  address: ip('192.0.2.1'),
  interface: 'eth0',
  mac: '02:00:00:00:00:01' as Mac,
  isAnnounced: true,
  ...given,
})

test('a repeated sighting is reported once, counted each time, and forgotten after a while', () => {
  const clock = newClock()
  const sightings = new Sightings(clock.nowMs)
  expect([sightings.note(sighting()), sightings.note(sighting())]).toEqual([true, false])
  expect(sightings.counts).toEqual({ 'foreign-owner': 2, 'two-owners': 0 })
  expect(sightings.foreign).toHaveLength(1)
  clock.advance(91_000)
  expect(sightings.foreign).toEqual([])
  expect(sightings.note(sighting())).toBe(true)
})

test('a peer is counted but is not a foreign owner', () => {
  const sightings = new Sightings(() => 0)
  sightings.note(sighting({ kind: 'two-owners' }))
  expect([sightings.foreign, sightings.counts['two-owners']]).toEqual([[], 1])
})

test('a different MAC is reported, and the last one counts as the owner', () => {
  const sightings = new Sightings(() => 0)
  const other = sighting({ mac: macOf(2) })
  expect([sightings.note(sighting()), sightings.note(other)]).toEqual([true, true])
  expect(sightings.foreign).toEqual([other])
})

test('forged senders cause at most ten reports and status changes a minute', () => {
  const clock = newClock()
  const sightings = new Sightings(clock.nowMs)
  const flood = () =>
    Array.from({ length: 200 }, (_, at) => sightings.note(sighting({ mac: macOf(at) })))
  expect(flood().filter(Boolean)).toHaveLength(10)
  expect(sightings.foreign).toEqual([sighting({ mac: macOf(9) })])
  expect(sightings.counts['foreign-owner']).toBe(200)
  clock.advance(59_999)
  expect(flood().filter(Boolean)).toEqual([])
  clock.advance(1)
  expect(flood().filter(Boolean)).toHaveLength(10)
})

test('many addresses are kept though few are reported, up to a limit', () => {
  const sightings = new Sightings(() => 0)
  const all = Array.from({ length: 5_000 }, (_, at) => `10.0.${at >> 8}.${at & 255}`)
  const news = all.filter((text) => sightings.note(sighting({ address: ip(text) })))
  expect([news.length, sightings.foreign.length]).toEqual([10, 4_096])
})
