import { execPath } from 'node:process'
import { expect, test } from 'vitest'
import { newClock } from '../../../../test/build/manualClock.ts'
import { keepRunning } from './keepRunning.ts'

/** Answers what was said until the third failure. */
async function saidOf(command: readonly string[]): Promise<readonly unknown[]> {
  const [said, stop] = [[] as unknown[], new AbortController()]
  await keepRunning({
    command,
    clock: {
      ...newClock(),
      sleep: async () => {
        if (said.length === 3) stop.abort()
      },
    },
    random: () => 0,
    signal: stop.signal,
    log: ({ message }) => void said.push(message),
  })
  return said
}

test.each([
  ['that ends', [execPath, '-e', 'process.exit(3)'], 'ended with status 3: started again'],
  // Told later, as for EAGAIN.
  [
    'that is not there',
    ['/nowhere/node'],
    'cannot be started, will be tried again: spawn /nowhere/node ENOENT',
  ],
  // Told at once, as for ENOMEM: no argument can be so long.
  [
    'that does not fit',
    [execPath, 'x'.repeat(200_000)],
    'cannot be started, will be tried again: spawn E2BIG',
  ],
])('[R13.4] a process %s is started again and again', async (_, command, message) => {
  expect(await saidOf(command)).toEqual([message, message, message])
})
