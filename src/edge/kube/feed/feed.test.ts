// Proves when a kind is known, when nothing may be decided, and what a list takes away (R3.13).
import { expect, test } from 'vitest'
import type { View } from '../../../core/model/view.ts'
import { World } from '../../../core/model/world.ts'
import { ApiError, Fault } from '../api/fault.ts'
import { decode } from '../decode/decode.ts'
import { Feed } from './feed.ts'
import { plainSink, type Unread } from './validatedSink.ts'
import { Versions } from './versions.ts'

const pool = (name: string, resourceVersion: string) => ({
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name, namespace: 'metallb-system', resourceVersion },
  spec: { addresses: ['192.0.2.0/24'] },
})
function decoded(json: object): View {
  const read = decode(json)
  if (read.kind !== 'view') throw new Error('no view')
  return read.view
}
const answer = (code: number): ApiError =>
  new ApiError({ request: 'GET', code, reason: '', message: '', status: {}, retryAfterMs: 0 })

function start(isOptional: boolean, isAwaited = true) {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  const versions = new Versions()
  const sink = plainSink(world)
  const feed = new Feed({ kind: 'IPAddressPool', isOptional, isAwaited, sink, versions })
  const list = (...items: readonly object[]) => {
    feed.take({ type: 'init' })
    for (const json of items) feed.take({ type: 'init-apply', json })
    feed.take({ type: 'init-done', resourceVersion: '4' })
  }
  return { world, feed, list, versions, names: () => [...world.pools.keys()].sort() }
}

test('[R3.13] it is known once it has been listed, and a new list swaps it whole', () => {
  const { feed, list, names } = start(false)
  feed.take({ type: 'init' })
  expect(feed.isIn).toBe(false)
  list(pool('a', '1'), pool('b', '2'))
  expect([feed.isIn, names()]).toEqual([true, ['a', 'b']])
  list(pool('b', '2'))
  expect(names()).toEqual(['b'])
})

test('what we made while a list was on its way stays, and what it lacks can come back', () => {
  const { feed, list, versions, names } = start(false)
  list(pool('a', '1'))
  feed.take({ type: 'apply', json: pool('b', '5') })
  // A list of the moment before b, which nobody wrote to meanwhile.
  list(pool('a', '1'))
  expect(names()).toEqual(['a'])
  feed.take({ type: 'apply', json: pool('b', '5') })
  expect(names()).toEqual(['a', 'b'])
  feed.take({ type: 'init' })
  versions.isNewsAnswered(decoded(pool('b', '5')), pool('b', '5'))
  feed.take({ type: 'init-apply', json: pool('a', '1') })
  feed.take({ type: 'init-done', resourceVersion: '4' })
  expect(names()).toEqual(['a', 'b'])
})

test('an answer that comes after the end of what it tells of brings nothing back', () => {
  const { feed, list, versions } = start(false)
  const isNews = (version: string): boolean =>
    versions.isNewsAnswered(decoded(pool('b', version)), pool('b', version))
  list()
  feed.take({ type: 'apply', json: pool('b', '5') })
  feed.take({ type: 'delete', json: pool('b', '7') })
  expect(['6', '8'].map(isNews)).toEqual([false, true])
})

test.each([
  { of: 'a kind of ours', isOptional: false, fault: answer(404), isIn: false },
  { of: 'a kind of ours', isOptional: false, fault: answer(403), isIn: false },
  { of: 'a kind of ours', isOptional: false, fault: answer(500), isIn: true },
  { of: 'a kind of ours', isOptional: false, fault: new Fault('reset'), isIn: true },
  { of: 'a kind of others', isOptional: true, fault: answer(404), isIn: true },
  { of: 'a kind of others', isOptional: true, fault: answer(403), isIn: true },
])('[R3.13] $of, $fault.message: may decide $isIn, and keeps all', (row) => {
  const { feed, list, names } = start(row.isOptional)
  list(pool('a', '1'))
  feed.take({ type: 'fault', fault: row.fault, retryInMs: 0 })
  expect([feed.isIn, names()]).toEqual([row.isIn, ['a']])
})

test('[R3.13] what went with its definition is waited for', () => {
  const { feed, list, names } = start(false)
  list(pool('a', '1'), pool('b', '2'))
  feed.take({ type: 'fault', fault: answer(404), retryInMs: 0 })
  list()
  expect([feed.isIn, names()]).toEqual([false, ['a', 'b']])
  expect(feed.fault?.message).toContain('a, b')
  feed.take({ type: 'apply', json: pool('a', '7') })
  expect(feed.isIn).toBe(false)
  feed.take({ type: 'apply', json: pool('b', '8') })
  expect(feed.isIn).toBe(true)
  list(pool('b', '8'))
  expect(names()).toEqual(['b'])
})

test('a definition that could not be asked for freezes until the next list, and no longer', () => {
  const { feed, list, names } = start(false)
  list(pool('a', '1'), pool('b', '2'))
  feed.freeze(answer(503))
  expect(feed.isIn).toBe(false)
  list(pool('a', '1'))
  expect(feed.isIn).toBe(true)
  expect(names()).toEqual(['a'])
})

test('[R3.14] what went with its definition and is not waited for is lost, and all goes on', () => {
  const { world, feed, list } = start(false, false)
  list(pool('a', '1'), pool('b', '2'))
  feed.take({ type: 'fault', fault: answer(404), retryInMs: 0 })
  expect(feed.isIn).toBe(false)
  list(pool('b', '8'))
  expect([feed.isIn, [...world.pools.keys()], world.lost.wasSeen('a')]).toEqual([
    true,
    ['b'],
    false,
  ])
})

test('[R3.14] only a deletion that a watch tells of is seen', () => {
  const { world, feed, list } = start(false)
  list(pool('a', '1'), pool('b', '2'))
  feed.take({ type: 'delete', json: pool('a', '3') })
  list()
  expect(['a', 'b'].map((name) => world.lost.wasSeen(name))).toEqual([true, false])
})

test('[R1.1] a pool that cannot be read is told with the names that it serves', () => {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  const unread: Unread[] = []
  const sink = { ...plainSink(world), refuse: (one: Unread) => void unread.push(one) }
  const kind = 'IPAddressPool'
  const feed = new Feed({ kind, isOptional: false, sink, versions: new Versions() })
  const annotations = { 'berth.dev/serves': 'api, Not A Name,web' }
  const metadata = { ...pool('bad', '1').metadata, annotations }
  const json = { ...pool('bad', '1'), metadata, spec: { addresses: ['nonsense'] } }
  feed.take({ type: 'apply', json })
  expect(unread).toMatchObject([{ kind, key: 'bad', serves: ['api', 'web'] }])
})
