// A node's report takes a whole pool. The attacker holds the account of a node's speaker that no policy
// binds to its node, and reports addresses for a node that does not exist. Afterwards: the pool still
// gives them.
// Before: the pool gave nobody an address.
import { expect, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { berth, decidingStand, service, tenant } from './decidingStand.ts'

test('a report about a node that is not there takes nothing out of the pools', async () => {
  const { make, quiet, shown } = await decidingStand()
  await make({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'green' } })
  await make(tenant('green', '203.0.113'))
  const addresses = Array.from({ length: 11 }, (_, at) => `203.0.113.${80 + at}/24`)
  await make({
    ...{ apiVersion: berth, kind: 'NodeInterfaces', metadata: { name: 'no-such-node' } },
    spec: { interfaces: [{ name: 'eth0', mac: '02:00:00:00:00:01', up: true, addresses }] },
  })
  const web = service('green', 'web')
  await make(web)
  await until('it is decided', async () => (await shown(web))[0])
  await quiet()
  expect(await shown(web)).toEqual(['203.0.113.80'])
})
