// Proves what begins and ends at once, what waits, and what a change of mind forgets.
import { expect, test } from 'vitest'
import { ip } from '../../../test/build/announcing.ts'
import { newClock } from '../../../test/build/manualClock.ts'
import type { Claimed } from '../../core/session/layer2/claim.ts'
import { Answers } from './answers.ts'

const [a, b] = [ip('192.0.2.1'), ip('192.0.2.2')]
const claim = (address = a): Claimed => ({ address, interfaces: 'all', start: 'burst' })

function stand() {
  const clock = newClock()
  const orders: string[] = []
  const answers = new Answers({
    driver: {
      announce: (claims) => orders.push(`+${claims.map(({ address }) => address).join()}`),
      withdraw: (addresses) => orders.push(`-${addresses.join()}`),
    },
    nowMs: clock.nowMs,
    after: clock.after,
  })
  return { answers, orders, clock }
}

test('many go out as one order, withdrawals first', () => {
  const { answers, orders } = stand()
  answers.begin(claim(a))
  answers.flush()
  answers.begin(claim(b))
  answers.end(a)
  answers.flush()
  expect(orders).toEqual([`+${a}`, `-${a}`, `+${b}`])
})

test('what is handed over is answered for until its time has come', () => {
  const { answers, orders, clock } = stand()
  answers.begin(claim(a))
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
  answers.begin(claim(a))
  answers.end(a, 150)
  answers.begin(claim(a))
  answers.flush()
  clock.advance(1_000)
  expect(orders).toEqual([`+${a}`])
})

test('[R8.3] what has to wait begins later, and not at all when it is lost before', () => {
  const { answers, orders, clock } = stand()
  answers.begin(claim(a), 420)
  answers.begin(claim(b), 500)
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
  answers.begin(claim(a))
  answers.end(a, 150)
  answers.flush()
  answers.stay()
  clock.advance(1_000)
  expect([orders, [...answers.addresses]]).toEqual([[`+${a}`], [a]])
})
