import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../fault.ts'
import { AnswerReader } from './answerReader.ts'

type Read = {
  readonly code?: number
  readonly isLast?: boolean
  readonly body: string
  readonly isOver: boolean
  readonly rest: string
}

/** Reads the bytes in these pieces; the connection is then closed if `end` says so. */
function read(pieces: readonly Buffer[], end: 'open' | 'closed' = 'open'): Read {
  let [head, body, rest]: [{ code?: number; isLast?: boolean }, string, string] = [{}, '', '']
  const reader = new AnswerReader({
    head: ({ code, isLast }) => {
      head = { code, isLast }
    },
    body: (piece) => {
      body += piece.toString('latin1')
    },
  })
  for (const piece of pieces) rest += reader.take(piece).toString('latin1')
  if (end === 'closed') reader.close()
  return { ...head, body, isOver: reader.isOver, rest }
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const ok = 'HTTP/1.1 200 OK\r\n'

type Whole = {
  name: string
  text: string
  body?: string
  code?: number
  isLast?: boolean
  rest?: string
  end?: 'closed'
}
const answers: Whole[] = [
  { name: 'a length', text: `${ok}Content-Length: 5\r\n\r\nhello`, body: 'hello' },
  { name: 'no body', text: `${ok}content-length:0\r\n\r\n` },
  {
    name: 'a duplicate length',
    text: `${ok}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`,
    body: 'a',
  },
  {
    name: 'chunks with extensions and a trailer',
    text:
      `${ok}Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n` +
      '00A;x="y"\r\n, nice day\r\n0\r\nX: y\r\n\r\n',
    body: 'hello, nice day',
  },
  {
    name: 'line breaks in a chunk',
    text: `${ok}Transfer-Encoding: chunked\r\n\r\n4\r\n\r\n\r\n\r\n0\r\n\r\n`,
    body: '\r\n\r\n',
  },
  {
    name: 'until the connection closes',
    text: `${ok}\r\nhello`,
    body: 'hello',
    isLast: true,
    end: 'closed',
  },
  {
    name: 'a server that closes',
    text: `${ok}Connection: Close\r\nContent-Length: 0\r\n\r\n`,
    isLast: true,
  },
  { name: 'an old server', text: 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', isLast: true },
  { name: 'no reason phrase', text: 'HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n', code: 404 },
  {
    name: 'no content, whatever its length',
    text: 'HTTP/1.1 204 X\r\nContent-Length: 9\r\n\r\n',
    code: 204,
  },
  {
    name: '100 Continue, then the answer',
    text:
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nLink: a\r\n\r\n' +
      'HTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\na',
    code: 201,
    body: 'a',
  },
  {
    name: 'more data than the answer',
    text: `${ok}Content-Length: 1\r\n\r\nabc`,
    body: 'a',
    rest: 'bc',
  },
]

describe('whole answers, however they are split', () => {
  test.each(answers)('$name', ({ text, body = '', code = 200, isLast = false, rest = '', end }) => {
    const whole = { code, isLast, body, isOver: true, rest }
    expect(read([bytes(text)], end)).toEqual(whole)
    expect(
      read(
        [...bytes(text)].map((byte) => Buffer.from([byte])),
        end,
      ),
    ).toEqual(whole)
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(text.length), (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)]
        const cut = [text.slice(0, from), text.slice(from, to), text.slice(to)].map(bytes)
        expect(read(cut, end)).toEqual(whole)
      }),
    )
  })

  test.each(answers.filter(({ rest }) => rest === undefined))(
    '$name, truncated',
    ({ text, end }) => {
      const isEndless = end === 'closed'
      for (let length = 0; length < text.length; length++) {
        const { isOver } = read([bytes(text.slice(0, length))])
        expect(isOver).toBe(false)
        if (isEndless && length >= text.indexOf('hello')) continue
        expect(() => read([bytes(text.slice(0, length))], 'closed')).toThrow(Fault)
      }
    },
  )
})

const senseless: { name: string; text: string; says: RegExp }[] = [
  { name: 'another protocol', text: 'SSH-2.0', says: /not HTTP: "SSH-2.0"/ },
  { name: 'a later version', text: 'HTTP/2 200\r\n\r\n', says: /not HTTP/ },
  { name: 'no status code', text: 'HTTP/1.1 OK\r\n\r\n', says: /not HTTP/ },
  { name: 'a line that is not a header', text: `${ok}nonsense\r\n\r\n`, says: /not HTTP/ },
  { name: 'a header over two lines', text: `${ok}A: b\r\n c\r\n\r\n`, says: /not HTTP/ },
  { name: 'a name with a space', text: `${ok}Content-Length : 1\r\n\r\n`, says: /not HTTP/ },
  { name: 'a lone carriage return', text: `${ok}A: b\rC: d\r\n\r\n`, says: /not HTTP/ },
  {
    name: 'two lengths',
    text: `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
    says: /length/,
  },
  { name: 'a list of lengths', text: `${ok}Content-Length: 1, 1\r\n\r\n`, says: /length/ },
  { name: 'a negative length', text: `${ok}Content-Length: -1\r\n\r\n`, says: /length/ },
  {
    name: 'two framings',
    text: `${ok}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    says: /framing/,
  },
  {
    name: 'another transfer coding',
    text: `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n`,
    says: /framing/,
  },
  {
    name: 'a switch of protocols',
    text: 'HTTP/1.1 101 X\r\n\r\n',
    says: /another protocol/,
  },
  { name: 'no size', text: `${ok}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, says: /chunks/ },
  {
    name: 'an excessive size',
    text: `${ok}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\n`,
    says: /chunks/,
  },
  {
    name: 'a chunk longer than its size',
    text: `${ok}Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n`,
    says: /does not end/,
  },
  {
    name: 'an endless size line',
    text: `${ok}Transfer-Encoding: chunked\r\n\r\n${'1;'.repeat(999)}`,
    says: /line longer/,
  },
  { name: 'endless headers', text: `${ok}A: ${'b'.repeat(20_000)}`, says: /headers longer/ },
]

test.each(senseless)('refused: $name', ({ text, says }) => {
  expect(() => read([bytes(text)])).toThrow(Fault)
  expect(() => read([bytes(text)])).toThrow(says)
})

test('any bytes are an answer or a Fault', () => {
  const beginnings = ['', ok, `${ok}\r\n`, `${ok}Transfer-Encoding: chunked\r\n\r\n`]
  const any = fc.tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 100 }))
  fc.assert(
    fc.property(any, ([beginning, rest]) => {
      try {
        read([bytes(beginning), Buffer.from(rest)], 'closed')
      } catch (error) {
        expect(error).toBeInstanceOf(Fault)
      }
    }),
  )
})
