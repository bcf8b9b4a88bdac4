// Is the address at this offset of a frame one of ours? One lookup, however many there are.

export class AddressTable<T extends { readonly octets: readonly number[] }> {
  /** By the last four octets: all of an IPv4 address, and rarely shared by IPv6 addresses. */
  readonly #byTail = new Map<number, T[]>()

  /** The entry whose address of that length starts at `at`. */
  find(bytes: Uint8Array, at: number, length: number): T | undefined {
    const found = this.#byTail.get(tailOf(bytes, at + length))
    if (found === undefined) return undefined
    for (const one of found) {
      // An IPv4 and an IPv6 address can share a tail.
      if (one.octets.length === length && isAt(bytes, at, one.octets)) return one
    }
    return undefined
  }

  put(one: T): void {
    this.remove(one)
    const tail = tailOf(one.octets, one.octets.length)
    const found = this.#byTail.get(tail)
    if (found === undefined) this.#byTail.set(tail, [one])
    else found.push(one)
  }

  remove({ octets }: Pick<T, 'octets'>): void {
    const tail = tailOf(octets, octets.length)
    const left = this.#byTail.get(tail)?.filter((one) => !isSame(octets, one.octets))
    if (left === undefined) return
    if (left.length === 0) this.#byTail.delete(tail)
    else this.#byTail.set(tail, left)
  }
}

function tailOf(bytes: ArrayLike<number>, end: number): number {
  const [a = 0, b = 0] = [bytes[end - 4], bytes[end - 3]]
  return (a << 24) | (b << 16) | ((bytes[end - 2] ?? 0) << 8) | (bytes[end - 1] ?? 0)
}

type Octets = readonly number[]
const isSame = (a: Octets, b: Octets): boolean => a.length === b.length && isAt(a, 0, b)

function isAt(bytes: ArrayLike<number>, at: number, octets: Octets): boolean {
  for (let index = 0; index < octets.length; index++) {
    if (bytes[at + index] !== octets[index]) return false
  }
  return true
}
