import { expect, test } from 'vitest'
import { Shared, tagsFrom, tagsText } from './shared.ts'

const tags = { labels: { app: 'web' }, fields: { 'spec.type': 'LoadBalancer' }, owners: ['u1'] }

test('equal texts share one value', () => {
  const shared = new Shared(tagsFrom)
  const one = shared.of(tagsText(tags))
  expect(one).toEqual(tags)
  expect(shared.of(tagsText({ ...tags, labels: { app: 'web' } }))).toBe(one)
  expect(shared.of(tagsText({ ...tags, labels: { app: 'api' } }))).not.toBe(one)
})

test('what is shared cannot be changed', () => {
  const { labels, fields, owners } = tagsFrom(tagsText(tags))
  for (const part of [labels, fields, owners]) expect(Object.isFrozen(part)).toBe(true)
})

test('of too many different texts all are forgotten: memory stays bounded', () => {
  let made = 0
  const shared = new Shared((text) => ({ text, made: made++ }), 2)
  const [a, b] = [shared.of('a'), shared.of('b')]
  expect([shared.of('a'), shared.of('b')]).toEqual([a, b])
  shared.of('c')
  expect(shared.of('a')).toEqual({ text: 'a', made: 3 })
  expect(made).toBe(4)
})
