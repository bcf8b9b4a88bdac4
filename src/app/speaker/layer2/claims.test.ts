// Proves that a shared address is answered for while one of its Services is ours.
import { expect, test } from 'vitest'
import { ip } from '../../../../test/build/announcing.ts'
import { Claims } from './claims.ts'

const [a, b] = [ip('192.0.2.1'), ip('192.0.2.2')]
const claim = (service: string, addresses = [a], interfaces: readonly string[] = []) => ({
  service,
  addresses,
  interfaces,
})

test('what is claimed, claimed again and let go is told once', () => {
  const claims = new Claims()
  expect(claims.set(claim('shop/web', [a, b]))).toEqual([a, b])
  expect(claims.set(claim('shop/web', [a, b]))).toEqual([])
  expect(claims.set(claim('shop/web', [b]))).toEqual([a])
  expect(claims.set(claim('shop/web', []))).toEqual([b])
  expect([...claims.services, ...claims.addresses]).toEqual([])
})

test('[R8.1] an address that two share stays while one of them has it', () => {
  const claims = new Claims()
  claims.set(claim('shop/web'))
  expect(claims.set(claim('shop/api'))).toEqual([])
  expect(claims.servicesOf(a)).toEqual(['shop/api', 'shop/web'])
  expect(claims.set(claim('shop/web', []))).toEqual([])
  expect(claims.set(claim('shop/api', []))).toEqual([a])
})

test.each([
  { of: 'one list', lists: [['eth1']], union: ['eth1'] },
  { of: 'two lists', lists: [['eth1'], ['eth0', 'eth1']], union: ['eth0', 'eth1'] },
  { of: 'a list and all', lists: [['eth1'], []], union: [] },
])('[M5.4] $of: answered on $union', ({ lists, union }) => {
  const claims = new Claims()
  for (const [at, list] of lists.entries()) claims.set(claim(`shop/${at}`, [a], list))
  expect(claims.interfacesOf(a)).toEqual(union)
})
