// What every router is asked, whatever it is called there.
import type { Path } from '../router.ts'

/** The family that the session runs on. */
export type Transport = 'four' | 'six'

export type RouterOptions = {
  readonly transport?: Transport
  /** 300 ms x 5, on both sides. */
  readonly hasBfd?: boolean
}
export const calmBfd = { receiveInterval: 300, transmitInterval: 300, detectMultiplier: 5 } as const

export type Router = {
  /** Of a prefix, as the router has them. */
  readonly paths: (prefix: string) => readonly Path[]
  /** How many prefixes of IPv4 it has from us. */
  readonly count: () => number
  /** Asks us for all routes once more; undefined where it cannot. */
  readonly refresh?: () => void
  /** Whether it has BFD with us, and that is up; undefined where it cannot. */
  readonly hasBfdUp?: () => boolean
  /** It is told another key, as an operator does it, and is not restarted. */
  readonly rekey: (password: string) => void
  /** Its process dies without a word, and another one begins. */
  readonly restart: () => Promise<void>
  /** In which it says how the last session ended. */
  readonly lastWords: () => string
}
