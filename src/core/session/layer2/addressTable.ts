// Is the address at this offset of a frame one of ours? One lookup, however many there are.

export class AddressTable<T extends { readonly octets: readonly number[] }> {
  /**
   * By the last four octets: all of an IPv4 address, and rarely shared by IPv6 addresses. Those
   * that do are found by their text: whoever chooses addresses could let thousands share a tail.
   */
  readonly #byTail = new Map<number, T | Map<string, T>>()

  /** The entry whose address of that length starts at `at`. */
  find(bytes: Uint8Array, at: number, length: number): T | undefined {
    const found = this.#byTail.get(tailOf(bytes, at + length))
    if (found === undefined) return undefined
    const one = found instanceof Map ? found.get(textOf(bytes, at, length)) : found
    // An IPv4 and an IPv6 address can share a tail.
    return one?.octets.length === length && isAt(bytes, at, one.octets) ? one : undefined
  }

  put(one: T): void {
    const { octets } = one
    const tail = tailOf(octets, octets.length)
    const found = this.#byTail.get(tail)
    if (found === undefined) this.#byTail.set(tail, one)
    else if (found instanceof Map) found.set(wholeText(octets), one)
    else if (isSame(octets, found.octets)) this.#byTail.set(tail, one)
    else {
      const both = [found, one].map((each) => [wholeText(each.octets), each] as const)
      this.#byTail.set(tail, new Map(both))
    }
  }

  remove({ octets }: Pick<T, 'octets'>): void {
    const tail = tailOf(octets, octets.length)
    const found = this.#byTail.get(tail)
    if (found instanceof Map) {
      found.delete(wholeText(octets))
      const [left] = found.size === 1 ? found.values() : []
      if (left !== undefined) this.#byTail.set(tail, left)
    } else if (found !== undefined && isSame(octets, found.octets)) this.#byTail.delete(tail)
  }
}

function textOf(bytes: ArrayLike<number>, at: number, length: number): string {
  let text = ''
  for (let index = 0; index < length; index++) {
    text += String.fromCharCode(bytes[at + index] ?? 0)
  }
  return text
}

const wholeText = (octets: Octets): string => textOf(octets, 0, octets.length)

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
