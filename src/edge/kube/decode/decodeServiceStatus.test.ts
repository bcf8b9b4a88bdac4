import { expect, test } from 'vitest'
import { decodeServiceStatus } from './decodeServiceStatus.ts'
import { Fields } from './fields.ts'

const labels = {
  'metallb.io/node': 'a',
  'metallb.io/service-name': 'web',
  'metallb.io/service-namespace': 'shop',
}
const metadata = { name: 'l2-x', uid: 'u', resourceVersion: '3', labels }

test.each([
  {
    of: 'a status that was just created',
    json: { metadata },
    read: { node: 'a', service: 'shop/web', names: [], isComplete: false },
  },
  {
    of: 'a complete status',
    json: {
      metadata,
      status: {
        node: 'a',
        serviceName: 'web',
        serviceNamespace: 'shop',
        interfaces: [{ name: 'eth1' }, { name: 'eth0' }],
      },
    },
    read: { service: 'shop/web', names: ['eth0', 'eth1'], isComplete: true },
  },
  { of: 'nonsense', json: 7, read: { node: '', service: '/', isComplete: false } },
])('[M1.8] $of', ({ json, read }) => {
  expect(decodeServiceStatus('ServiceL2Status', new Fields(json, []))).toMatchObject(read)
})

test('[M1.8] of BGP the peers are read', () => {
  const status = {
    node: 'a',
    serviceName: 'web',
    serviceNamespace: 'shop',
    peers: ['tor', 'spine'],
  }
  const read = decodeServiceStatus('ServiceBGPStatus', new Fields({ metadata, status }, []))
  expect(read).toMatchObject({ node: 'a', service: 'shop/web', names: ['spine', 'tor'] })
})
