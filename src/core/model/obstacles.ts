// What stands in the way of what we would make? Kinds that the API does not serve, and writes that
// it refused.
import { refText } from './ref.ts'
import type { Kind } from './view.ts'
import type { Ref } from './write.ts'

export type RefusedWrite = {
  readonly of: Ref
  /** What it is made from, as Kind/name. */
  readonly maker: string
  readonly why: string
}

/** What policy may ask. */
export type ReadonlyObstacles = {
  /** Everything is, unless the API was heard to say otherwise. */
  isServed(kind: Kind): boolean
  /** Why the API refused the object, as long as it does. */
  refusalOf(of: Ref): string | undefined
}

export class Obstacles implements ReadonlyObstacles {
  readonly #unserved = new Set<Kind>()
  readonly #refused = new Map<string, RefusedWrite>()

  isServed(kind: Kind): boolean {
    return !this.#unserved.has(kind)
  }

  refusalOf(of: Ref): string | undefined {
    return this.#refused.get(refText(of))?.why
  }

  /** Answers whether that is news. */
  serve(kind: Kind, isServed: boolean): boolean {
    if (this.isServed(kind) === isServed) return false
    if (isServed) this.#unserved.delete(kind)
    else this.#unserved.add(kind)
    return true
  }

  refuse(refused: RefusedWrite): boolean {
    const isNews = this.refusalOf(refused.of) !== refused.why
    this.#refused.set(refText(refused.of), refused)
    return isNews
  }

  /** It was written; answers what had been said of it. */
  accept(of: Ref): RefusedWrite | undefined {
    const before = this.#refused.get(refText(of))
    this.#refused.delete(refText(of))
    return before
  }
}
