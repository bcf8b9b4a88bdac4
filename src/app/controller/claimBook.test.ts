// Proves that a holder is removed only from the version of the record at which it had parted.
import { expect, test } from 'vitest'
import type { AddressView } from '../../core/model/address.ts'
import { decode } from '../../edge/kube/decode/decode.ts'
import { ClaimBook } from './claimBook.ts'

const record = (resourceVersion: string, uids: readonly string[] = ['x']): AddressView => {
  const decoded = decode({
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'Address',
    metadata: { name: '192.0.2.1', resourceVersion },
    spec: {
      address: '192.0.2.1',
      holders: uids.map((uid) => ({ kind: 'Service', namespace: 'shop', name: uid, uid })),
    },
  })
  if (decoded.kind !== 'view' || decoded.view.kind !== 'Address') throw new Error('no Address')
  return decoded.view
}

test('[R3.12] a parting holds for the version that it was seen at, and no other', () => {
  const book = new ClaimBook()
  book.part(record('5'), 'x')
  expect(book.hasParted(record('5'), 'x')).toBe(true)
  expect(book.hasParted(record('6'), 'x')).toBe(false)
  expect(book.hasParted(record('5'), 'y')).toBe(false)
})

test('[R3.12] our own write carries partings on, those of who returned aside', () => {
  const book = new ClaimBook()
  book.part(record('5', ['x', 'y']), 'x')
  book.part(record('5', ['x', 'y']), 'y')
  book.follow(record('5', ['x', 'y']), record('6', ['y']))
  expect(book.hasParted(record('6'), 'x')).toBe(true)
  expect(book.hasParted(record('6'), 'y')).toBe(false)
})

test('[R3.12] a write over a version that somebody else made carries nothing on', () => {
  const book = new ClaimBook()
  book.part(record('5'), 'x')
  book.follow(record('6'), record('7', []))
  expect(book.hasParted(record('7'), 'x')).toBe(false)
})
