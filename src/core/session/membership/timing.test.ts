import { expect, test } from 'vitest'
import { defaultTiming, linkTiming } from './timing.ts'

test.each([
  { up: 1, down: 0, beatMs: 80, timeoutMs: 340 },
  { up: 2, down: 5, beatMs: 80, timeoutMs: 340 },
  { up: 3, down: 0, beatMs: 80, timeoutMs: 680 },
  { up: 16, down: 0, beatMs: 80, timeoutMs: 680 },
])('$up links are beaten every $beatMs ms', ({ up, down, beatMs, timeoutMs }) => {
  const links = Array.from({ length: up + down }, (_, at) => ({ isUp: at < up }))
  expect(linkTiming(defaultTiming, links)).toMatchObject({ beatMs, timeoutMs })
})
