import { expect, onTestFinished, test } from 'vitest'
import { Deadline } from './deadline.ts'
import { newGate } from './gate.ts'

const until = (signal?: AbortSignal) => {
  const deadline = new Deadline('waiting', 60_000, signal)
  onTestFinished(() => deadline.clear())
  return deadline
}

test('so many are in at a time, the others in the order in which they came', async () => {
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

test('whoever gives up takes no place', async () => {
  const gate = newGate(1)
  await gate.enter(until())
  const over = new AbortController()
  const waiting = gate.enter(until(over.signal))
  const next = gate.enter(until())
  over.abort()
  await expect(waiting).rejects.toThrow('given up')
  await expect(gate.enter(until(over.signal))).rejects.toThrow('given up')
  gate.leave()
  await next
  gate.leave()
  await gate.enter(until())
})
