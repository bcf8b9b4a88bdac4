import { expect, test } from 'vitest'
import { newGate } from './gate.ts'

const never = new AbortController().signal

test('so many are in at a time, the others in the order in which they came', async () => {
  const gate = newGate(2)
  const entered: number[] = []
  const leave: (() => void)[] = []
  const all = [0, 1, 2, 3].map(async (number) => {
    leave[number] = await gate.enter(never)
    entered.push(number)
  })
  await Promise.all(all.slice(0, 2))
  expect(entered).toEqual([0, 1])
  leave[1]?.()
  await all[2]
  expect(entered).toEqual([0, 1, 2])
  leave[0]?.()
  await all[3]
  expect(entered).toEqual([0, 1, 2, 3])
})

test('whoever gives up takes no place', async () => {
  const gate = newGate(1)
  const leave = await gate.enter(never)
  const over = new AbortController()
  const waiting = gate.enter(over.signal)
  const next = gate.enter(never)
  over.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(gate.enter(over.signal)).rejects.toThrow('enough')
  leave()
  const last = await next
  last()
  await gate.enter(never)
})
