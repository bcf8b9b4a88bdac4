// How much may wait to be answered, of all bodies together? Beyond that, whoever has the most loses
// a request that is not whole: one that sends many and ends none does not keep others out.

type WaitingBody = {
  readonly source: string
  bytes: number
  /** It is being read. */
  isUnfinished: boolean
  readonly end: () => void
}

export class WaitingBodies {
  readonly #mostBytes: number
  readonly #bySource = new Map<string, Set<WaitingBody>>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** Undefined where too much waits already, and not little of it from there. */
  begin(source: string, end: () => void): WaitingBody | undefined {
    const isFull = this.#bytes > this.#mostBytes
    const isLittle = this.#bytesOf(source) < this.#mostBytes / 8
    if (this.#bytes > 2 * this.#mostBytes || (isFull && !isLittle)) return undefined
    const body = { source, bytes: 0, isUnfinished: true, end }
    const beside = this.#bySource.get(source)
    if (beside === undefined) this.#bySource.set(source, new Set([body]))
    else beside.add(body)
    return body
  }

  add(body: WaitingBody, bytes: number): void {
    if (this.#bySource.get(body.source)?.has(body) !== true) return
    body.bytes += bytes
    this.#bytes += bytes
    while (this.#bytes > this.#mostBytes) {
      const [largest] = this.#unfinished()
      if (largest === undefined) return
      this.done(largest)
      largest.end()
    }
  }

  /** It is answered, or over. */
  done(body: WaitingBody): void {
    const beside = this.#bySource.get(body.source)
    if (beside?.delete(body) !== true) return
    this.#bytes -= body.bytes
    if (beside.size === 0) this.#bySource.delete(body.source)
  }

  #bytesOf(source: string): number {
    let sum = 0
    for (const { bytes } of this.#bySource.get(source) ?? []) sum += bytes
    return sum
  }

  /** Of the source that has the most and is still sending, the eldest first. */
  #unfinished(): readonly WaitingBody[] {
    let [most, found]: [number, readonly WaitingBody[]] = [-1, []]
    for (const [source, bodies] of this.#bySource) {
      const sending = [...bodies].filter(({ isUnfinished, bytes }) => isUnfinished && bytes > 0)
      if (sending.length === 0 || this.#bytesOf(source) <= most) continue
      most = this.#bytesOf(source)
      found = sending
    }
    return found
  }
}
