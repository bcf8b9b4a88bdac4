// What is due next? A heap ordered by urgency, then by time. Each item stores its own position, so
// that it can be moved or removed, and waiting items allocate nothing.

type Due = {
  dueAt: number
  isUrgent: boolean
  /** Position in the heap; -1 if not in it. */
  place: number
}

export class Agenda<T extends Due> {
  readonly #heap: T[] = []

  get nextAt(): number | undefined {
    return this.#heap[0]?.dueAt
  }

  /** Schedules the item, replacing its earlier time. */
  put(item: T, at: number): void {
    this.#put(item, at, false)
  }

  /** Schedules the item ahead of those that have been due for longer. */
  urge(item: T, now: number): void {
    this.#put(item, now, true)
  }

  takeOff(item: T): void {
    const { place } = item
    if (place < 0) return
    item.place = -1
    const last = this.#heap.pop()
    if (last === undefined || last === item) return
    this.#set(place, last)
    this.#rise(place)
    this.#sink(last.place)
  }

  /** Removes and returns the first item that is due. */
  takeDue(now: number): T | undefined {
    const first = this.#heap[0]
    if (first === undefined || first.dueAt > now) return undefined
    this.takeOff(first)
    return first
  }

  #put(item: T, at: number, isUrgent: boolean): void {
    item.dueAt = at
    item.isUrgent = isUrgent
    if (item.place < 0) this.#set(this.#heap.length, item)
    this.#rise(item.place)
    this.#sink(item.place)
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#isBefore(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const least = this.#isBefore(right, left) ? right : left
      if (!this.#isBefore(least, at)) return
      this.#swap(at, least)
      at = least
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]]
    if (one === undefined || other === undefined) return one !== undefined
    return one.isUrgent === other.isUrgent ? one.dueAt < other.dueAt : one.isUrgent
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#heap[a], this.#heap[b]]
    if (one === undefined || other === undefined) return
    this.#set(a, other)
    this.#set(b, one)
  }

  #set(at: number, item: T): void {
    this.#heap[at] = item
    item.place = at
  }
}
