// What does the head of an answer say? RFC 9112: status line, fields, and the framing of the body.
import { AnswerFault } from './answerFault.ts'

export type Head = {
  readonly code: number
  readonly framing: Framing
  /** Whether the connection closes after this answer. */
  readonly isLast: boolean
  /** The values of all fields of that lower-case name, in order. */
  readonly values: (name: string) => readonly string[]
}
type Framing = 'chunked' | 'until-closed' | { readonly lengthBytes: number }

/** A status line, then a name, a colon and a value on each line. */
const wellFormed =
  /^HTTP\/1\.[01] [1-5]\d\d(?: [\t -~\x80-\xff]*)?(?:\r\n[!#-'*+.^-z|~\dA-Z-]+:[\t -~\x80-\xff]*)*$/

/** `text` is without the empty line that ends it. */
export function readHead(text: string): Head {
  if (!wellFormed.test(text)) {
    throw new AnswerFault(`not HTTP: ${JSON.stringify(text.slice(0, 40))}`)
  }
  const code = Number(text.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
  const values = fieldsIn(text)
  const framing = framingOf(code, values)
  const isClosing = values('connection').some((value) => /\bclose\b/i.test(value))
  const isOld = text.startsWith('HTTP/1.0')
  return { code, framing, isLast: isClosing || isOld || framing === 'until-closed', values }
}

/** Looked up on demand: only two or three of a dozen fields are used. */
function fieldsIn(text: string): Head['values'] {
  const lower = text.toLowerCase()
  return (name) => {
    const found: string[] = []
    const label = `\r\n${name}:`
    for (let at = lower.indexOf(label); at >= 0; at = lower.indexOf(label, at + 1)) {
      const from = at + label.length
      const end = text.indexOf('\r\n', from)
      found.push(text.slice(from, end < 0 ? text.length : end).trim())
    }
    return found
  }
}

/** Section 6.3. Two framings at once enable response smuggling, so they are refused. */
function framingOf(code: number, values: Head['values']): Framing {
  const isBare = code < 200 || code === 204 || code === 304
  if (isBare) return { lengthBytes: 0 }
  const [coding, ...codings] = values('transfer-encoding')
  const [length, ...lengths] = values('content-length')
  if (coding !== undefined) {
    const isChunked = codings.length === 0 && coding.toLowerCase() === 'chunked'
    if (isChunked && length === undefined) return 'chunked'
    throw new AnswerFault('unsupported framing of the answer')
  }
  if (length === undefined) return 'until-closed'
  const isClear = lengths.every((other) => other === length) && /^\d{1,15}$/.test(length)
  if (!isClear) throw new AnswerFault('invalid content length')
  return { lengthBytes: Number(length) }
}
