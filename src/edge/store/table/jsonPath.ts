// How is the JSONPath of a printer column parsed? As by k8s.io/client-go/util/jsonpath, including
// how it treats dots inside ['a.b'].

export type Slice = {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly step: number | undefined
  /** `[3]`, not `[3:4]`. */
  readonly isOne: boolean
}
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'slice'; readonly slice: Slice }
  | { readonly kind: 'union'; readonly paths: readonly Path[] }
  | {
      readonly kind: 'filter'
      readonly left: Path
      readonly operator: string
      readonly right: Path
    }
  | { readonly kind: 'wildcard' | 'descend' | 'keyword' }
  | { readonly kind: 'literal'; readonly value: string | boolean | number }
export type Path = readonly Step[]

/** Undefined if it cannot be parsed. */
export function parsePath(text: string): Path | undefined {
  const parser = new PathParser(text)
  return parser.parse() ? parser.steps : undefined
}

const terminators = new Set([' ', '\t', '\r', '\n', '', '.', ',', '[', ']', '$', '@', '{', '}'])
const letterOrDigit = /^[\p{L}\p{Nd}_]/u

class PathParser {
  readonly steps: Step[] = []
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Reads up to `}`; text after it is not part of the path. */
  parse(): boolean {
    while (this.#at < this.#text.length && this.#peek() !== '}') {
      if (!this.#step()) return false
    }
    return true
  }

  #step(): boolean {
    const char = this.#peek()
    if (this.#starts('[?(')) return this.#filter()
    if (this.#starts('..')) return this.#descend()
    if (char === '[') return this.#brackets()
    if (char === '"' || char === "'") return this.#quoted(char)
    if (char === '.') return this.#skip(1) && this.#field()
    if (/[+\-\d]/.test(char)) return this.#number()
    if (letterOrDigit.test(char)) return this.#word()
    // The object itself.
    return /[ @$]/.test(char) && this.#skip(1)
  }

  #field(): boolean {
    const start = this.#at
    while (!terminators.has(this.#peek())) this.#skip(this.#peek() === '\\' ? 2 : 1)
    const name = this.#text.slice(start, this.#at)
    if (name === '*') return this.#push({ kind: 'wildcard' })
    return this.#push({ kind: 'field', name: name.replaceAll('\\', '') })
  }

  #descend(): boolean {
    if (this.steps.at(-1)?.kind === 'descend') return false
    this.#skip(2)
    this.#push({ kind: 'descend' })
    return letterOrDigit.test(this.#peek()) ? this.#field() : true
  }

  #brackets(): boolean {
    const inside = this.#upTo(']')
    if (inside === undefined) return false
    const alternatives = inside.slice(1).split(',')
    if (alternatives.length > 1) {
      const paths = alternatives.map((one) => parsePath(`[${one.trim()}]`))
      return paths.every((path) => path !== undefined) && this.#push({ kind: 'union', paths })
    }
    const [text = ''] = alternatives
    const quoted = /^'([^']*)'$/.exec(text)
    // Parsed again: a dot inside the quotes still separates, unless it is escaped.
    if (quoted !== null) return this.#pushAll(parsePath(`.${quoted[1]}`))
    const slice = parseSlice(text === '*' ? ':' : text)
    return slice !== undefined && this.#push({ kind: 'slice', slice })
  }

  #filter(): boolean {
    this.#skip('[?('.length)
    const inside = this.#upToParenthesis()
    if (inside === undefined || this.#peek() !== ']') return false
    this.#skip(1)
    const [, before = inside, operator = 'exists', after = ''] =
      /^([^!<>=]+)([!<>=]+)(.+)$/.exec(inside) ?? []
    const [left, right] = [parsePath(before), parsePath(after)]
    if (left === undefined || right === undefined) return false
    return this.#push({ kind: 'filter', left, operator, right })
  }

  #quoted(quote: string): boolean {
    const start = this.#at
    do {
      this.#skip(1)
      if (this.#peek() === '' || this.#peek() === '\n') return false
    } while (this.#peek() !== quote || this.#text[this.#at - 1] === '\\')
    this.#skip(1)
    const value = unescaped(this.#text.slice(start + 1, this.#at - 1), quote)
    return value !== undefined && this.#push({ kind: 'literal', value })
  }

  #number(): boolean {
    const [text = ''] = /^[+-]?[.\d]*/.exec(this.#text.slice(this.#at)) ?? []
    this.#skip(text.length)
    if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return false
    return this.#push({ kind: 'literal', value: Number(text) })
  }

  #word(): boolean {
    const start = this.#at
    while (!terminators.has(this.#peek())) this.#skip(1)
    const word = this.#text.slice(start, this.#at)
    if (word !== 'true' && word !== 'false') return this.#push({ kind: 'keyword' })
    return this.#push({ kind: 'literal', value: word === 'true' })
  }

  /** Returns the text before `end`, and skips `end`. */
  #upTo(end: string): string | undefined {
    const start = this.#at
    const found = this.#text.indexOf(end, start)
    if (found < 0) return undefined
    this.#at = found + 1
    return this.#text.slice(start, found)
  }

  /** A parenthesis may be inside quotes. */
  #upToParenthesis(): string | undefined {
    const start = this.#at
    let [opened, closed] = ['', false]
    for (; this.#peek() !== ')' || (opened !== '' && !closed); this.#skip(1)) {
      const char = this.#peek()
      if (char === '' || char === '\n') return undefined
      if (char !== '"' && char !== "'") continue
      if (opened === '') opened = char
      else if (char === opened && this.#text[this.#at - 1] !== '\\') closed = true
    }
    this.#skip(1)
    return this.#text.slice(start, this.#at - 1)
  }

  #push(step: Step): true {
    this.steps.push(step)
    return true
  }

  #pushAll(path: Path | undefined): boolean {
    this.steps.push(...(path ?? []))
    return path !== undefined
  }

  #skip(count: number): true {
    this.#at += count
    return true
  }

  #peek(): string {
    return this.#text[this.#at] ?? ''
  }

  #starts(text: string): boolean {
    return this.#text.startsWith(text, this.#at)
  }
}

function parseSlice(text: string): Slice | undefined {
  const match = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/.exec(text)
  if (match === null) return undefined
  const [, from = '', to, step] = match
  const numbers = [from, to?.slice(1) ?? '', step?.slice(1) ?? '']
  if (numbers.includes('-')) return undefined
  const [first, second, third] = numbers.map((one) => (one === '' ? undefined : Number(one)))
  const isOne = to === undefined
  return { from: first, to: isOne ? (first ?? 0) + 1 : second, step: third, isOne }
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
}

/** Undefined for an escape that Go does not know. */
function unescaped(text: string, quote: string): string | undefined {
  let isKnown = true
  const plain = text.replace(/\\(x[\da-f]{2}|u[\da-f]{4}|.)/gi, (_, code: string) => {
    if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    const char = code === quote ? code : escapes[code]
    if (char === undefined) isKnown = false
    return char ?? ''
  })
  return isKnown ? plain : undefined
}
