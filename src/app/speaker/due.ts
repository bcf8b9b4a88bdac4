// Which Services wait to be decided, and in which order? Each once, those without an owner first.
import type { Key } from '../../core/model/service.ts'

/** First in, first out, without duplicates. */
class Line {
  readonly #members = new Set<Key>()
  #keys: Key[] = []
  #at = 0

  get size(): number {
    return this.#members.size
  }

  has(key: Key): boolean {
    return this.#members.has(key)
  }

  add(key: Key): void {
    if (this.#members.has(key)) return
    this.#members.add(key)
    this.#keys.push(key)
  }

  delete(key: Key): void {
    this.#members.delete(key)
  }

  take(): Key | undefined {
    while (this.#at < this.#keys.length) {
      const key = this.#keys[this.#at++]
      if (key !== undefined && this.#members.delete(key)) return key
    }
    this.#keys = []
    this.#at = 0
    return undefined
  }
}

export class Due {
  readonly #urgent = new Line()
  readonly #rest = new Line()

  get size(): number {
    return this.#urgent.size + this.#rest.size
  }

  get hasUrgent(): boolean {
    return this.#urgent.size > 0
  }

  add(key: Key): void {
    if (!this.#urgent.has(key)) this.#rest.add(key)
  }

  /** Moves the key ahead of everything that is not urgent. */
  urge(key: Key): void {
    this.#rest.delete(key)
    this.#urgent.add(key)
  }

  take(): Key | undefined {
    return this.#urgent.take() ?? this.#rest.take()
  }
}
