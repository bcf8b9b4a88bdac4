// A namespace writes into the status of a host which address it has. The attacker holds a token of `berth up`
// that is bound to the namespace. Afterwards: no attempt writes the status of a kind that Berth decides about.
// Before: such a status was kept as if Berth had written it, also with an address in another tenant's range on
// the same wire.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { yamlOrFault } from '../../src/edge/manifests/parseYaml.ts'
import { upStand } from './upStand.ts'

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const definition = yamlOrFault(
  readFileSync('deploy/openstack/crds/network.openstack.org_ipsets.yaml', 'utf8'),
)
const path = '/apis/network.openstack.org/v1beta1/namespaces/shop/ipsets'
const host = {
  ...{ apiVersion: 'network.openstack.org/v1beta1', kind: 'IPSet', metadata: { name: 'web' } },
  spec: { networks: [{ name: 'ctlplane', subnetName: 'subnet1' }] },
}
const status = { reservations: [{ network: 'ctlplane', subnet: 'subnet1', address: '192.0.2.20' }] }

test.each([
  ['PUT', 'application/json', { ...host, status }],
  ['PATCH', 'application/merge-patch+json', { status }],
  ['PATCH', 'application/apply-patch+yaml', { ...host, status }],
])('%s, %s', async (method, type, body) => {
  const { ask, token, uidOf } = await upStand()
  const pair = 'admin'
  await ask({ pair, method: 'POST', path: definitions, body: definition })
  const namespace = { metadata: { name: 'shop' } }
  await ask({ pair, method: 'POST', path: '/api/v1/namespaces', body: namespace })
  const bound = { namespace: 'shop', namespaceUid: await uidOf('shop') }
  const held = await token({ isReadOnly: false, ...bound })
  const query = method === 'PATCH' && type.includes('apply') ? '?fieldManager=x' : ''
  const headers = { 'Content-Type': type }
  const refused = await ask({
    token: held,
    method,
    path: `${path}/web/status${query}`,
    body,
    headers,
  })
  expect(refused.code).toBe(403)
  // Allowed, and nothing is there.
  expect((await ask({ token: held, path: `${path}/web/status` })).code).toBe(404)
})
