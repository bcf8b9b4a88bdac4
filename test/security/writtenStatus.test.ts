// A status names an address that nobody gave. The attacker may write the status of Services in its
// namespace, and does so while no controller leads. Afterwards: the Services get no address that a
// request would not get, and each such address stays with its owner.
// Before: the address was adopted, and answered by ARP.
import { expect, test } from 'vitest'
import type { JsonObject } from '../../src/core/model/gate.ts'
import { berth, decidingStand, service, tenant } from './decidingStand.ts'

const address = (name: string): JsonObject => ({
  ...{ apiVersion: berth, kind: 'Address', metadata: { name }, spec: { address: name } },
})
const node: JsonObject = {
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } },
  status: { addresses: [{ type: 'InternalIP', address: '192.0.2.86' }] },
}
test('what a status names is had only where a request would be granted', async () => {
  const { make, write, away, quiet, shown } = await decidingStand()
  for (const name of ['red', 'blue']) {
    await make({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }
  await make(tenant('red', '192.0.2', 2))
  await make(tenant('blue', '198.51.100'))
  await make(node)
  await write(node, node['status'] as object)
  await make(address('192.0.2.85'))
  const [own, theirs] = [service('red', 'own'), service('blue', 'theirs')]
  for (const one of [own, theirs]) await make(one)
  await quiet()
  const [mine, foreign] = [await shown(own), await shown(theirs)]
  expect([mine, foreign]).toEqual([['192.0.2.80'], ['198.51.100.80']])
  const tried: readonly (readonly [JsonObject, string])[] = [
    [service('red', 'of-another'), '198.51.100.80'],
    [service('red', 'of-another-free'), '198.51.100.81'],
    [service('red', 'kept-free'), '192.0.2.85'],
    // Two that share it: one must not make the other's case.
    [service('red', 'of-a-node', 'k'), '192.0.2.86'],
    [service('red', 'of-a-node-too', 'k'), '192.0.2.86'],
    [service('red', 'within'), '192.0.2.87'],
    [service('red', 'beyond'), '192.0.2.88'],
  ]
  await away(async () => {
    for (const [json, ip] of tried) {
      await make(json)
      await write(json, { loadBalancer: { ingress: [{ ip }] } })
    }
  })
  const after = await Promise.all(tried.map(([json]) => shown(json)))
  for (const [at, [, ip]] of tried.entries()) {
    if (ip !== '192.0.2.87' && ip !== '192.0.2.88') expect(after[at]).not.toContain(ip)
  }
  expect(new Set(after.flat()).size, 'one more of a quota of two').toBe(1)
  expect([await shown(own), await shown(theirs)]).toEqual([mine, foreign])
})
