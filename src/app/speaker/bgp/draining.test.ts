// Proves in which steps the routes of a drained node leave.
import { expect, test } from 'vitest'
import type { BgpAnnouncement } from '../../../core/policy/announce/advertiseBgp.ts'
import { Draining } from './draining.ts'

const route: BgpAnnouncement = {
  ...{ protocol: 'bgp', service: 'shop/web', prefix: '192.0.2.1/32', node: 'a', peer: 'tor' },
  ...{ localPref: 300, communities: ['64512:1'] },
}

function stand() {
  const timers = new Set<() => void>()
  let overs = 0
  const draining = new Draining({
    waitMs: 5_000,
    after(_, act) {
      timers.add(act)
      return () => timers.delete(act)
    },
    over: () => overs++,
  })
  const ring = (): void => {
    for (const act of [...timers]) {
      timers.delete(act)
      act()
    }
  }
  return { draining, ring, overs: () => overs }
}

test('[R8.4] a drained node asks routers to prefer others, and then withdraws', () => {
  const { draining, ring, overs } = stand()
  draining.look(undefined, true)
  expect(draining.routesOf([route])).toEqual([route])
  draining.look('berth-drain', true)
  const [left] = draining.routesOf([route])
  expect([left?.localPref, left?.communities]).toEqual([0, ['64512:1', '65535:0']])
  draining.look('berth-drain', true)
  expect(draining.isLeaving).toBe(true)
  ring()
  draining.look('berth-drain', true)
  expect([draining.isLeaving, overs()]).toEqual([false, 1])
})

test('[R8.4] who stops meanwhile waits until routers have had their time', async () => {
  const { draining, ring } = stand()
  await draining.finished()
  draining.look('berth-drain', true)
  const order: string[] = []
  const waiting = draining.finished().then(() => order.push('finished'))
  await Promise.resolve()
  order.push('rings')
  ring()
  await waiting
  expect(order).toEqual(['rings', 'finished'])
})

test.each([
  { what: 'another value', label: 'maintenance', isAnnouncing: true },
  { what: 'nothing to withdraw, as after a restart', label: 'berth-drain', isAnnouncing: false },
])('[R8.4] $what: at once', ({ label, isAnnouncing }) => {
  const { draining, ring, overs } = stand()
  draining.look(label, isAnnouncing)
  ring()
  expect([draining.isLeaving, overs()]).toEqual([false, 0])
})

test('[R8.4] undrained while it waits, it goes on; drained again, it waits again', () => {
  const { draining, ring, overs } = stand()
  draining.look('berth-drain', true)
  draining.look(undefined, true)
  ring()
  expect([draining.isLeaving, overs()]).toEqual([false, 0])
  draining.look('berth-drain', true)
  expect(draining.isLeaving).toBe(true)
})
