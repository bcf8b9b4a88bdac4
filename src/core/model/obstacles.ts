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
  /** Why the API refused the object to that maker, as long as it does. */
  refusalOf(of: Ref, maker: string): string | undefined
}

/** What is refused may be gone, together with its maker, without anybody saying so. */
const mostRefused = 10_000

export class Obstacles implements ReadonlyObstacles {
  readonly #unserved = new Set<Kind>()
  /** By object and maker: several can want one, and none is told what another was. */
  readonly #refused = new Map<string, Map<string, RefusedWrite>>()

  isServed(kind: Kind): boolean {
    return !this.#unserved.has(kind)
  }

  refusalOf(of: Ref, maker: string): string | undefined {
    return this.#refused.get(refText(of))?.get(maker)?.why
  }

  /** Answers whether that is news. */
  serve(kind: Kind, isServed: boolean): boolean {
    if (this.isServed(kind) === isServed) return false
    if (isServed) this.#unserved.delete(kind)
    else this.#unserved.add(kind)
    return true
  }

  refuse(refused: RefusedWrite): boolean {
    const { of, maker, why } = refused
    const isNews = this.refusalOf(of, maker) !== why
    const all = this.#refused.get(refText(of))
    if (all === undefined) this.#refused.set(refText(of), new Map([[maker, refused]]))
    else all.set(maker, refused)
    const [eldest] = this.#refused.size > mostRefused ? this.#refused.keys() : []
    if (eldest !== undefined) this.#refused.delete(eldest)
    return isNews
  }

  /** It was written; answers to whom it had been refused. */
  accept(of: Ref): readonly string[] {
    const before = this.#refused.get(refText(of))
    this.#refused.delete(refText(of))
    return [...(before?.keys() ?? [])]
  }
}
