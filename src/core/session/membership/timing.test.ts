import { expect, test } from 'vitest'
import { defaultTiming, linkTiming } from './timing.ts'

test.each([
  { given: [40, 160], beatMs: 40, timeoutMs: 160 },
  { given: [20, 150], beatMs: 37.5, timeoutMs: 150 },
  { given: [10, 40], beatMs: 10, timeoutMs: 40 },
] as const)('of $given it is $beatMs ms: a timeout holds four', ({ given, beatMs, timeoutMs }) => {
  const timing = { ...defaultTiming, beatMs: given[0], timeoutMs: given[1] }
  expect(linkTiming(timing, [{ isUp: true, isUsed: true }])).toMatchObject({ beatMs, timeoutMs })
})

test.each([
  { up: 1, down: 0, beatMs: 80, timeoutMs: 340 },
  { up: 2, down: 5, beatMs: 80, timeoutMs: 340 },
  { up: 3, down: 0, beatMs: 80, timeoutMs: 680 },
  { up: 16, down: 0, beatMs: 80, timeoutMs: 680 },
])('$up links are beaten every $beatMs ms', ({ up, down, beatMs, timeoutMs }) => {
  const links = Array.from({ length: up + down }, (_, at) => ({
    ...{ isUp: at < up || at % 2 === 0, isUsed: at < up || at % 2 === 1 },
  }))
  expect(linkTiming(defaultTiming, links)).toMatchObject({ beatMs, timeoutMs })
})
