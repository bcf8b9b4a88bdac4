import { expect, test } from 'vitest'
import { completed } from './completed.ts'
import { fieldNow, kindNow } from './oldNames.ts'

test('older names are told', () => {
  expect(kindNow('AddressPool', 'metallb.io/v1beta1')).toMatch(/^it is an IPAddressPool now/)
  expect(fieldNow('BGPPeer', 'spec.my-asn')).toBe('it is called spec.myASN now')
})

test.each(['constructor', '__proto__', 'toString'])('%s is a kind that nobody knows', (kind) => {
  expect(kindNow(kind, 'v1')).toBeUndefined()
  expect(fieldNow(kind, kind)).toBeUndefined()
  expect(fieldNow('IPAddressPool', kind)).toBeUndefined()
  const object = JSON.parse(`{"kind":"${kind}","spec":{"networks":[]}}`)
  expect(completed(object)).toBe(object)
})
