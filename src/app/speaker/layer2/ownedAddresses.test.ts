// Proves that a shared address is answered for while one of its Services is ours.
import { expect, test } from 'vitest'
import { ip } from '../../../../test/build/announcing.ts'
import { OwnedAddresses } from './ownedAddresses.ts'

const [a, b] = [ip('192.0.2.1'), ip('192.0.2.2')]
const owning = (service: string, addresses = [a], interfaces: readonly string[] = []) => ({
  service,
  addresses,
  interfaces,
})

test('each change of ownership is reported once', () => {
  const owned = new OwnedAddresses()
  expect(owned.set(owning('shop/web', [a, b]))).toEqual([a, b])
  expect(owned.set(owning('shop/web', [a, b]))).toEqual([])
  expect(owned.set(owning('shop/web', [b]))).toEqual([a])
  expect(owned.set(owning('shop/web', []))).toEqual([b])
  expect([...owned.services, ...owned.addresses]).toEqual([])
})

test('[R8.1] a shared address stays while one of its Services holds it', () => {
  const owned = new OwnedAddresses()
  owned.set(owning('shop/web'))
  expect(owned.set(owning('shop/api'))).toEqual([])
  expect(owned.servicesOf(a)).toEqual(['shop/api', 'shop/web'])
  expect(owned.set(owning('shop/web', []))).toEqual([])
  expect(owned.set(owning('shop/api', []))).toEqual([a])
})

test.each([
  { of: 'one list', lists: [['eth1']], union: ['eth1'] },
  { of: 'two lists', lists: [['eth1'], ['eth0', 'eth1']], union: ['eth0', 'eth1'] },
  { of: 'a list and all interfaces', lists: [['eth1'], []], union: [] },
])('[M5.4] $of: answered on $union', ({ lists, union }) => {
  const owned = new OwnedAddresses()
  for (const [at, list] of lists.entries()) owned.set(owning(`shop/${at}`, [a], list))
  expect(owned.interfacesOf(a)).toEqual(union)
})
