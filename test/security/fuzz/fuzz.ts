// Does a decoder answer whatever it is given with yes or no? What breaks it is told as hex, to be
// kept among the finds.

import { toHex } from '../../build/hex.ts'
import { randomFrom } from '../../build/random.ts'
import { type Decoder, damagedFrom } from './damage.ts'

export type Plan = {
  readonly inputs: number
  readonly seed: number
  /** It ends earlier then. */
  readonly mostSeconds?: number
}
export type Ran = {
  readonly inputs: number
  /** How many were input as it should be, for all the damage. */
  readonly taken: number
  readonly slowestMs: number
}

/** Looked at the clock, and let others run, once in so many. */
const atOnce = 4096

export async function fuzz(
  decoder: Decoder,
  { inputs, seed, mostSeconds = Number.POSITIVE_INFINITY }: Plan,
): Promise<Ran> {
  const next = damagedFrom(decoder, randomFrom(seed))
  const end = performance.now() + mostSeconds * 1000
  let [done, taken, slowestMs] = [0, 0, 0]
  while (done < inputs && performance.now() < end) {
    const until = Math.min(inputs, done + atOnce)
    for (; done < until; done++) {
      const bytes = next()
      const began = performance.now()
      if (await readOrTell(decoder, bytes)) taken += 1
      slowestMs = Math.max(slowestMs, performance.now() - began)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { inputs: done, taken, slowestMs }
}

export async function readOrTell({ name, read }: Decoder, bytes: Uint8Array): Promise<boolean> {
  try {
    const answer = read(bytes)
    return typeof answer === 'boolean' ? answer : await answer
  } catch (error) {
    throw new Error(`${name}: ${toHex(bytes)}: ${String(error)}`, { cause: error })
  }
}
