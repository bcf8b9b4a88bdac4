// A clock that a test moves on by hand; what waits for it is called in order of its time.

type Timer = { readonly atMs: number; readonly act: () => void }

export function newClock() {
  let now = 0
  const timers = new Set<Timer>()
  const after = (ms: number, act: () => void): (() => void) => {
    const timer = { atMs: now + ms, act }
    timers.add(timer)
    return () => timers.delete(timer)
  }
  const advance = (ms: number): void => {
    const until = now + ms
    for (;;) {
      const due = [...timers].filter(({ atMs }) => atMs <= until)
      const [next] = due.sort((one, other) => one.atMs - other.atMs)
      if (next === undefined) break
      timers.delete(next)
      now = Math.max(now, next.atMs)
      next.act()
    }
    now = until
  }
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => void after(ms, resolve))
  return { nowMs: () => now, after, advance, sleep }
}
