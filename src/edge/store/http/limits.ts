// How much may clients take of us? Enough for any that means well, and no more.
import type { WatchLimits } from './watchStream.ts'

export type Limits = WatchLimits & {
  readonly handshakeMs: number
  /** Until the headers are there, and until the body is. */
  readonly headersMs: number
  readonly requestMs: number
  /** Until a long answer is taken in, so that nobody holds what it shows for ever. */
  readonly answerMs: number
  /** Longer than clients in Go keep a connection (90 s), so that none is closed under a call. */
  readonly idleMs: number
  /** How often those times are looked at, and whether who watches is still let in. */
  readonly checkMs: number
  readonly closeMs: number
  readonly connections: number
  readonly headerBytes: number
  readonly bodyBytes: number
}

export const usualLimits: Limits = {
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 60_000,
  // As kube-apiserver gives.
  answerMs: 60_000,
  idleMs: 120_000,
  checkMs: 5_000,
  closeMs: 1_000,
  connections: 5_000,
  headerBytes: 64 * 1024,
  // As kube-apiserver takes.
  bodyBytes: 3 * 1024 * 1024,
  bookmarkMs: 60_000,
  bufferedBytes: 1024 * 1024,
  stallMs: 30_000,
}
