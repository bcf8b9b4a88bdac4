// Is a decision the same whether or not somebody listens, and does the page say what it does?
// Random clusters, every Service, at every moment.
import fc from 'fast-check'
import { expect } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import { type Json, recordAt } from '../../src/core/model/json.ts'
import { withoutPointer } from '../../src/core/model/pointer.ts'
import { inCondition } from '../../src/core/model/reason.ts'
import type { ServiceView } from '../../src/core/model/service.ts'
import type { ReadonlyWorld } from '../../src/core/model/world.ts'
import { decideService } from '../../src/core/policy/decideService.ts'
import type { Answer } from '../../src/core/policy/explain/explainAnswer.ts'
import {
  explainService,
  type PoolAnswers,
  type ServiceExplanation,
} from '../../src/core/policy/explain/explainService.ts'
import { Trace } from '../../src/core/policy/trace.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'
import { address, pool, service, serviceNames } from '../build/randomObjects.ts'
import { history, inventory, take } from '../build/randomSteps.ts'
import type { Promised } from './properties.ts'

const isObjection = ({ verdict }: Answer): boolean => verdict !== 'ok'

const gate = gatesOf(await readCrds())('native')

const reasonsOf = (answers: readonly Answer[]) =>
  answers.filter(isObjection).flatMap(({ reason }) => reason ?? [])
const passes = ({ answers }: PoolAnswers) => !answers.some(isObjection)

/** The outcome is the decision: its addresses, or the reason of the condition. */
function sameOutcome(world: ReadonlyWorld, service: ServiceView, explained: ServiceExplanation) {
  const { intent, write } = decideService(world, service.key)
  const { outcome } = explained
  const is = intent.ips.length > 0 ? 'holds' : 'waits'
  expect(outcome.is).toBe(world.isOurs(service) ? is : 'not-ours')
  expect(outcome.is === 'holds' ? outcome.ips : []).toEqual(intent.ips)
  if (outcome.is !== 'waits') return
  const condition = write === undefined ? service.addressed : write.condition
  expect(inCondition(outcome.reason)).toBe(condition?.reason)
  expect(outcome.message).toBe(withoutPointer(condition?.message ?? ''))
}

/** One pool gives, and it alone has no objection; where none does, the reason is on the page. */
function objectionsAgree({ anew, request, pools }: ServiceExplanation) {
  if (anew === undefined) return
  if ('ips' in anew) {
    expect(reasonsOf(request)).toEqual([])
    expect(pools.filter(passes).map(({ pool }) => pool)).toEqual([anew.pool])
    expect(pools.find(passes)?.offers).toEqual(anew.ips)
    return
  }
  const asked = reasonsOf(request)
  const said = pools.flatMap(({ answers }) => reasonsOf(answers))
  expect([...asked, ...said]).toContain(anew.reason)
  if (asked.length === 0) expect(pools.filter(passes)).toEqual([])
}

/** Whether the other family is given is what its pool says. */
function secondAgrees({ second, outcome }: ServiceExplanation) {
  if (second === undefined || outcome.is !== 'holds') return
  expect(passes(second)).toBe(outcome.lacks === undefined)
  const [offer = ''] = second.offers
  if (outcome.lacks === undefined) expect(outcome.ips).toContain(offer)
  else expect(reasonsOf(second.answers)).toContain(outcome.lacks.reason)
}

/** For one address that lies in a pool, that pool's first objection is the reason itself. */
function homeIsExact({ anew, asks, request, pools }: ServiceExplanation) {
  const [home] = pools
  const isAsked = request.every((answer) => !isObjection(answer)) && asks.means.length === 1
  if (!isAsked || home === undefined || anew === undefined || 'ips' in anew) return
  const first = home.answers.find(({ verdict }) => verdict === 'first-objection')
  expect(first?.reason).toBe(anew.reason)
}

function explainsAll(cluster: Cluster) {
  const { world } = cluster
  for (const service of world.services.values()) {
    const before = decideService(world, service.key)
    const explained = explainService(world, cluster.speakers(), service.key)
    if (explained === undefined) throw new Error(`${service.key} is not explained`)
    sameOutcome(world, service, explained)
    objectionsAgree(explained)
    homeIsExact(explained)
    secondAgrees(explained)
    expect(decideService(world, service.key, new Trace())).toEqual(before)
  }
}

/** Everybody asks for one of a few addresses, which people and nodes want too. */
const few = ['10.0.0.0', '10.0.0.1', '10.0.0.2', '10.0.0.4'] as const
const asking = ([json, loadBalancerIP]: readonly [Json, string]): Json => ({
  ...json,
  metadata: { ...recordAt(json, 'metadata'), annotations: { 'metallb.io/allow-shared-ip': 'k' } },
  spec: { ...recordAt(json, 'spec'), ipFamilyPolicy: 'SingleStack', loadBalancerIP },
})
const machine = (addresses: readonly string[]): Json => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n0' },
  status: { addresses: addresses.map((address) => ({ type: 'InternalIP', address })) },
})
const renamed = (json: Json, text: string): Json => ({
  ...json,
  metadata: { name: text },
  spec: { ...recordAt(json, 'spec'), address: text },
})
const contest: fc.Arbitrary<Json[]> = fc
  .tuple(
    pool('p0', fc.constant(0)),
    fc.subarray([...few]).map(machine),
    fc.tuple(...few.map((text) => fc.option(address.map((json) => renamed(json, text))))),
    fc.tuple(
      ...serviceNames.map((name) => fc.tuple(service(name), fc.constantFrom(...few)).map(asking)),
    ),
  )
  .map(([home, node, kept, services]) => [
    home,
    node,
    ...kept.filter((json) => json !== null),
    ...services,
  ])

const explainedAtRest = (objects: fc.Arbitrary<Json[]>) =>
  fc.property(objects, (given) => {
    const cluster = new Cluster(gate, settings)
    for (const json of given) cluster.apply(json)
    explainsAll(cluster)
    cluster.settle()
    explainsAll(cluster)
  })

export const explanations: readonly Promised[] = [
  {
    title: '[P8] an explanation agrees, in any inventory, before and after it settles',
    property: explainedAtRest(inventory),
  },
  {
    title: '[P8] an explanation agrees, in any contest for addresses, before and after it settles',
    property: explainedAtRest(contest),
  },
  {
    title: '[P8] an explanation agrees, after every step of any history',
    property: fc.property(history, (steps) => {
      const cluster = new Cluster(gate, settings)
      for (const step of steps) {
        take(cluster, step)
        explainsAll(cluster)
        cluster.settle()
      }
      explainsAll(cluster)
    }),
  },
]
