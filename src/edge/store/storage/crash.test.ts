import { expect, test } from 'vitest'
import { newFolder } from '../../../../test/build/newFolder.ts'
import { killAgainAndAgain } from '../../../../test/build/storeCrash.ts'

test('what was acknowledged survives kill -9, and nothing is half there', async () => {
  const { acknowledged, revision } = await killAgainAndAgain(newFolder(), { seed: 20, kills: 5 })
  expect(acknowledged).toBeGreaterThan(0)
  expect(revision).toBeGreaterThanOrEqual(acknowledged)
})
