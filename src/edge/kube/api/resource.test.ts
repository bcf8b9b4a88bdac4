import { expect, test } from 'vitest'
import { pathOf, type Resource } from './resource.ts'

const services: Resource = { group: '', version: 'v1', plural: 'services' }
const pools: Resource = {
  group: 'metallb.io',
  version: 'v1beta1',
  plural: 'ipaddresspools',
  namespace: 'metallb-system',
}

test('paths of collections, objects and subresources', () => {
  expect(pathOf(services)).toBe('/api/v1/services')
  expect(pathOf({ ...services, namespace: 'shop' }, 'web', 'status')).toBe(
    '/api/v1/namespaces/shop/services/web/status',
  )
  const below = '/apis/metallb.io/v1beta1/namespaces'
  expect(pathOf(pools)).toBe(`${below}/metallb-system/ipaddresspools`)
  expect(pathOf(pools, 'p')).toBe(`${below}/metallb-system/ipaddresspools/p`)
  expect(pathOf({ ...pools, namespace: 'other' }, 'p')).toBe(`${below}/other/ipaddresspools/p`)
})

test('a name cannot escape its path', () => {
  expect(pathOf({ ...services, namespace: 'shop' }, '../secrets?x')).toBe(
    '/api/v1/namespaces/shop/services/..%2Fsecrets%3Fx',
  )
})
