import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { gathered } from './gathered.ts'

test('calls in quick succession run the work once', async () => {
  const work = vi.fn(async () => undefined)
  const ask = gathered(work, 1)
  for (const _ of [1, 2, 3]) ask()
  await vi.waitFor(() => expect(work).toHaveBeenCalled())
  await setTimeout(5)
  expect(work).toHaveBeenCalledTimes(1)
})

test('a call during the work runs it once more', async () => {
  const begun: (() => void)[] = []
  const work = vi.fn(() => new Promise<void>((resolve) => begun.push(resolve)))
  const ask = gathered(work, 0)
  ask()
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1))
  ask()
  ask()
  begun[0]?.()
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2))
})
