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
}

/** Looked at the clock, and let others run, once in so many. */
const atOnce = 4096

export async function fuzz(
  decoder: Decoder,
  { inputs, seed, mostSeconds = Number.POSITIVE_INFINITY }: Plan,
): Promise<Ran> {
  const next = damagedFrom(decoder, randomFrom(seed))
  const end = performance.now() + mostSeconds * 1000
  let [done, taken] = [0, 0]
  while (done < inputs && performance.now() < end) {
    const until = Math.min(inputs, done + atOnce)
    for (; done < until; done++) {
      const answer = readOrTell(decoder, next())
      // To wait for what is there already takes longer than to read most of it.
      taken += Number(typeof answer === 'boolean' ? answer : await answer)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { inputs: done, taken }
}

export function readOrTell({ name, read }: Decoder, bytes: Uint8Array): boolean | Promise<boolean> {
  const tell = (error: unknown): never => {
    throw new Error(`${name}: ${toHex(bytes)}: ${String(error)}`, { cause: error })
  }
  try {
    const answer = read(bytes)
    return typeof answer === 'boolean' ? answer : answer.catch(tell)
  } catch (error) {
    return tell(error)
  }
}
