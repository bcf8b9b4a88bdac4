// Until when may this node answer? The main thread moves the time on, the worker looks before each
// answer: when the one hangs, the other falls silent by itself.

export type Deadline = {
  /** Handed to the other thread. */
  readonly buffer: SharedArrayBuffer
  /** In the milliseconds of `monotonicMs`. */
  extend(untilMs: number): void
  isAhead(): boolean
}

const nanosInMs = 1e6

/** Nothing may be answered before it is extended. */
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
