// Is "as if it held nothing" what would be if it really held nothing? Compared with a copy in which
// the Service lets go, at rest and while holders are in each other's way.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import type { Key } from '../../src/core/model/service.ts'
import type { ReadonlyWorld, World } from '../../src/core/model/world.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import { requestOf } from '../../src/core/policy/addressRequest.ts'
import { allocate } from '../../src/core/policy/allocate.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'
import { ip } from '../build/announcing.ts'
import { namespaceOf, serviceNames } from '../build/randomObjects.ts'
import { history, take } from '../build/randomSteps.ts'
import { digestOf, reread } from './digest.ts'

const gate = gatesOf(await readCrds())('native')

/** What can be asked about holdings, and what every Service would be given. */
function answersOf(world: ReadonlyWorld) {
  const { slots, pools, tenants } = digestOf(world)
  const services = [...world.services.values()].filter((service) => world.isOurs(service))
  const offers = services.map((service) => allocate(world, requestOf(world, service)))
  const free = [...world.pools.values()].map((pool) =>
    (['IPv4', 'IPv6'] as const).map((family) => world.ledgerOf(pool)?.isFull(family)),
  )
  return { slots, pools, tenants, offers, free }
}

type Given = { readonly service: Key; readonly ips: readonly Ip[] }

/** One or two of few addresses, whoever else has them. */
const given: fc.Arbitrary<Given> = fc.record({
  service: fc.constantFrom(...serviceNames).map((name) => `${namespaceOf(name)}/${name}`),
  ips: fc
    .subarray(['10.0.0.0', '10.0.0.1', '10.0.0.4', 'fd00::', 'fd00::1', '10.9.0.10'], {
      minLength: 1,
      maxLength: 2,
    })
    .map((ips) => ips.map(ip)),
})

function copyOf(world: ReadonlyWorld, holdings: readonly Given[]): World {
  const copy = reread(world)
  for (const { service, ips } of holdings) {
    copy.apply({ type: 'intent', intent: { service, ips, wait: undefined } })
  }
  return copy
}

test.each([
  { when: 'at rest', most: 0 },
  { when: "while holders are in each other's way", most: 12 },
])('[M3.3] as if a Service held nothing, $when', ({ most }) => {
  let asked = 0
  const gifts = fc.array(given, { maxLength: most, size: 'max' })
  const property = fc.property(history, gifts, (steps, holdings) => {
    const cluster = new Cluster(gate, settings)
    for (const step of steps) take(cluster, step)
    cluster.settle()
    const world = copyOf(cluster.world, holdings)
    const before = JSON.stringify(digestOf(world), plain)
    for (const key of world.services.keys()) {
      if (world.holdingOf(key) === undefined) continue
      asked++
      const released = copyOf(cluster.world, [...holdings, { service: key, ips: [] }])
      expect(answersOf(world.without(key))).toEqual(answersOf(released))
    }
    expect(JSON.stringify(digestOf(world), plain)).toBe(before)
  })
  fc.assert(property, { seed: 20_260_201, numRuns: 80 })
  expect(asked).toBeGreaterThan(100)
})

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
