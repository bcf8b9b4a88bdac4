// One address is written into thousands of Reservations. The attacker may write Reservations and IPSets
// in its namespace. Afterwards: each host learns in one sentence that others have its address, and is
// not told again when one more is added; its block names a few, and work grows with the number of hosts,
// not its square.
// Before: each host was told of all others, and again for each new one; the block named each and was
// written for each, and each caused questions to the API about all others.
import { expect, test } from 'vitest'
import { World } from '../../src/core/model/world.ts'
import { addressBlocks } from '../../src/core/policy/ipam/decideBlock.ts'
import { decideIpSet } from '../../src/core/policy/ipam/decideIpSet.ts'
import { nodeProblems } from '../../src/core/policy/ipam/nodeProblems.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'
import { stepsOf } from '../build/stepsOf.ts'

const count = 3_000
const subnet = { name: 's', cidr: '10.0.0.0/24' }
const object = (kind: string, name: string, spec: object) => ({
  ...{ apiVersion: 'network.openstack.org/v1beta1', kind, spec },
  metadata: { name, namespace: 'alpha', uid: `${kind}-${name}`, resourceVersion: '1' },
})
const pool = {
  ...{ apiVersion: 'metallb.io/v1beta1', kind: 'IPAddressPool' },
  metadata: { name: 'lan', namespace: 'metallb-system', uid: 'p', resourceVersion: '1' },
  spec: { addresses: ['10.0.0.0/24'] },
}
const host = (at: number) => [
  object('IPSet', `h${at}`, { networks: [{ name: 'net', subnetName: 's' }] }),
  object('Reservation', `h${at}`, {
    ipSetRef: {},
    reservation: { net: { network: 'net', subnet: 's', address: '10.0.0.7' } },
  }),
]

function put(world: World, json: unknown): void {
  const decoded = decode(json)
  if (decoded.kind === 'view') world.apply({ type: 'upsert', view: decoded.view })
}

/** Each as it comes is decided, and so is the block; then all go again. */
function workFor(hosts: number): number {
  const world = new World(settings)
  const woken = new Set<string>()
  world.listen((changed) => {
    for (const block of addressBlocks.wakes(changed, world)) woken.add(block)
  })
  const now = '2026-01-01T00:00:00Z'
  const decided = () => {
    for (let key = world.nodeQueue.pop(); key !== undefined; key = world.nodeQueue.pop()) {
      const { nodeIntent } = decideIpSet(world, key, { now })
      if (nodeIntent === undefined) continue
      world.apply({ type: 'node', ipSet: key, intent: nodeIntent })
      world.apply({ type: 'node', ipSet: key })
    }
    for (const block of woken) addressBlocks.record(world, block, now)
    woken.clear()
  }
  return stepsOf(() => {
    const config = { networks: [{ name: 'net', subnets: [subnet] }] }
    for (const json of [pool, object('NetConfig', 'netconfig', config)]) put(world, json)
    for (let at = 0; at < hosts; at++) {
      for (const json of host(at)) put(world, json)
      decided()
    }
    nodeProblems(world)
    for (let at = 0; at < hosts; at++) {
      for (const kind of ['IPSet', 'Reservation'] as const) {
        world.apply({ type: 'delete', kind, key: `alpha/h${at}` })
      }
      decided()
    }
  })
}

test('[R12.13] four times as many that have it are four times the work', () => {
  expect(workFor(800) / workFor(200)).toBeLessThan(6)
})

test('[R12.13] a block names eight of them, and the next when one of these goes', () => {
  const world = new World(settings)
  const config = { networks: [{ name: 'net', subnets: [subnet] }] }
  put(world, object('NetConfig', 'netconfig', config))
  for (let at = 0; at < 20; at++) for (const json of host(at)) put(world, json)
  const named = () => {
    const write = addressBlocks.record(world, 'namespace.alpha.10.0.0.0', '2026-01-01T00:00:00Z')
    return write?.type === 'put' ? write.holders.map(({ name }) => name).sort() : []
  }
  const first = ['h0', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7']
  expect(named()).toEqual(first)
  for (const kind of ['IPSet', 'Reservation'] as const) {
    world.apply({ type: 'delete', kind, key: 'alpha/h3' })
  }
  expect(named()).toEqual(['h0', 'h1', 'h2', 'h4', 'h5', 'h6', 'h7', 'h8'])
})

test('[R12.13] what many have is told in few words', () => {
  const world = new World(settings)
  put(world, object('NetConfig', 'netconfig', { networks: [{ name: 'net', subnets: [subnet] }] }))
  for (let at = 0; at < count; at++) for (const json of host(at)) put(world, json)
  while (world.nodeQueue.pop() !== undefined);
  for (const json of host(count)) put(world, json)
  expect(world.nodeQueue.size).toBe(1)
  const { writes } = decideIpSet(world, 'alpha/h7', { now: '2026-01-01T00:00:00Z' })
  const status = JSON.stringify(writes.find(({ type }) => type === 'status'))
  expect(status).toContain('also reserved for more than 7 others')
  expect(status.length).toBeLessThan(2_000)
  const found = nodeProblems(world)
  expect(found).toHaveLength(count + 1)
  expect(Math.max(...found.map(({ message }) => message.length))).toBeLessThan(200)
})
