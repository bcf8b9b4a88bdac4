// Proves that no older word undoes a newer one.
import { expect, test } from 'vitest'
import type { View } from '../../../core/model/view.ts'
import { decode } from '../decode/decode.ts'
import { Versions } from './versions.ts'

const namespace = (resourceVersion: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop', resourceVersion },
})
const viewOf = (json: unknown): View => {
  const decoded = decode(json)
  if (decoded.kind !== 'view') throw new Error('no view')
  return decoded.view
}
const isNews = (versions: Versions, version: string): boolean =>
  versions.isNews(viewOf(namespace(version)), namespace(version))

test('only what is newer is news, and 10 is newer than 9', () => {
  const versions = new Versions()
  expect(['9', '10', '10', '9', '11'].map((one) => isNews(versions, one))).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
})

test('what a reply told is an echo, before it is decoded', () => {
  const versions = new Versions()
  const isEcho = (version: string) => versions.isEcho('Namespace', namespace(version))
  expect(isEcho('9')).toBe(false)
  isNews(versions, '9')
  expect(['8', '9', '10', 'none'].map(isEcho)).toEqual([true, true, false, false])
  const other = { metadata: { namespace: 'shop', name: 'shop', resourceVersion: '9' } }
  expect(versions.isEcho('Namespace', other)).toBe(false)
  expect(versions.isEcho('Namespace', undefined)).toBe(false)
})

test('what is gone by our own knowledge does not come back with an old event', () => {
  const versions = new Versions()
  isNews(versions, '9')
  expect(versions.gone('Namespace', 'shop', 9)).toBe(true)
  expect(isNews(versions, '9')).toBe(false)
  expect(versions.isOldDeletion('Namespace', 'shop', namespace('10'))).toBe(false)
  expect(isNews(versions, '11')).toBe(true)
})

test('what came while we asked is not gone by an answer from before', () => {
  const versions = new Versions()
  const known = versions.known('Namespace', 'shop')
  isNews(versions, '12')
  expect(versions.gone('Namespace', 'shop', known)).toBe(false)
  expect(isNews(versions, '13')).toBe(true)
  expect(versions.gone('Namespace', 'shop', 12)).toBe(false)
})

test('the deletion of an object that has been made again since is old', () => {
  const versions = new Versions()
  isNews(versions, '12')
  expect(versions.isOldDeletion('Namespace', 'shop', namespace('11'))).toBe(true)
})

test.each([
  {
    asOf: '4',
    stays: ['shop'],
    why: 'what we made after the list was made is not missing from it',
  },
  { asOf: '6', stays: [], why: 'what was deleted before the list was made is' },
])('$why', ({ asOf, stays }) => {
  const versions = new Versions()
  versions.listing('Namespace')
  versions.isNewsAnswered(viewOf(namespace('5')), namespace('5'))
  expect([...versions.listed('Namespace', asOf)]).toEqual(stays)
  versions.listing('Namespace')
  expect([...versions.listed('Namespace', asOf)]).toEqual([])
})

test('an answer that a whole list came before is compared with it', () => {
  const versions = new Versions()
  versions.listing('Namespace')
  versions.listed('Namespace', '6')
  const isNews = (version: string): boolean =>
    versions.isNewsAnswered(viewOf(namespace(version)), namespace(version))
  expect(['5', '7', '6', '8'].map(isNews)).toEqual([false, true, false, true])
})
