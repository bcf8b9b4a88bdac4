import { expect, test } from 'vitest'
import { ask, passOver, type RuleResult, rule } from './rule.ts'

const asked: string[] = []
const says = (name: string, answer: string) =>
  rule(
    name,
    (_: string) => {
      asked.push(name)
      return answer === 'yes' ? { ok: true as const } : passOver(answer)
    },
    { says: (subject) => `${subject} is fine`, concerns: (subject) => subject !== name },
  )
const rules = [says('a', 'yes'), says('b', 'too small'), says('c', 'too late'), says('d', 'yes')]

test('[P8] the first objection is the answer, and nobody is asked after it', () => {
  asked.length = 0
  expect(ask(rules, 'pool')?.message).toBe('too small')
  expect(asked).toEqual(['a', 'b'])
})

test('[P8] whoever listens hears every rule that has something to say; the answer is the same', () => {
  const heard: RuleResult[] = []
  expect(ask(rules, 'd', (result) => heard.push(result))?.message).toBe('too small')
  expect(heard).toEqual([
    { rule: 'a', ok: true, message: 'd is fine' },
    { rule: 'b', ok: false, message: 'too small' },
    { rule: 'c', ok: false, message: 'too late' },
  ])
})
