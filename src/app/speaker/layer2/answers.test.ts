// Proves what begins and ends at once, what waits, and what a change of mind forgets.
import { expect, test } from 'vitest'
import { ip } from '../../../../test/build/announcing.ts'
import { newClock } from '../../../../test/build/manualClock.ts'
import type { Announcement } from '../../../core/session/layer2/announcement.ts'
import { Answers } from './answers.ts'

const [a, b] = [ip('192.0.2.1'), ip('192.0.2.2')]
const announcement = (address = a): Announcement => ({ address, interfaces: 'all', start: 'burst' })

function stand() {
  const clock = newClock()
  const orders: string[] = []
  const answers = new Answers({
    driver: {
      announce: (announcements) =>
        orders.push(`+${announcements.map(({ address }) => address).join()}`),
      withdraw: (addresses) => orders.push(`-${addresses.join()}`),
    },
    nowMs: clock.nowMs,
    after: clock.after,
  })
  return { answers, orders, clock }
}

test('many go out as one order, withdrawals first', () => {
  const { answers, orders } = stand()
  answers.begin(announcement(a))
  answers.flush()
  answers.begin(announcement(b))
  answers.end(a)
  answers.flush()
  expect(orders).toEqual([`+${a}`, `-${a}`, `+${b}`])
})

test('what is handed over is answered for until its time has come', () => {
  const { answers, orders, clock } = stand()
  answers.begin(announcement(a))
  answers.end(a, 150)
  answers.flush()
  expect([orders, [...answers.addresses]]).toEqual([[`+${a}`], [a]])
  clock.advance(149)
  expect(orders).toHaveLength(1)
  clock.advance(1)
  expect([orders, [...answers.addresses]]).toEqual([[`+${a}`, `-${a}`], []])
})

test('what comes back meanwhile is announced anew and does not end', () => {
  const { answers, orders, clock } = stand()
  answers.begin(announcement(a))
  answers.flush()
  answers.started(a)
  answers.end(a, 150)
  answers.begin(announcement(a))
  answers.flush()
  clock.advance(1_000)
  expect(orders).toEqual([`+${a}`, `-${a}`, `+${a}`])
  expect([...answers.announced]).toEqual([a])
})

test('what passes from one Service to another at once goes on undisturbed', () => {
  const { answers, orders } = stand()
  answers.begin(announcement(a))
  answers.flush()
  answers.started(a)
  answers.end(a)
  answers.begin(announcement(a))
  answers.flush()
  expect([orders, [...answers.announced]]).toEqual([[`+${a}`, `+${a}`], [a]])
})

test('it is announced once layer 2 has begun, and not what another machine has', () => {
  const { answers } = stand()
  expect([answers.started(a), answers.refuse(a)]).toEqual([false, false])
  answers.begin(announcement(a))
  answers.begin(announcement(b))
  answers.flush()
  expect([...answers.announced]).toEqual([])
  expect([answers.started(a), answers.started(a)]).toEqual([true, false])
  expect([answers.refuse(b), answers.refuse(b)]).toEqual([true, false])
  // On a second interface it may be another's: it is announced all the same.
  expect(answers.refuse(a)).toBe(false)
  expect([[...answers.announced], [...answers.refused]]).toEqual([[a], [b]])
  expect(answers.started(b)).toBe(true)
  answers.end(a)
  answers.flush()
  expect([[...answers.announced], [...answers.refused]]).toEqual([[b], []])
})

test('[R8.3] what has to wait begins later, and not at all when it is lost before', () => {
  const { answers, orders, clock } = stand()
  answers.begin(announcement(a), 420)
  answers.begin(announcement(b), 500)
  answers.flush()
  expect([orders, [...answers.addresses]]).toEqual([[], []])
  clock.advance(420)
  expect(orders).toEqual([`+${a}`])
  answers.end(b)
  clock.advance(1_000)
  answers.flush()
  expect(orders).toEqual([`+${a}`])
})

test('who leaves answers on, and nothing ends by itself', () => {
  const { answers, orders, clock } = stand()
  answers.begin(announcement(a))
  answers.end(a, 150)
  answers.flush()
  answers.stay()
  clock.advance(1_000)
  expect([orders, [...answers.addresses]]).toEqual([[`+${a}`], [a]])
})
