import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { beatPulse, Pulse } from './pulse.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function followed() {
  const said: string[] = []
  const beats = new SharedArrayBuffer(4)
  const pulse = new Pulse(beats, {
    changed: (isHeard) => said.push(isHeard ? 'heard' : 'silent'),
    gone: () => said.push('gone'),
  })
  const speaks = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      beatPulse(beats)
      vi.advanceTimersByTime(1_000)
    }
  }
  return { pulse, said, speaks }
}

test('a thread that keeps beating is left alone', () => {
  const { pulse, said, speaks } = followed()
  speaks(60)
  vi.advanceTimersByTime(2_900)
  expect([said, pulse.isHeard]).toEqual([[], true])
})

test('a thread that hangs is silent after 3 s and gone after 10 s, each reported once', () => {
  const { pulse, said, speaks } = followed()
  speaks(5)
  vi.advanceTimersByTime(3_000)
  expect([said, pulse.isHeard]).toEqual([['silent'], false])
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual(['silent', 'gone'])
})

test('a thread that hangs after its first beat is silent too', () => {
  const { said, speaks } = followed()
  speaks(1)
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual(['silent', 'gone'])
})

test('a thread that is slow to start is waited for', () => {
  const { said } = followed()
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual([])
})

test('a thread that only paused is heard again', () => {
  const { pulse, said, speaks } = followed()
  speaks(1)
  vi.advanceTimersByTime(8_000)
  speaks(20)
  expect([said, pulse.isHeard]).toEqual([['silent', 'heard'], true])
})

test('nothing is reported about a stopped thread', () => {
  const { pulse, said, speaks } = followed()
  speaks(1)
  pulse.stop()
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
})
