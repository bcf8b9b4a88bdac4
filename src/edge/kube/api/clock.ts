// What time is it? Passed in, so that tests need not wait.

export type Clock = {
  /** Monotonic, with an arbitrary start. */
  readonly nowMs: () => number
  /** Resolves after that time, or as soon as the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}
