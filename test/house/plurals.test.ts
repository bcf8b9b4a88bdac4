// Do messages count in singular and plural? `counted` writes both; a plural after a number does not.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { counted } from '../../src/core/net/counted.ts'

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes('.test.'),
)

/** The schema walk says what Kubernetes says, which counts "1 items". */
const isKubernetes = (file: string): boolean => file.startsWith('edge/kube/schema/')
const nouns =
  'address|alias|answer|beat|byte|change|character|condition|conflict|definition|error|event|file|' +
  'finding|interface|item|level|line|machine|manifest|member|minute|namespace|node|object|packet|' +
  'peer|pool|problem|process|question|request|rule|scenario|second|service|speaker|tenant|thing|' +
  'time|token|value|warning|watch'
const numbered = new RegExp(`\\$\\{([^{}]+)\\} (?:more |other )?((?:${nouns})(?:e?s))\\b`, 'gi')
/** A limit in the code is never one; a family, a type or a list of names is no number. */
const isNoCount = (expression: string): boolean =>
  /^(?:max|most|longest|fewest)|AtMost$|[fF]amily|^type$|\.join\(|^counted\[0\]$/.test(expression)

const miscounted = (text: string): readonly string[] =>
  [...text.matchAll(numbered)]
    .filter(([, expression = '']) => !isNoCount(expression))
    .map(([found]) => found)

test.each(files.filter((file) => !isKubernetes(file)))('%s counts in both forms', (file) => {
  expect(miscounted(readFileSync(join('src', file), 'utf8'))).toEqual([])
})

const inText = (expression: string, words: string): string => `$\{${expression}} ${words}`

test.each([
  { text: inText('errors.length', 'errors'), isFound: true },
  { text: inText('left', 'more Services'), isFound: true },
  { text: `removed ${inText('count', 'processes')}`, isFound: true },
  { text: `longer than ${inText('maxBytes', 'bytes')}`, isFound: false },
  { text: inText('family', 'addresses'), isFound: false },
  { text: inText("counted(left, 'Service')", 'left'), isFound: false },
])('$text: $isFound', ({ text, isFound }) => {
  expect(miscounted(text).length > 0).toBe(isFound)
})

test('one is singular, every other count plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'pool'))).toEqual(['0 pools', '1 pool', '2 pools'])
  expect(counted(2, 'address', 'addresses')).toBe('2 addresses')
})
