import { expect, onTestFinished, test } from 'vitest'
import { Deadline } from './deadline.ts'
import { newGate } from './gate.ts'

const until = (signal?: AbortSignal) => {
  const deadline = new Deadline('waiting', 60_000, signal)
  onTestFinished(() => deadline.clear())
  return deadline
}

test('a limited number enter at a time, the others in order of arrival', async () => {
  const gate = newGate(2)
  const entered: number[] = []
  const all = [0, 1, 2, 3].map(async (number) => {
    await gate.enter(until())
    entered.push(number)
  })
  await Promise.all(all.slice(0, 2))
  expect(entered).toEqual([0, 1])
  gate.leave()
  await all[2]
  expect(entered).toEqual([0, 1, 2])
  gate.leave()
  await all[3]
  expect(entered).toEqual([0, 1, 2, 3])
})

test('an aborted waiter takes no slot', async () => {
  const gate = newGate(1)
  await gate.enter(until())
  const over = new AbortController()
  const waiting = gate.enter(until(over.signal))
  const next = gate.enter(until())
  over.abort()
  await expect(waiting).rejects.toThrow('aborted')
  await expect(gate.enter(until(over.signal))).rejects.toThrow('aborted')
  gate.leave()
  await next
  gate.leave()
  await gate.enter(until())
})
