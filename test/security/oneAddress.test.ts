// One address, written into thousands of Reservations. The attacker may write Reservations and IPSets in
// its namespace. Afterwards: each is told that it is not alone, in a sentence, and none is told again
// when one more comes.
// Before: each was told of all others, and told again for each that came.
import { expect, test } from 'vitest'
import { World } from '../../src/core/model/world.ts'
import { decideIpSet } from '../../src/core/policy/ipam/decideIpSet.ts'
import { nodeProblems } from '../../src/core/policy/ipam/nodeProblems.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const count = 3_000
const subnet = { name: 's', cidr: '10.0.0.0/24' }
const object = (kind: string, name: string, spec: object) => ({
  ...{ apiVersion: 'network.openstack.org/v1beta1', kind, spec },
  metadata: { name, namespace: 'alpha', uid: `${kind}-${name}`, resourceVersion: '1' },
})
const host = (at: number) => [
  object('IPSet', `h${at}`, { networks: [{ name: 'net', subnetName: 's' }] }),
  object('Reservation', `h${at}`, {
    ipSetRef: {},
    reservation: { net: { network: 'net', subnet: 's', address: '10.0.0.7' } },
  }),
]

test('[R12.13] what many have is told in few words', () => {
  const world = new World(settings)
  const put = (json: unknown): void => {
    const decoded = decode(json)
    if (decoded.kind === 'view') world.apply({ type: 'upsert', view: decoded.view })
  }
  put(object('NetConfig', 'netconfig', { networks: [{ name: 'net', subnets: [subnet] }] }))
  for (let at = 0; at < count; at++) for (const json of host(at)) put(json)
  while (world.nodeQueue.pop() !== undefined);
  for (const json of host(count)) put(json)
  expect(world.nodeQueue.size).toBe(1)
  const { writes } = decideIpSet(world, 'alpha/h7', { now: '2026-01-01T00:00:00Z' })
  const status = JSON.stringify(writes.find(({ type }) => type === 'status'))
  expect(status).toContain('also reserved for more than 7 others')
  expect(status.length).toBeLessThan(2_000)
  const found = nodeProblems(world)
  expect(found).toHaveLength(count + 1)
  expect(Math.max(...found.map(({ message }) => message.length))).toBeLessThan(200)
})
