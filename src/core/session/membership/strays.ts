// Are we the ones that are cut off? Who is held for dead but heard on the services' wire tells.
//
// The management network may fail while the wire of the services goes on. Then each side takes the
// other for dead, and both would answer the same clients. So beats over links say how many speakers
// their sender sees by UDP, and of the sides that hear each other on a link only one stays: the
// largest, and of several such the one with the smallest node name. The members of the others are
// no candidates themselves. To count strays alone would not do: when the management network fails
// for everybody, each is alone and hears many, and nobody would be left.
import type { Ground } from './ground.ts'
import { isSameLife } from './life.ts'
import { helloMs } from './linkBeats.ts'
import type { Peer } from './roster.ts'

type Beat = { readonly incarnation: number; readonly seen: number }
type Stray = { readonly countsFrom: number; readonly heardAt: number; readonly seen: number }

/** The dead send only hellos; as many of them may get lost in a row. */
const hellosLost = 5
/** A process that was just started is first heard on a link, then by UDP: it has this long. */
const greetingMs = 3000

export class Strays {
  readonly #ground: Ground
  readonly #heard = new Map<string, Stray>()

  constructor(ground: Ground) {
    this.#ground = ground
  }

  get isEmpty(): boolean {
    return this.#heard.size === 0
  }

  /** A beat over a link, of one that is dead or at least silent otherwise. */
  beat(now: number, { node, facts }: Peer, { incarnation, seen }: Beat): void {
    const isKnown = isSameLife(facts.incarnation, incarnation)
    const countsFrom = this.#heard.get(node)?.countsFrom ?? now + (isKnown ? 0 : greetingMs)
    this.#heard.set(node, { countsFrom, heardAt: now, seen })
  }

  /** It is heard by UDP. */
  meet(node: string): void {
    this.#heard.delete(node)
  }

  /** Whether a side that stays is heard, so that this one has to give up. */
  isOutdone(now: number): boolean {
    const { roster } = this.#ground
    this.#forget(now - hellosLost * helloMs(roster.size))
    const strays = [...this.#heard].filter(
      ([node, { countsFrom }]) => now >= countsFrom && roster.get(node)?.state === 'dead',
    )
    const ours = roster.ring
    const smallest = ours.reduce((one, other) => (one < other ? one : other))
    return strays.some(([node, { seen }]) => {
      // What it said before it noticed the split counted us too: of its side all are strays.
      const theirs = Math.min(seen, strays.length)
      return theirs > ours.length || (theirs === ours.length && node < smallest)
    })
  }

  #forget(before: number): void {
    for (const [node, { heardAt }] of this.#heard) {
      if (heardAt < before || this.#ground.roster.get(node) === undefined) this.#heard.delete(node)
    }
  }
}
