// Thousands of BGPConfigurations in one namespace, of which one counts. The attacker may write them in a
// namespace. Afterwards: each was decided a few times, and what happens elsewhere has only the one that counts
// decided again. Before: each that was written, and each status that was told, had all of them decided
// again, so that 300 of them took 90,000 decisions.
import { expect, test } from 'vitest'
import { World } from '../../src/core/model/world.ts'
import type { Write } from '../../src/core/model/write.ts'
import { podRoutes } from '../../src/core/policy/podRoutes/decidePodRoutes.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { decode } from '../../src/edge/kube/decode/decode.ts'

const count = 300
const configuration = (at: number, status: object = {}) => ({
  ...{ apiVersion: 'network.openstack.org/v1beta1', kind: 'BGPConfiguration', spec: {}, status },
  metadata: {
    ...{ name: `bgp-${at}`, namespace: 'alpha', uid: `u${at}`, resourceVersion: '1' },
    creationTimestamp: new Date(at * 1000).toISOString(),
  },
})

/** Decides what was woken until nothing is left; answers how often. */
function stand() {
  const world = new World(settings)
  const decider = podRoutes(() => 'known')
  const queue = new Set<string>()
  world.listen((changed) => {
    for (const key of decider.wakes(changed, world)) queue.add(key)
  })
  const put = (json: object): void => {
    const read = decode(json)
    if (read.kind !== 'view') throw new Error(read.kind)
    world.apply({ type: 'upsert', view: read.view })
  }
  const carryOut = (write: Write): void => {
    if (write.type !== 'status') throw new Error(`${write.type} was not expected`)
    put(configuration(Number(write.of.name.slice('bgp-'.length)), write.fields))
  }
  for (const kind of ['Pod', 'BGPConfiguration', 'FRRConfiguration'] as const) {
    world.apply({ type: 'served', kind, isServed: true })
  }
  const settled = (): number => {
    let decisions = 0
    for (const key of queue) {
      queue.delete(key)
      decisions++
      decider.decide(world, key, '2026-01-01T00:00:00Z').writes.forEach(carryOut)
    }
    return decisions
  }
  return { world, put, settled }
}

test('[R16.4] of many BGPConfigurations in a namespace each is decided a few times', () => {
  const { world, put, settled } = stand()
  let decisions = 0
  for (let at = 0; at < count; at++) {
    put(configuration(at))
    decisions += settled()
  }
  expect(decisions).toBeLessThan(4 * count)
  put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'w0', uid: 'w0', resourceVersion: '1' } })
  expect(settled()).toBe(1)
  // The next one counts, and the others say so.
  world.apply({ type: 'delete', kind: 'BGPConfiguration', key: 'alpha/bgp-0' })
  expect(settled()).toBeLessThan(3 * count)
  const told = [...world.all('BGPConfiguration').values()].map(({ status }) =>
    status.conditions.find(({ type }) => type === 'ServiceConfigReady'),
  )
  expect(told.filter((one) => one?.status === 'True')).toHaveLength(1)
  expect(told[1]?.message).toContain('BGPConfiguration alpha/bgp-1 is older and counts')
})
