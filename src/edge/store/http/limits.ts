// How much time, memory and how many connections may clients use?
import type { WatchLimits } from './watchStream.ts'

export type Limits = WatchLimits & {
  readonly handshakeMs: number
  /** Until the headers have arrived, and until the body has. */
  readonly headersMs: number
  readonly requestMs: number
  /**
   * Until a long answer has been read, so that a client cannot hold its objects in memory for ever.
   */
  readonly answerMs: number
  /** Longer than Go clients keep a connection (90 s), so that none is closed during a call. */
  readonly idleMs: number
  /** How often timeouts, and the credentials of watches, are checked. */
  readonly checkMs: number
  readonly closeMs: number
  readonly connections: number
  /** Fewer than connections, so that there are some for other requests. */
  readonly watches: number
  readonly watchesOfUser: number
  /** Beyond this, answers that nobody reads are cut off. */
  readonly answersBytes: number
  readonly headerBytes: number
  readonly bodyBytes: number
  /** Of all requests together that are not answered yet; beyond it, who has the most gives way. */
  readonly bodiesBytes: number
  /** Of all bodies that are parsed at the same time. */
  readonly parsingBytes: number
}

export const usualLimits: Limits = {
  handshakeMs: 10_000,
  headersMs: 10_000,
  requestMs: 60_000,
  // As in kube-apiserver.
  answerMs: 60_000,
  idleMs: 120_000,
  checkMs: 5_000,
  closeMs: 1_000,
  connections: 5_000,
  watches: 4_000,
  watchesOfUser: 2_000,
  answersBytes: 256 * 1024 * 1024,
  headerBytes: 64 * 1024,
  // As in kube-apiserver.
  bodyBytes: 3 * 1024 * 1024,
  bodiesBytes: 256 * 1024 * 1024,
  parsingBytes: 4 * 1024 * 1024,
  bookmarkMs: 60_000,
  bufferedBytes: 1024 * 1024,
  stallMs: 30_000,
}
