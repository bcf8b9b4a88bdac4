// How long to wait before the next try? Twice as long each time, and never all at once.

const firstMs = 100
/** Ten seconds after an outage everybody is back, however long it took. */
const mostMs = 10_000

/** The server's own wish counts when it is longer. */
export function backoffMs(failures: number, random: () => number, wishMs = 0): number {
  const most = Math.min(mostMs, firstMs * 2 ** Math.min(failures, 20))
  return Math.max(wishMs, Math.round(most * (0.5 + random() / 2)))
}
