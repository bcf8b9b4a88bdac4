// Does the explanation say what the decision does? Random clusters, every Service, at every moment.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { history, inventory, take } from '../../../test/build/randomSteps.ts'
import { inCondition } from '../../core/model/reason.ts'
import type { ServiceView } from '../../core/model/service.ts'
import type { ReadonlyWorld } from '../../core/model/world.ts'
import { decideService } from '../../core/policy/decideService.ts'
import { type Answer, isObjection } from '../../core/policy/explainAnswer.ts'
import type { PoolAnswers } from '../../core/policy/explainPools.ts'
import { explainService, type ServiceExplanation } from '../../core/policy/explainService.ts'
import { Cluster } from '../../core/sim/cluster.ts'
import { settings } from '../../core/sim/runScenario.ts'
import { gatesOf, readCrds } from './gates.ts'

const gate = gatesOf(await readCrds())('native')

const reasonsOf = (answers: readonly Answer[]) =>
  answers.filter(isObjection).flatMap(({ reason }) => reason ?? [])
const passes = ({ answers }: PoolAnswers) => !answers.some(isObjection)

/** The outcome is the decision: its addresses, or the reason of the condition. */
function sameOutcome(world: ReadonlyWorld, service: ServiceView, explained: ServiceExplanation) {
  const { intent, write } = decideService(world, service.key)
  const { outcome } = explained
  expect(outcome.is === 'holds' ? outcome.ips : []).toEqual(intent.ips)
  if (outcome.is !== 'waits') return
  const condition = write === undefined ? service.addressed : write.condition
  expect(inCondition(outcome.reason)).toBe(condition?.reason)
  expect(outcome.message).toBe(condition?.message)
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
    expect(decideService(world, service.key)).toEqual(before)
  }
}

test('[P8] in any inventory, before and after it settles', () => {
  fc.assert(
    fc.property(inventory, (objects) => {
      const cluster = new Cluster(gate, settings)
      for (const json of objects) cluster.apply(json)
      explainsAll(cluster)
      cluster.settle()
      explainsAll(cluster)
    }),
    { numRuns: 150 },
  )
})

test('[P8] after every step of any history', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const cluster = new Cluster(gate, settings)
      for (const step of steps) {
        take(cluster, step)
        explainsAll(cluster)
        cluster.settle()
      }
      explainsAll(cluster)
    }),
    { numRuns: 100 },
  )
})
