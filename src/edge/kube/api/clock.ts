// What time is it, for whoever waits? Handed in, so that a test need not wait.

export type Clock = {
  /** Only ever grows; from no particular start. */
  readonly nowMs: () => number
  /** Ends after that time, or as soon as the signal aborts; never throws. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}
