// A Service that asks for a hundred thousand BGP communities. The attacker may annotate Services in its
// namespace. Afterwards: the list was not read, and one problem says so. Before: each decision about the
// Service took every speaker a third of a second, and there were 120,000 problems.
import { expect, test } from 'vitest'
import { grantedTo } from '../../src/core/policy/announce/serviceCommunities.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const read = (json: object) => {
  const found = decode(json)
  if (found.kind !== 'view') throw new Error(found.kind)
  return found.view
}
const allowed = { 'berth.dev/allowed-communities': '64500:7' }
const lan = read({
  ...{ apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool' },
  metadata: { name: 'lan', namespace: 'metallb-system', annotations: allowed },
  spec: { addresses: ['192.0.2.0/24'] },
})
const asking = (communities: string) =>
  read({
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: {
      ...{ name: 'web', namespace: 'alpha', uid: 'u' },
      annotations: { 'berth.dev/communities': communities },
    },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
  })

test.each([
  ['many', 'a,'.repeat(120_000)],
  ['one that is long', 'a'.repeat(240_000)],
  ['many that are right', `64500:7,${'1:1,'.repeat(60_000)}`],
])('[R8.16] %s', (_, communities) => {
  const service = asking(communities)
  if (service.kind !== 'Service' || lan.kind !== 'IPAddressPool') throw new Error('misread')
  const { values, refused } = grantedTo(service, lan, new Map())
  expect(values).toEqual([])
  expect(refused).toHaveLength(1)
  expect(JSON.stringify(refused).length).toBeLessThan(300)
  const read = `it is ${communities.length} characters long, but at most 4096 are read`
  expect(refused[0]?.message).toBe(`${read}: the Service gets no communities`)
})
