// Until when may this node answer? The main thread extends the deadline, and the worker checks it
// before each answer: if the main thread hangs, the worker falls silent by itself.

export type Deadline = {
  /** Passed to the other thread. */
  readonly buffer: SharedArrayBuffer
  /** In milliseconds of `monotonicMs`. */
  extend(untilMs: number): void
  isAhead(): boolean
}

const nanosInMs = 1e6

/** Nothing may be answered before the first extension. */
export function newDeadline(buffer = new SharedArrayBuffer(8)): Deadline {
  const until = new BigInt64Array(buffer)
  return {
    buffer,
    extend: (untilMs) => {
      Atomics.store(until, 0, BigInt(Math.round(untilMs * nanosInMs)))
    },
    isAhead: () => process.hrtime.bigint() < Atomics.load(until, 0),
  }
}
