import { expect, test } from 'vitest'
import { community } from '../../../../test/build/announcing.ts'
import { aliasesOf, parseCommunity, resolveCommunities } from './communities.ts'

test.each([
  { text: '0:0', answer: '0:0' },
  { text: '65535:65535', answer: '65535:65535' },
  { text: '064500:01', answer: '64500:1' },
  { text: 'large:4294967295:0:1', answer: 'large:4294967295:0:1' },
  { text: '1234', answer: undefined },
  { text: '65536:1', answer: undefined },
  { text: '1:65536', answer: undefined },
  { text: '1:', answer: undefined },
  { text: '-1:1', answer: undefined },
  { text: '1:2:3', answer: undefined },
  { text: 'larg:1:2:3', answer: undefined },
  { text: 'large:1:wrong:3', answer: undefined },
  { text: 'large:4294967296:1:1', answer: undefined },
  { text: 'large:1:2', answer: undefined },
])('[M1.3] $text is $answer', ({ text, answer }) => {
  const community = parseCommunity(text)
  expect(community.ok ? community.value : undefined).toBe(answer)
})

test('[M1.7] aliases stand for values; equal ones come once, in text order', () => {
  const aliases = aliasesOf([community('c', { web: '64512:1', big: 'large:1:2:3' })])
  const texts = ['web', '64500:7', 'big', '64512:1']
  const values = ['64500:7', '64512:1', 'large:1:2:3']
  expect(resolveCommunities(texts, aliases)).toEqual({ values, unknown: [] })
})

test('[M8.1] what is neither a value nor an alias is unknown', () => {
  const resolved = resolveCommunities(['nowhere', '1:1', '1234'], aliasesOf([]))
  expect(resolved).toEqual({ values: ['1:1'], unknown: ['nowhere', '1234'] })
})

test('an alias that is defined twice is that of the object first by name', () => {
  const [early, late] = [community('a', { web: '1:1' }), community('b', { web: '2:2' })]
  expect(aliasesOf([late, early]).get('web')).toBe('1:1')
})
