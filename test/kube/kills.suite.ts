// The controller is killed at any moment: is any address lost, moved or given twice (P1, P2)?
import { expect, test } from 'vitest'
import { stand, underFaults } from './faultCase.ts'
import { killBetweenWrites, killProgram, movesOf } from './killLoop.ts'

const minutes = 60_000

underFaults('kill -9', () => {
  test(
    '[P1] between any two writes, 40 times',
    async () => {
      await killBetweenWrites(stand, { kills: 40, seed: 17 })
      expect(movesOf(stand)).toEqual([])
      expect(await stand.timeline.shownOnly()).toEqual([])
    },
    3 * minutes,
  )

  test(
    '[P1] of the program itself, under load, 10 times',
    async () => {
      await killProgram(stand, { kills: 10, seed: 19 })
      expect(movesOf(stand)).toEqual([])
      expect(await stand.timeline.shownOnly()).toEqual([])
    },
    3 * minutes,
  )
})
