import { expect, test } from 'vitest'
import { defaultTiming } from './timing.ts'
import { Trial } from './trial.ts'

const lasts = 200
/** Each word is an accuser, or with a minus before it one that hears the member. */
function trialOf(words: string): Trial {
  const trial = new Trial()
  for (const word of words.split(' ').filter((one) => one !== '')) {
    if (word.startsWith('-')) trial.contradict(word.slice(1), 0, lasts)
    else trial.accuse(word, 0, lasts)
  }
  return trial
}

test.each([
  { said: '', watchers: 4, deadAt: undefined },
  { said: 'a', watchers: 1, deadAt: 20 },
  { said: 'a', watchers: 2, deadAt: 40 },
  { said: 'a b', watchers: 2, deadAt: 20 },
  { said: 'a -b', watchers: 2, deadAt: undefined },
  { said: 'a -b b', watchers: 2, deadAt: 20 },
  { said: 'a b -a', watchers: 2, deadAt: undefined },
  { said: 'a b -c -d', watchers: 4, deadAt: undefined },
  { said: 'a b c -d', watchers: 4, deadAt: 20 },
  { said: '-a', watchers: 2, deadAt: undefined },
])('$said of $watchers watchers: dead at $deadAt', ({ said, watchers, deadAt }) => {
  expect(trialOf(said).deadAt(0, watchers, defaultTiming)).toBe(deadAt)
})

test.each([
  { said: 'a', deadAt: 40 },
  { said: 'a -b', deadAt: undefined },
  { said: 'a b -c', deadAt: undefined },
  { said: 'a b c -d', deadAt: 40 },
  { said: 'a b c -d -e', deadAt: undefined },
])('a link of which is said $said: dead at $deadAt', ({ said, deadAt }) => {
  expect(trialOf(said).linkDeadAt(0, defaultTiming)).toBe(deadAt)
})

test('what was said counts for a while, then the trial is over', () => {
  const trial = trialOf('a b')
  expect(trial.deadAt(lasts, 2, defaultTiming)).toBe(20)
  expect(trial.deadAt(lasts + 1, 2, defaultTiming)).toBeUndefined()
  expect(trial.isOpen).toBe(false)
})

test('who contradicts only once is not heard for ever', () => {
  const trial = trialOf('a -b')
  trial.accuse('a', 100, lasts)
  expect(trial.deadAt(lasts, 2, defaultTiming)).toBeUndefined()
  expect(trial.deadAt(lasts + 1, 2, defaultTiming)).toBe(40)
})

test('one that objected is dead only when nobody hears it, until nobody has accused it long', () => {
  const trial = trialOf('a b c')
  trial.refuted(0)
  expect(trial.isOpen).toBe(false)
  const again = (now: number, words: readonly string[]) => {
    for (const word of words) trial.accuse(word, now, lasts)
    return trial.deadAt(now, 4, defaultTiming)
  }
  const heard = (now: number) => {
    trial.accuse('a', now, lasts)
    trial.contradict('d', now, lasts)
    return again(now, ['a', 'b', 'c'])
  }
  expect(heard(50_000)).toBeUndefined()
  trial.close()
  expect(heard(100_000)).toBeUndefined()
  trial.close()
  expect(again(101_000, ['a', 'b'])).toBe(101_020)
  trial.close()
  expect(heard(161_000)).toBe(161_020)
})

test('who slept gives the accused its time again', () => {
  const trial = trialOf('a b')
  trial.delay(1000, 990)
  expect(trial.deadAt(1000, 2, defaultTiming)).toBe(1020)
})
