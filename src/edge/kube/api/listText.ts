// Where are the items of a list? Found in its bytes as they come, so that each one is parsed, used
// and dropped by itself; a page that is read as a whole would stay in memory as a whole.
import { counted } from '../../../core/net/counted.ts'
import { parse } from './answer.ts'
import { Fault } from './fault.ts'

const [quote, comma, backslash, bracket] = [0x22, 0x2c, 0x5c, 0x5b]
const isOpening = (byte: number): boolean => byte === 0x7b || byte === bracket
const isClosing = (byte: number): boolean => byte === 0x7d || byte === 0x5d

/** How deep the members of the list stand, and its items. */
const [memberDepth, itemDepth] = [1, 2]
/** Far more than an object may have, or a list beside its items. */
const maxHeldBytes = 16 * 1024 * 1024

/** Invalid JSON is detected when it is parsed. */
export class ListText {
  readonly #request: string
  /** From the member or item that is not complete yet. */
  #held: Buffer = Buffer.alloc(0)
  /** How far that has been searched; past its end if the next byte is escaped. */
  #at = 0
  #depth = 0
  #isInString = false
  #items: 'awaited' | 'coming' | 'over' = 'awaited'
  #isFirst = true
  /** The list without its items, as far as it has come. */
  #around = ''

  constructor(request: string) {
    this.#request = request
  }

  /** The list as it is known while its items come. */
  get begun(): unknown {
    return parse(`${this.#around}]}`, this.#request)
  }

  /** The items that are complete with these bytes. */
  *take(bytes: Buffer): Generator<unknown> {
    const held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    let from = 0
    for (let at = this.#next(held); at < held.length; at = this.#next(held)) {
      this.#at = at + 1
      if (this.#items === 'coming') {
        yield* this.#item(held.toString('utf8', from, at), held[at] === comma)
        from = held[at] === comma ? at + 1 : at
      } else if (held[at] === comma || this.#opensItems(held.toString('utf8', from, at))) {
        this.#around += held.toString('utf8', from, at + 1)
        from = at + 1
        if (held[at] === bracket) this.#items = 'coming'
      }
    }
    this.#held = held.subarray(from)
    this.#at -= from
    if (this.#held.length + this.#around.length > maxHeldBytes) {
      const size = counted(maxHeldBytes, 'byte')
      throw new Fault(`${this.#request}: more than ${size} that are no complete item`)
    }
  }

  /** The list without its items; a Fault if it was cut short. */
  end(): unknown {
    return parse(this.#around + this.#held.toString('utf8'), this.#request)
  }

  /**
   * What comes next of these, or the end: a comma between members or items, the end of the items
   * or of the list, and the beginning of an array. All JSON syntax is single bytes that occur in no
   * other UTF-8 character.
   */
  #next(held: Buffer): number {
    const own = this.#items === 'coming' ? itemDepth : memberDepth
    let [at, depth, isInString] = [this.#at, this.#depth, this.#isInString]
    for (; at < held.length; at++) {
      const byte = held[at] ?? 0
      if (isInString) {
        if (byte === backslash) at++
        else if (byte === quote) isInString = false
      } else if (byte === quote) isInString = true
      else if (byte === comma) {
        if (depth === own) break
      } else if (isOpening(byte)) {
        depth++
        if (byte === bracket && own === memberDepth && depth === itemDepth) break
      } else if (isClosing(byte)) {
        depth--
        if (depth === own - 1) break
      }
    }
    this.#at = at
    this.#depth = depth
    this.#isInString = isInString
    return at
  }

  *#item(text: string, hasNext: boolean): Generator<unknown> {
    const isNone = this.#isFirst && !hasNext && text.trim() === ''
    this.#isFirst = false
    if (!hasNext) this.#items = 'over'
    if (!isNone) yield parse(text, this.#request)
  }

  #opensItems(before: string): boolean {
    return this.#items === 'awaited' && /^\s*\{?\s*"items"\s*:\s*$/.test(before)
  }
}
