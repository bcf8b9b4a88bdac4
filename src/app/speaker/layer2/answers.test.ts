// Proves what starts and ends at once, what waits, and what is cancelled when an election reverts.
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

test('many changes go out as one message, withdrawals first', () => {
  const { answers, orders } = stand()
  answers.begin(announcement(a))
  answers.flush()
  answers.begin(announcement(b))
  answers.end(a)
  answers.flush()
  expect(orders).toEqual([`+${a}`, `-${a}`, `+${b}`])
})

test('an address that is handed over is answered for until its time is up', () => {
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

test('an address that returns in the meantime is announced again and does not end', () => {
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

test('an address that passes from one Service to another is not disturbed', () => {
  const { answers, orders } = stand()
  answers.begin(announcement(a))
  answers.flush()
  answers.started(a)
  answers.end(a)
  answers.begin(announcement(a))
  answers.flush()
  expect([orders, [...answers.announced]]).toEqual([[`+${a}`, `+${a}`], [a]])
})

test('an address counts as announced once layer 2 answers, unless another machine has it', () => {
  const { answers } = stand()
  expect([answers.started(a), answers.refuse(a)]).toEqual([false, false])
  answers.begin(announcement(a))
  answers.begin(announcement(b))
  answers.flush()
  expect([...answers.announced]).toEqual([])
  expect([answers.started(a), answers.started(a)]).toEqual([true, false])
  expect([answers.refuse(b), answers.refuse(b)]).toEqual([true, false])
  // If another machine has it on a second interface only, it still counts as announced.
  expect(answers.refuse(a)).toBe(false)
  expect([[...answers.announced], [...answers.refused]]).toEqual([[a], [b]])
  expect(answers.started(b)).toBe(true)
  answers.end(a)
  answers.flush()
  expect([[...answers.announced], [...answers.refused]]).toEqual([[b], []])
})

test('[R8.3] a delayed address starts later, and not at all if it is lost before', () => {
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

test('a leaving node keeps answering, and nothing ends by itself', () => {
  const { answers, orders, clock } = stand()
  answers.begin(announcement(a))
  answers.end(a, 150)
  answers.flush()
  answers.stay()
  clock.advance(1_000)
  expect([orders, [...answers.addresses]]).toEqual([[`+${a}`], [a]])
})
