import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../core/model/gate.ts'
import { withTimesOf } from './managedFields.ts'
import { managerName } from './managerName.ts'

describe('the name of a manager', () => {
  test.each([
    { fieldManager: 'mine', userAgent: 'kubectl/v1.36.3', name: 'mine' },
    { fieldManager: '', userAgent: 'kubectl/v1.36.3 (linux/amd64)', name: 'kubectl' },
    { fieldManager: '', userAgent: 'Python urllib3', name: 'Python urllib3' },
    { fieldManager: '', userAgent: 'a\u0000b\tc\u200b', name: 'abc' },
    { fieldManager: '', userAgent: '', name: '' },
    { fieldManager: '', userAgent: 'x'.repeat(200), name: 'x'.repeat(128) },
    { fieldManager: '', userAgent: 'ä'.repeat(100), name: 'ä'.repeat(64) },
  ])('$fieldManager of $userAgent', ({ fieldManager, userAgent, name }) => {
    expect(managerName(fieldManager, userAgent)).toBe(name)
  })
})

describe('[C39] times that are all that differs', () => {
  const object = (time: string | undefined, data: JsonObject, manager = 'm'): JsonObject => ({
    metadata: { name: 'a', managedFields: [{ manager, ...(time && { time }), fieldsV1: {} }] },
    data,
  })
  const before = object('2026-01-01T00:00:00Z', { x: '1' })

  test('are those of before', () => {
    expect(withTimesOf(before, object('2026-01-01T00:00:05Z', { x: '1' }))).toEqual(before)
    expect(withTimesOf(before, object(undefined, { x: '1' }))).toEqual(before)
  })

  test.each([
    { about: 'other content', after: object('2026-01-01T00:00:05Z', { x: '2' }) },
    { about: 'another manager', after: object('2026-01-01T00:00:05Z', { x: '1' }, 'n') },
    { about: 'no managers', after: { metadata: { name: 'a' }, data: { x: '1' } } },
  ])('stay with $about', ({ after }) => {
    expect(withTimesOf(before, after)).toBe(after)
  })
})
