// What happens to a cluster? One step after another: something is applied or deleted, the
// controller restarts, time passes.
import fc from 'fast-check'
import type { Json } from '../../src/core/model/json.ts'
import type { Cluster } from '../../src/core/sim/cluster.ts'
import { idOf } from '../../src/core/sim/objects.ts'
import {
  address,
  addressId,
  namespace,
  namespaceOf,
  namespaces,
  node,
  nodeNames,
  pool,
  poolNames,
  service,
  serviceNames,
  tenant,
  tenantNames,
} from './randomObjects.ts'

export type Step =
  | { readonly type: 'apply'; readonly json: Json; readonly ageSeconds: number }
  | { readonly type: 'delete'; readonly id: string }
  | { readonly type: 'restart' }

/** Several objects of one moment are of one age, as they are when a folder is applied. */
const applied = (json: fc.Arbitrary<Json>): fc.Arbitrary<Step> =>
  fc.record({ type: fc.constant('apply'), json, ageSeconds: fc.constantFrom(0, 1) })

const oneOf = (names: readonly string[], make: (name: string) => fc.Arbitrary<Json>) =>
  fc.oneof(...names.map(make))

const serviceId = fc
  .constantFrom(...serviceNames)
  .map((name) => `Service/${namespaceOf(name)}/${name}`)
const anyBlock = fc.nat(3)

const poolSteps = (names: readonly string[]) =>
  applied(oneOf(names, (name) => pool(name, anyBlock)))

const deleted: fc.Arbitrary<Step> = fc
  .oneof(
    { arbitrary: serviceId, weight: 6 },
    { arbitrary: addressId, weight: 2 },
    fc.constantFrom(...poolNames).map((name) => `IPAddressPool/metallb-system/${name}`),
    fc.constantFrom(...tenantNames).map((name) => `Tenant/${name}`),
    fc.constantFrom(...nodeNames).map((name) => `Node/${name}`),
    fc.constantFrom(...namespaces).map((name) => `Namespace/${name}`),
    fc.constant('IPAddressPool/metallb-system/t0-net'),
  )
  .map((id) => ({ type: 'delete', id }))

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: applied(oneOf(serviceNames, service)), weight: 14 },
  { arbitrary: poolSteps(poolNames), weight: 5 },
  { arbitrary: applied(oneOf(tenantNames, (name) => tenant(name, namespaces))), weight: 2 },
  { arbitrary: applied(address), weight: 2 },
  { arbitrary: applied(oneOf(namespaces, namespace)), weight: 1 },
  { arbitrary: applied(oneOf(nodeNames, node)), weight: 1 },
  { arbitrary: deleted, weight: 4 },
  { arbitrary: fc.constant<Step>({ type: 'restart' }), weight: 1 },
)

/** A pool or two to begin with: a history without any says little. */
const varied: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.array(poolSteps(poolNames), { minLength: 1, maxLength: 4 }),
    fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }),
  )
  .map((parts) => parts.flat())

/** Many Services before one small pool: what is freed, reserved or used elsewhere concerns all. */
const crowded: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.tuple(applied(pool('p0', fc.constant(0)))),
    fc.array(
      fc.oneof(
        { arbitrary: applied(oneOf(serviceNames, service)), weight: 10 },
        { arbitrary: serviceId.map((id): Step => ({ type: 'delete', id })), weight: 4 },
        { arbitrary: applied(address), weight: 3 },
        { arbitrary: addressId.map((id): Step => ({ type: 'delete', id })), weight: 2 },
        { arbitrary: applied(oneOf(nodeNames, node)), weight: 1 },
        { arbitrary: applied(tenant('t0', namespaces)), weight: 1 },
        { arbitrary: poolSteps(['p0']), weight: 1 },
      ),
      { minLength: 1, maxLength: 50, size: 'max' },
    ),
  )
  .map((parts) => parts.flat())

export const history: fc.Arbitrary<Step[]> = fc.oneof(varied, crowded)

/**
 * Objects that nobody refuses in whatever order they come, each with an age of its own: pools in
 * their own blocks, tenants that list no namespace twice.
 */
export const inventory: fc.Arbitrary<Json[]> = fc
  .tuple(
    fc.tuple(...poolNames.map((name, number) => fc.option(pool(name, fc.constant(number))))),
    fc.tuple(
      ...tenantNames.map((name, number) =>
        fc.option(tenant(name, namespaces.slice(number, number + 1)).filter(hasMembers)),
      ),
    ),
    fc.tuple(...namespaces.map((name) => fc.option(namespace(name)))),
    fc.tuple(...nodeNames.map((name) => fc.option(node(name)))),
    fc.uniqueArray(address, { maxLength: 4, selector: idOf }),
    fc.tuple(...serviceNames.map((name) => fc.option(service(name)))),
    fc.nat(10_000),
  )
  .map(([pools, tenants, spaces, nodes, reserved, services, shift]) =>
    [...pools, ...tenants, ...spaces, ...nodes, ...reserved, ...services]
      .filter((json) => json !== null)
      .map((json, index) => withAge(json, (index * 7_919 + shift) % 86_400)),
  )

function hasMembers(json: Json): boolean {
  const { spec } = json as { spec: { namespaces: { names: []; selector?: Json }; services: [] } }
  const { names, selector } = spec.namespaces
  return names.length > 0 || selector !== undefined || spec.services.length > 0
}

/** 7,919 is prime to the seconds of a day: no two of a few objects are of one age. */
function withAge(json: Json, second: number): Json {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const time = `${two(second / 3600)}:${two((second / 60) % 60)}:${two(second % 60)}`
  const metadata = { ...(json['metadata'] as Json), creationTimestamp: `2026-01-01T${time}Z` }
  return { ...json, metadata }
}

/** Admission may refuse; then nothing has happened. */
export function take(cluster: Cluster, step: Step): void {
  if (step.type === 'restart') cluster.restart()
  else if (step.type === 'delete') cluster.delete(step.id)
  else {
    cluster.advance(step.ageSeconds)
    cluster.apply(step.json)
  }
}
