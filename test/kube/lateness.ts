// What if a watch is behind? Lines that come later than they were sent, as through a bad proxy.
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiRequest } from '../../src/edge/kube/api/client.ts'

/** How the lines of a watch come through. */
export type Lines = (lines: AsyncIterable<string>, request: ApiRequest) => AsyncGenerator<string>

export const untouched: Lines = async function* (lines) {
  yield* lines
}

type Due = { readonly line: string; readonly dueMs: number }

/** Each so much later than it came, however many there are. */
export const late = (byMs: number): Lines =>
  async function* (lines) {
    const stamped = async function* (): AsyncGenerator<Due> {
      for await (const line of lines) yield { line, dueMs: performance.now() + byMs }
    }
    // A stream reads ahead of whoever reads it.
    for await (const next of Readable.from(stamped(), { highWaterMark: 100_000 })) {
      const { line, dueMs } = next as Due
      await sleep(Math.max(0, dueMs - performance.now()))
      yield line
    }
  }

/** One after another with so much between them: the more there are, the later they come. */
export const slow = (eachMs: number): Lines =>
  async function* (lines) {
    for await (const line of lines) {
      await sleep(eachMs)
      yield line
    }
  }

/** Nothing comes any more of what this fits, once it is silent. */
export const silent = (isSilent: (request: ApiRequest) => boolean): Lines =>
  async function* (lines, request) {
    for await (const line of lines) if (!isSilent(request)) yield line
  }
