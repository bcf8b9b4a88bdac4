// Proves that a failure which repeats is logged once.
import { expect, test } from 'vitest'
import { Repeated } from './repeated.ts'

const well = async () => undefined
const failing = (why: string) => () => Promise.reject(new Error(why))

test('a failure is logged once, until another one comes or it went well', async () => {
  const log: unknown[] = []
  const repeated = new Repeated((entry) => log.push(entry))
  const line = (object: string, why: string) => ({
    ...{ level: 'warn', object, message: `Error: ${why}` },
  })
  for (const why of ['full', 'full', 'away', 'full']) await repeated.try('Lease', failing(why))
  await repeated.try('Secret', failing('full'))
  await repeated.try('Lease', failing('full'))
  await repeated.try('Lease', well)
  await repeated.try('Lease', failing('full'))
  expect(log).toEqual([
    line('Lease', 'full'),
    line('Lease', 'away'),
    line('Lease', 'full'),
    line('Secret', 'full'),
    line('Lease', 'full'),
  ])
})
