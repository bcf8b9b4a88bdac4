// Proves how few writes a session costs that flaps, and that what is written last is how it is.
import { expect, test } from 'vitest'
import { bgpSession } from '../../../../../test/build/bgpSession.ts'
import { SessionPace } from './sessionPace.ts'

/** Every second a look, for so many seconds: when it was written, and what. */
function looks(seconds: number, at: (second: number) => Parameters<typeof bgpSession>[0]) {
  const pace = new SessionPace()
  const written: { second: number; bgpStatus: string; routesSent: number }[] = []
  for (let second = 0; second < seconds; second++) {
    const status = bgpSession(at(second))
    if (!pace.isDue(status, second * 1000)) continue
    pace.wrote(status, second * 1000)
    const { bgpStatus, routesSent } = status
    written.push({ second, bgpStatus, routesSent })
  }
  return written
}

test('[R8.10] what does not change is written once', () => {
  expect(looks(600, () => ({}))).toHaveLength(1)
})

test('[R8.10] a session that came up and goes down much later is written both times at once', () => {
  const written = looks(600, (second) => ({ bgpStatus: second < 300 ? 'Established' : 'Active' }))
  expect(written.map(({ second }) => second)).toEqual([0, 300])
})

test('[R8.10] one that flaps each second for ten minutes is written at most every 30 s', () => {
  const written = looks(660, (second) => ({
    bgpStatus: second % 2 === 0 && second < 600 ? 'Established' : 'Active',
  }))
  expect(written.length).toBeLessThan(30)
  expect(written.at(-1)).toMatchObject({ bgpStatus: 'Active' })
})

test('[R8.10] figures that never rest are written ever less often, and a state beside them at once', () => {
  const written = looks(1_200, (second) => ({
    routesSent: second,
    bgpStatus: second < 1_000 ? 'Established' : 'Active',
  }))
  expect(written.length).toBeLessThan(16)
  expect(written.map(({ second }) => second)).toContain(1_000)
})
