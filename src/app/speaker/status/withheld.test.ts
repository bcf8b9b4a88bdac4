// Proves that what a speaker holds back is told, once it lasts.
import { expect, test } from 'vitest'
import { service } from '../../../../test/build/announcing.ts'
import { type Unrecorded, Withheld } from './withheld.ts'

function stand() {
  const clock = { ms: 0, nowMs: () => clock.ms }
  const held: { now: readonly Unrecorded[] } = { now: [] }
  const withheld = new Withheld({ clock, withheld: () => held.now })
  const after = (ms: number): readonly string[] => {
    clock.ms += ms
    return withheld.problems().map(({ object, message }) => `${object}: ${message}`)
  }
  return { held, after }
}

function unrecorded(name: string, ...ips: string[]): Unrecorded {
  const view = service(name, ips)
  return { service: view, addresses: view.ingress }
}

test('[R8.13] an address that nobody records is told after ten seconds, and no longer than it lasts', () => {
  const { held, after } = stand()
  held.now = [unrecorded('web', '192.0.2.1', '2001:db8::1')]
  expect(after(0)).toEqual([])
  expect(after(9_000)).toEqual([])
  expect(after(1_000)).toEqual([
    'Service/default/web: its status shows 192.0.2.1 and 2001:db8::1, which no Address records for it: not announced here',
  ])
  held.now = []
  expect(after(2_000)).toEqual([])
  held.now = [unrecorded('web', '192.0.2.1')]
  expect(after(2_000)).toEqual([])
})

test('[R8.13] of thousands the first twenty by name are told', () => {
  const { held, after } = stand()
  held.now = Array.from({ length: 3_000 }, (_, at) => unrecorded(`web-${3_999 - at}`, '192.0.2.1'))
  after(0)
  const told = after(10_000)
  expect(told).toHaveLength(20)
  expect(told[0]).toContain('Service/default/web-1000:')
})
