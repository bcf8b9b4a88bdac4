// How much may wait to be answered, of all bodies together? Beyond that, whoever has the most loses
// a request that is not whole: one that sends many and ends none does not keep others out.

type WaitingBody = {
  readonly source: string
  bytes: number
  /** It is being read. */
  isUnfinished: boolean
  readonly end: () => void
}

type Source = { readonly bodies: Set<WaitingBody>; bytes: number }

export class WaitingBodies {
  readonly #mostBytes: number
  readonly #sources = new Map<string, Source>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Undefined where too much waits already, and not little of it from there. */
  begin(source: string, end: () => void): WaitingBody | undefined {
    const of = this.#sources.get(source) ?? { bodies: new Set(), bytes: 0 }
    const isFull = this.#bytes > this.#mostBytes
    if (isFull && !this.#isSpared(of)) return undefined
    const body = { source, bytes: 0, isUnfinished: true, end }
    of.bodies.add(body)
    this.#sources.set(source, of)
    return body
  }

  add(body: WaitingBody, bytes: number): void {
    const of = this.#sources.get(body.source)
    if (of?.bodies.has(body) !== true) return
    body.bytes += bytes
    of.bytes += bytes
    this.#bytes += bytes
    while (this.#bytes > this.#mostBytes) {
      const eldest = this.#eldestOfLargest()
      if (eldest === undefined) return
      this.done(eldest)
      eldest.end()
    }
  }

  /** It is answered, or over. */
  done(body: WaitingBody): void {
    const of = this.#sources.get(body.source)
    if (of?.bodies.delete(body) !== true) return
    of.bytes -= body.bytes
    this.#bytes -= body.bytes
    if (of.bodies.size === 0) this.#sources.delete(body.source)
  }

  /** Who has little does not give way to who has much, as far as there is room for both. */
  #isSpared({ bytes }: Source): boolean {
    return bytes < this.#mostBytes / 8 && this.#bytes <= 2 * this.#mostBytes
  }

  /** Of the source that has the most and is still sending. */
  #eldestOfLargest(): WaitingBody | undefined {
    let [most, eldest]: [number, WaitingBody | undefined] = [-1, undefined]
    for (const source of this.#sources.values()) {
      const { bodies, bytes } = source
      if (bytes <= most || this.#isSpared(source)) continue
      const first = firstUnfinished(bodies)
      if (first === undefined) continue
      most = bytes
      eldest = first
    }
    return eldest
  }
}

function firstUnfinished(bodies: Iterable<WaitingBody>): WaitingBody | undefined {
  for (const one of bodies) if (one.isUnfinished && one.bytes > 0) return one
  return undefined
}
