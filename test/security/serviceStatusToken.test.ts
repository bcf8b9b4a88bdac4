// A namespace gives itself an address. The attacker holds a token of `berth up` that is bound to the
// namespace. Afterwards: no attempt writes the status of a Service, and the token still works for the
// rest of the namespace.
// Before: the address of another tenant was adopted, and answered by ARP.
import { expect, test } from 'vitest'
import { Fields } from '../../src/edge/kube/decode/fields.ts'
import { upStand } from './upStand.ts'

const services = '/api/v1/namespaces/shop/services'
const status = { loadBalancer: { ingress: [{ ip: '192.0.2.80' }] } }
const object = {
  ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
}
const typed = (type: string) => ({ headers: { 'Content-Type': `application/${type}` } })

async function shop() {
  const stand = await upStand()
  const body = { metadata: { name: 'shop' } }
  await stand.ask({ pair: 'admin', method: 'POST', path: '/api/v1/namespaces', body })
  const bound = { namespace: 'shop', namespaceUid: await stand.uidOf('shop') }
  const token = await stand.token({ isReadOnly: false, ...bound })
  return { ...stand, held: token }
}

test.each([
  { how: 'replaced', asked: { method: 'PUT', body: { ...object, status } } },
  { how: 'merged', asked: { method: 'PATCH', ...typed('merge-patch+json'), body: { status } } },
  {
    how: 'patched',
    asked: {
      ...{ method: 'PATCH', ...typed('json-patch+json') },
      body: [{ op: 'add', path: '/status/loadBalancer', value: status.loadBalancer }],
    },
  },
  {
    how: 'applied',
    asked: {
      ...{ method: 'PATCH', ...typed('apply-patch+yaml') },
      body: { ...object, status },
    },
  },
])('a status that is $how is refused', async ({ how, asked }) => {
  const { ask, held } = await shop()
  expect((await ask({ token: held, method: 'POST', path: services, body: object })).code).toBe(201)
  const query = how === 'applied' ? '?fieldManager=x' : ''
  const answer = await ask({ ...asked, token: held, path: `${services}/web/status${query}` })
  expect(answer.code).toBe(403)
})

test('a status in the object itself counts for nothing', async () => {
  const { ask, held } = await shop()
  const body = { ...object, status }
  await ask({ token: held, method: 'POST', path: services, body })
  const { json } = await ask({ token: held, path: `${services}/web/status` })
  const shown = new Fields(json, []).inner('status').inner('loadBalancer').each('ingress')
  expect(shown).toEqual([])
})

test('the token can tell that it may not', async () => {
  const { ask, held } = await shop()
  const review = async (subresource: string) => {
    const where = { namespace: 'shop', verb: 'patch', resource: 'services', subresource }
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
    const body = { spec: { resourceAttributes: where } }
    const { json } = await ask({ token: held, method: 'POST', path, body })
    return new Fields(json, []).inner('status').flag('allowed')
  }
  expect([await review('status'), await review('')]).toEqual([false, true])
})
