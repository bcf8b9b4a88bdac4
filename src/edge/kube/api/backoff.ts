// How long to wait before the next attempt? Twice as long each time, with jitter.

const firstMs = 100
/** Everyone is back ten seconds after an outage, however long it lasted. */
const mostMs = 10_000

/** The server's Retry-After counts if it is longer. */
export function backoffMs(failures: number, random: () => number, askedMs = 0): number {
  const most = Math.min(mostMs, firstMs * 2 ** Math.min(failures, 20))
  return Math.max(askedMs, Math.round(most * (0.5 + random() / 2)))
}
