import { expect, test } from 'vitest'
import { showsColour } from './showsColour.ts'

test.each([
  { env: {}, isTerminal: true, shows: true },
  { env: {}, isTerminal: false, shows: false },
  { env: { NO_COLOR: '1' }, isTerminal: true, shows: false },
  { env: { NO_COLOR: '' }, isTerminal: true, shows: true },
  { env: { FORCE_COLOR: '1' }, isTerminal: false, shows: true },
  { env: { FORCE_COLOR: '1', NO_COLOR: '1' }, isTerminal: false, shows: true },
  { env: { FORCE_COLOR: '0' }, isTerminal: true, shows: false },
  { env: { FORCE_COLOR: 'false' }, isTerminal: true, shows: false },
  { env: { FORCE_COLOR: '' }, isTerminal: false, shows: false },
])('$env on a terminal $isTerminal: $shows', ({ env, isTerminal, shows }) => {
  expect(showsColour(env, isTerminal)).toBe(shows)
})
