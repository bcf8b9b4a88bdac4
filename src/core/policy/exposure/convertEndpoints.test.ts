import { expect, test } from 'vitest'
import { convertEndpoints } from './convertEndpoints.ts'

const balanced = (annotations: object) => ({
  metadata: { annotations },
  spec: { type: 'LoadBalancer' },
})
const on = (pool: string, more: object = {}) => ({
  'metallb.universe.tf/address-pool': pool,
  ...more,
})
const shared = { 'metallb.universe.tf/allow-shared-ip': 'internalapi' }
const at = (address: string) => ({ 'metallb.universe.tf/loadBalancerIPs': address })

test('[O3.1] the endpoints and attachments of the older form are those of today', () => {
  const { object, fields, errors } = convertEndpoints({
    kind: 'Glance',
    spec: {
      glanceAPIInternal: {
        replicas: 1,
        externalEndpoints: [
          { endpoint: 'internal', ipAddressPool: 'internalapi', loadBalancerIPs: ['172.17.0.80'] },
        ],
        networkAttachents: ['storage'],
      },
    },
  })
  expect(errors).toEqual([])
  expect(fields).toEqual([
    'spec.glanceAPIInternal.externalEndpoints',
    'spec.glanceAPIInternal.networkAttachents',
  ])
  expect(object['spec']).toEqual({
    glanceAPIInternal: {
      replicas: 1,
      override: {
        service: { internal: balanced({ ...on('internalapi', shared), ...at('172.17.0.80') }) },
      },
      networkAttachments: ['storage'],
    },
  })
})

test('[O3.1] one that shares no address has no key; both families are one annotation', () => {
  const externalEndpoint = {
    loadBalancerIPs: ['172.17.0.85', 'fd00:bbbb::85'],
    ipAddressPool: 'internalapi',
    sharedIP: false,
  }
  const spec = { rabbitmq: { templates: { rabbitmq: { externalEndpoint } } } }
  expect(convertEndpoints({ spec }).object['spec']).toEqual({
    rabbitmq: {
      templates: {
        rabbitmq: {
          override: { service: balanced(on('internalapi', at('172.17.0.85,fd00:bbbb::85'))) },
        },
      },
    },
  })
})

test('[O3.1] its own key stays, and the rest of the override beside it, whatever comes first', () => {
  const externalEndpoints = [
    { endpoint: 'public', ipAddressPool: 'ctlplane', sharedIP: true, sharedIPKey: 'edge' },
  ]
  const override = { service: { internal: { spec: { type: 'ClusterIP' } } } }
  const key = { 'metallb.universe.tf/allow-shared-ip': 'edge' }
  const made = { service: { ...override.service, public: balanced(on('ctlplane', key)) } }
  for (const keystone of [
    { override, externalEndpoints },
    { externalEndpoints, override },
  ]) {
    expect(convertEndpoints({ spec: { keystone } }).object['spec']).toEqual({
      keystone: { override: made },
    })
  }
})

test.each([
  [
    { externalEndpoints: [{ endpoint: 'admin', ipAddressPool: 'a' }] },
    '[0].endpoint',
    'internal or',
  ],
  [{ externalEndpoints: [{ endpoint: 'internal' }] }, '[0].ipAddressPool', 'name the pool'],
  [
    {
      externalEndpoints: [{ endpoint: 'internal', ipAddressPool: 'a' }],
      override: { service: { internal: {} } },
    },
    '[0].endpoint',
    'keep one of them',
  ],
])('[O3.1] what cannot be converted is named: %j', (keystone, place, why) => {
  const [error] = convertEndpoints({ spec: { keystone } }).errors
  expect(error?.path).toBe(`spec.keystone.externalEndpoints${place}`)
  expect(error?.message).toContain(why)
})

test('[O3.1] nothing else changes', () => {
  const object = { kind: 'Service', spec: { ports: [{ port: 80 }], list: ['a'] } }
  expect(convertEndpoints(object)).toEqual({ object, fields: [], errors: [] })
  const other = { kind: 'ConfigMap', data: { a: 'b' } }
  expect(convertEndpoints(other).object).toBe(other)
})

test('[O3.1] an empty override beside it takes nothing away, and another value is an error', () => {
  const externalEndpoints = [{ endpoint: 'public', ipAddressPool: 'a', sharedIP: false }]
  const made = { service: { public: balanced(on('a')) } }
  for (const keystone of [
    { override: null, externalEndpoints },
    { externalEndpoints, override: null },
  ]) {
    const { object, errors } = convertEndpoints({ spec: { keystone } })
    expect([object['spec'], errors]).toEqual([{ keystone: { override: made } }, []])
  }
  const [error] = convertEndpoints({ spec: { externalEndpoints, override: 'x' } }).errors
  expect(error?.message).toContain('is not an object')
})
