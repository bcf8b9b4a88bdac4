import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxDocumentBytes } from './limits.ts'
import { type Piece, Splitter } from './split.ts'

function pieces(...chunks: (string | Uint8Array)[]): Piece[] {
  const splitter = new Splitter()
  const found = chunks.flatMap((chunk) => [...splitter.push(Buffer.from(chunk))])
  return [...found, ...splitter.end()]
}

/** As line:text, without the pieces that hold nothing. */
function shown(all: readonly Piece[]): string[] {
  return all.flatMap((piece) => {
    if ('why' in piece) return [`${piece.line}! ${piece.why}`]
    const blank = /^\s*/.exec(piece.text)?.[0] ?? ''
    const text = piece.text.trim()
    return text === '' ? [] : [`${piece.line + blank.split('\n').length - 1}: ${text}`]
  })
}

const badSeparator = 'only a comment may stand after --- on its line'
const cases: [text: string, ...documents: string[]][] = [
  [''],
  ['---\n---\n'],
  ['a', '1: a'],
  ['a\n---\nb\n', '1: a', '3: b'],
  ['---\na\n--- # c\n\nb', '2: a', '3: # c\n\nb'],
  ['a\r\n---\r\nb', '1: a', '3: b'],
  ['a\n ---\nb', '1: a\n ---\nb'],
  ['a\n--\nb', '1: a\n--\nb'],
  ['a\n----\nb', '1: a', `2! ${badSeparator}`],
  ['a\n--- b', '1: a', `2! ${badSeparator}`],
  ['--- b\nc\n---\nd', `1! ${badSeparator}`, '4: d'],
  ['{}', '1: {}'],
  ['{"a":1}{"b":2}\n\n{"c":3}', '1: {"a":1}', '1: {"b":2}', '3: {"c":3}'],
  ['{"a":"}\\"{"}\n{"b":[{}]}', '1: {"a":"}\\"{"}', '2: {"b":[{}]}'],
  ['{"a":1}\n---\n{"b":2}\n---\nc: 3', '1: {"a":1}', '3: {"b":2}', '5: c: 3'],
  ['{"a":1} # c\n', '1: {"a":1}', '1: # c'],
  ["{a: '}'}\n{}", "1: {a: '}'}\n{}"],
  ["{a: '}'}\n---\n{}", "1: {a: '}'}", '3: {}'],
  ['{"a":\n---\nb', '1: {"a":', '3: b'],
  ['[1]\n{}', '1: [1]\n{}'],
]

test.each(cases)('%j', (text, ...documents) => {
  expect(shown(pieces(text))).toEqual(documents)
})

test.each(cases)('%j, a byte at a time', (text, ...documents) => {
  expect(shown(pieces(...text))).toEqual(documents)
})

test('where the stream is cut makes no difference', () => {
  const bit = fc.constantFrom('\n', '---', '{', '}', '"', '\\', "'", 'a: 1', ' ', '#', '\u00e9')
  const text = fc.array(bit, { maxLength: 30 }).map((bits) => Buffer.from(bits.join('')))
  fc.assert(
    fc.property(text, fc.array(fc.nat(40)), (bytes, cuts) => {
      const ends = [...cuts, bytes.length].sort((a, b) => a - b)
      const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
      expect(shown(pieces(...chunks))).toEqual(shown(pieces(bytes)))
    }),
  )
})

test('what is not UTF-8 is told with its line, and the next document is read', () => {
  const bytes = Buffer.concat([Buffer.from('a\nb: "'), Buffer.of(0xff), Buffer.from('"\n---\nc')])
  expect(shown(pieces(bytes))).toEqual(['2! not UTF-8 text', '4: c'])
})

const tooLarge = 'a document of more than 10 MB: divide it, one kind or namespace each'
const large = `v: ${'x'.repeat(maxDocumentBytes)}\n`
const largeJson = `{"v":"${'x'.repeat(maxDocumentBytes)}"}\n`

test.each([
  ['between others', ['a\n---\n', large, '---\nb'], ['1: a', `3! ${tooLarge}`, '5: b']],
  ['in one chunk', [`a\n---\n${large}---\nb`], ['1: a', `3! ${tooLarge}`, '5: b']],
  ['as JSON', ['{}\n', largeJson, '{"b":1}'], ['1: {}', `2! ${tooLarge}`, '3: {"b":1}']],
  ['as JSON in one chunk', [`{}\n${largeJson}{"b":1}`], ['1: {}', `2! ${tooLarge}`, '3: {"b":1}']],
  ['with the end cut', ['a\n---\n', large, '-', '-', '-\nb'], ['1: a', `3! ${tooLarge}`, '5: b']],
])('one that is too large, %s', (_, chunks, documents) => {
  expect(shown(pieces(...chunks))).toEqual(documents)
})

test('one of just the size is read', () => {
  const [piece] = pieces(`v: ${'x'.repeat(maxDocumentBytes - 10)}`)
  expect(piece).toHaveProperty('text')
})
