import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { expect, test } from 'vitest'
import { isAlive, parentOf, processAt } from './process.ts'

test('a process is alive until it ends; a later one with its pid is another', async () => {
  const child = spawn('sleep', ['60'])
  const one = processAt(child.pid ?? 0)
  expect(isAlive(one)).toBe(true)
  expect(isAlive({ ...one, since: `${one.since}0` })).toBe(false)
  expect(parentOf(one.pid)).toBe(process.pid)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isAlive(one)).toBe(false)
})

test('a process that never existed is not alive', () => {
  const none = processAt(2 ** 22 + 1)
  expect([none.since, isAlive(none), parentOf(none.pid)]).toEqual(['', false, 0])
})
