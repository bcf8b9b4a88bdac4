// Answers that the client does not read. The attacker holds a token of the embedded API. Afterwards:
// once unread answers take too much memory together, those without progress are cut off, and no others.
// Before: memory grew with each of them.
import { expect, test } from 'vitest'
import { AnswersUnderWay } from '../../src/edge/store/http/answersUnderWay.ts'

test('the one that made no progress for longest goes first, and who reads stays', () => {
  let now = 0
  const cut: string[] = []
  const underWay = new AnswersUnderWay(1000, () => now)
  const begin = (name: string) => underWay.begin(400, () => cut.push(name))
  const [read] = [begin('read'), begin('unread')]
  now = 1000
  begin('third')
  expect(cut, 'none has stalled for long').toEqual([])
  now = 2500
  read.moved()
  now = 3500
  begin('fourth')
  expect(cut).toEqual(['unread', 'third'])
  read.ended()
  now = 9000
  begin('fifth')
  expect(cut).toEqual(['unread', 'third'])
  begin('sixth')
  expect(cut).toEqual(['unread', 'third', 'fourth'])
})
