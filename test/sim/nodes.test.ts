// Do the promises of section 12 hold in any order of changes and restarts? After each step: no
// address twice on a wire, nobody's address moved, nobody waits although one is free, and every
// index is as if it were computed from nothing.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import { type Json, recordAt, textAt } from '../../src/core/model/json.ts'
import { World } from '../../src/core/model/world.ts'
import { explainIpSet } from '../../src/core/policy/explain/explainIpSet.ts'
import { allocateNode, isGranted } from '../../src/core/policy/ipam/allocateNode.ts'
import { decideIpSet } from '../../src/core/policy/ipam/decideIpSet.ts'
import { NodeTrace } from '../../src/core/policy/ipam/nodeTrace.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'

const gate = gatesOf(await readCrds())('native')
const apiVersion = 'network.openstack.org/v1beta1'
const namespaces = ['red', 'blue', 'green'] as const
const names = ['a', 'b', 'c', 'd', 'e']
const networks = [
  { name: 'CtlPlane', cidr: '10.0.0.0/24', first: 1 },
  { name: 'Storage', cidr: '10.0.1.0/28', first: 3 },
] as const

type Step =
  | {
      readonly type: 'config'
      readonly namespace: string
      readonly size: number
      readonly wire: boolean
    }
  | {
      readonly type: 'ipset'
      readonly namespace: string
      readonly name: string
      readonly fixed: number
      readonly isBoth: boolean
      readonly keep: string
    }
  | {
      readonly type: 'delete'
      readonly kind: string
      readonly namespace: string
      readonly name: string
    }
  | { readonly type: 'service'; readonly name: string; readonly isThere: boolean }
  | { readonly type: 'restart' }
  | { readonly type: 'later' }

const namespace = fc.constantFrom(...namespaces)
const name = fc.constantFrom(...names)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('config' as const),
      namespace,
      size: fc.integer({ min: 1, max: 5 }),
      wire: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('ipset' as const),
      namespace,
      name,
      fixed: fc.integer({ min: -8, max: 9 }),
      isBoth: fc.boolean(),
      keep: fc.constantFrom('', '', '5s', 'always'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('delete' as const),
      kind: fc.constantFrom('IPSet', 'IPSet', 'Reservation'),
      namespace,
      name,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('service' as const), name, isThere: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ type: 'restart' as const }, { type: 'later' as const }),
  },
)

const pool = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name: 'vips', namespace: settings.ownNamespace },
  spec: { addresses: ['10.0.0.3-10.0.0.4'] },
}

function take(cluster: Cluster, one: Step): void {
  if (one.type === 'restart') cluster.restart()
  else if (one.type === 'later') cluster.advance(10)
  else if (one.type === 'delete') cluster.delete(`${one.kind}/${one.namespace}/${one.name}`)
  else if (one.type === 'config') {
    cluster.apply(namespaceOf(one))
    cluster.apply(configOf(one))
  } else if (one.type === 'ipset') cluster.apply(ipSetOf(one))
  else if (one.isThere) cluster.apply(serviceOf(one.name))
  else cluster.delete(`Service/red/${one.name}`)
}

const namespaceOf = ({ namespace, wire }: Extract<Step, { type: 'config' }>): Json => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace, annotations: { 'berth.dev/wire': wire ? 'trunk' : '' } },
})

const configOf = ({ namespace, size }: Extract<Step, { type: 'config' }>): Json => ({
  apiVersion,
  kind: 'NetConfig',
  metadata: {
    name: 'net',
    namespace,
  },
  spec: {
    networks: networks.map(({ name, cidr, first }) => {
      const base = cidr.slice(0, cidr.lastIndexOf('.'))
      const allocationRanges = [{ start: `${base}.${first}`, end: `${base}.${first + size}` }]
      const subnet = { name: 'subnet1', cidr, gateway: `${base}.2`, allocationRanges }
      return { name, subnets: [subnet] }
    }),
  },
})

const ipSetOf = (one: Extract<Step, { type: 'ipset' }>): Json => ({
  apiVersion,
  kind: 'IPSet',
  metadata: {
    name: one.name,
    namespace: one.namespace,
    ...(one.keep === '' ? {} : { annotations: { 'berth.dev/keep': one.keep } }),
  },
  spec: {
    networks: networks.slice(0, one.isBoth ? 2 : 1).map(({ name }, at) => ({
      name: one.fixed % 2 === 0 ? name : name.toLowerCase(),
      subnetName: 'subnet1',
      ...(at === 0 && one.fixed >= 0 ? { fixedIP: `10.0.0.${one.fixed}` } : {}),
    })),
  },
})

const serviceOf = (name: string): Json => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'red' },
  spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
})

type Given = {
  readonly ipSet: string
  readonly network: string
  readonly address: string
  readonly uid: string
}

/** From the objects alone, without any of the code that decides. */
function givenIn(cluster: Cluster): Given[] {
  return cluster.ids().flatMap((id) => {
    const json = cluster.get(id)
    if (json === undefined || json['kind'] !== 'IPSet') return []
    const { reservations } = recordAt(json, 'status')
    const uid = textAt(recordAt(json, 'metadata'), 'uid')
    return (Array.isArray(reservations) ? reservations : []).map((one: unknown) => ({
      ipSet: id,
      network: textAt(one, 'network'),
      address: textAt(one, 'address'),
      uid,
    }))
  })
}

const wireOf = (cluster: Cluster, namespace: string): string => {
  const { annotations } = recordAt(cluster.get(`Namespace/${namespace}`), 'metadata')
  return textAt(annotations, 'berth.dev/wire') || namespace
}

/** A wire that is named later may hold one address twice: nothing moves then (R12.4). */
function twice(cluster: Cluster, given: readonly Given[], joined: ReadonlySet<string>): string[] {
  const seen = new Map<string, string>()
  return given.flatMap(({ ipSet, address }) => {
    const [, namespace = ''] = ipSet.split('/')
    const place = `${wireOf(cluster, namespace)} ${address}`
    const other = seen.get(place)
    seen.set(place, ipSet)
    return other === undefined || joined.has(place) ? [] : [`${place}: ${other} and ${ipSet}`]
  })
}

/** Those who wait although the rules would give them something now. */
function inVain({ world }: Cluster): string[] {
  return [...world.all('IPSet').values()].flatMap((ipSet) => {
    const [config] = world.nodes.configsIn(ipSet.namespace)
    if (config === undefined || !world.nodes.waiting.has(ipSet.key)) return []
    const told = ipSet.status.reservations.length
    const could = allocateNode({ world, ipSet, config }).filter(isGranted).length
    return could > told ? [ipSet.key] : []
  })
}

/** Explained as it is decided, and decided the same whether or not somebody listens. */
function explainsAll({ world }: Cluster, context: string): void {
  for (const { key } of world.all('IPSet').values()) {
    const decision = decideIpSet(world, key, { now: '' })
    const trace = new NodeTrace()
    expect(decideIpSet(world, key, { now: '', trace }), context).toEqual(decision)
    const { networks = [] } = explainIpSet(world, key) ?? {}
    const addresses = networks.flatMap(({ network, address }) =>
      address === undefined ? [] : [{ network: network.toLowerCase(), address }],
    )
    expect(addresses, context).toEqual(
      (decision.nodeIntent?.addresses ?? []).map(({ network, address }) => ({
        network: network.toLowerCase(),
        address,
      })),
    )
    for (const { refused, rules } of networks) {
      const first = rules.find(({ ok }) => !ok)
      if (rules.length > 0) expect(refused?.message, context).toBe(first?.message)
    }
  }
}

const digestOf = (world: World) => {
  const keys = [...world.all('IPSet').keys(), ...world.all('Reservation').keys()]
  return {
    held: [...new Set(keys)]
      .sort()
      .map((key) =>
        [...world.nodes.held.of(key)]
          .map(({ wire, address, isReserved, isPending, claim }) =>
            JSON.stringify({ wire, address, isReserved, isPending, claim }),
          )
          .sort(),
      ),
    free: namespaces.map((namespace) =>
      networks.map(({ name }) => {
        const ledger = world.nodes.subnet(`${namespace}/${name}/subnet1`.toLowerCase())
        const free = [...(ledger?.free() ?? [])]
        return [ledger?.held, free]
      }),
    ),
  }
}

const kinds = ['AddressBlock', 'Reservation', 'IPSet', 'NetConfig', 'Namespace'] as const

function reread(world: World): World {
  const after = new World(settings)
  for (const kind of kinds) {
    for (const view of world.all(kind).values()) after.apply({ type: 'upsert', view })
  }
  return after
}

test('[R12.1] [R12.3] [R12.6] no order of changes gives an address twice, or moves one', () => {
  let given = 0
  const property = fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
    const cluster = new Cluster(gate, settings)
    cluster.apply(pool)
    const joined = new Set<string>()
    let before: readonly Given[] = []
    for (const [at, one] of steps.entries()) {
      take(cluster, one)
      const context = `step ${at}: ${JSON.stringify(one)}`
      explainsAll(cluster, context)
      // Two namespaces that come onto one wire bring along what both have.
      if (one.type === 'config')
        for (const place of twice(cluster, before, joined)) joined.add(place.split(':')[0] ?? '')
      cluster.settle()
      const now = givenIn(cluster)
      const moved = before.filter((was) =>
        now.some(
          (is) => is.uid === was.uid && is.network === was.network && is.address !== was.address,
        ),
      )
      explainsAll(cluster, context)
      expect({ twice: twice(cluster, now, joined), moved, vain: inVain(cluster) }, context).toEqual(
        { twice: [], moved: [], vain: [] },
      )
      expect(digestOf(cluster.world), context).toEqual(digestOf(reread(cluster.world)))
      before = now
      given += now.length
    }
  })
  fc.assert(property, { numRuns: 60 })
  expect(given).toBeGreaterThan(500)
})
