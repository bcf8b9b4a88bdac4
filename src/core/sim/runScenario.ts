// Does what a scenario expects come true? Given, steps, and what does not hold after each of them.
import type { FieldError } from '../model/admission.ts'
import type { Gate } from '../model/gate.ts'
import type { Settings } from '../model/world.ts'
import { Cluster, type SeenEvent } from './cluster.ts'
import { addressesIn, checkServices } from './expectServices.ts'
import { checkAnnouncements, checkObjects, checkProblems } from './expectWorld.ts'
import type { Json } from './json.ts'
import { idOf } from './objects.ts'
import type { Scenario, Step } from './scenario.ts'

export type Failure = {
  readonly step: string
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}
/** A failure inside one step. */
export type Miss = Omit<Failure, 'step'>

export type Moment = {
  readonly cluster: Cluster
  readonly events: readonly SeenEvent[]
  /** The addresses of each Service at the end of the step before. */
  readonly before: ReadonlyMap<string, readonly string[]>
  /** Every Service that there ever was: an expectation of another one is a slip of the pen. */
  readonly known: ReadonlySet<string>
}

export const settings: Settings = { ownNamespace: 'metallb-system', loadBalancerClass: '' }

export function runScenario(scenario: Scenario, gate: Gate): Failure[] {
  const cluster = new Cluster(gate, settings, 'eth0')
  const refusals = scenario.given.flatMap((json) => refusal(cluster, json))
  cluster.settle()
  cluster.takeEvents()
  const given = refusals.map((text) => ({
    step: 'given',
    path: 'rejected',
    expected: false,
    actual: text,
  }))
  const known = new Set<string>()
  let before = addressesOfAll(cluster)
  return [
    ...given,
    ...scenario.steps.flatMap((step) => {
      const misses = runStep(cluster, step, { before, known })
      before = addressesOfAll(cluster)
      return misses.map((miss) => ({ step: step.name, ...miss }))
    }),
  ]
}

type Past = { readonly before: Moment['before']; readonly known: Set<string> }

function runStep(cluster: Cluster, step: Step, { before, known }: Past): Miss[] {
  const refusals: string[] = []
  const note = () => {
    for (const key of cluster.world.services.keys()) known.add(key)
  }
  note()
  for (const json of step.apply) {
    refusals.push(...refusal(cluster, json))
    cluster.settle()
    note()
  }
  for (const id of step.delete) {
    refusals.push(...told(id, cluster.delete(id)))
    cluster.settle()
  }
  const strangers = [...step.nodesDown, ...step.nodesUp].filter(
    (node) => !cluster.world.all('Node').has(node),
  )
  for (const node of step.nodesDown) cluster.down.add(node)
  for (const node of step.nodesUp) cluster.down.delete(node)
  if (step.restart.includes('controller')) cluster.restart()
  cluster.advance(step.advanceSeconds)
  cluster.settle()
  const moment = { cluster, events: cluster.takeEvents(), before, known }
  return [
    ...strangers.map((node) => ({ path: 'nodes', expected: 'a Node that is there', actual: node })),
    ...checkRejected(step.expect.rejected, refusals),
    ...checkServices(moment, step.expect.services ?? {}),
    ...checkAnnouncements(moment, step.expect),
    ...checkObjects(moment, step.expect),
    ...checkProblems(moment, step.expect),
  ]
}

function refusal(cluster: Cluster, json: Json): string[] {
  const applied = cluster.apply(json)
  return applied.ok ? [] : told(idOf(json), applied.errors)
}

const told = (id: string, errors: readonly FieldError[]): string[] => {
  const texts = errors.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  return errors.length === 0 ? [] : [`${id}: ${texts.join('; ')}`]
}

function checkRejected(
  expected: boolean | string | undefined,
  refusals: readonly string[],
): Miss[] {
  const actual = refusals.join('\n')
  if (expected === undefined || expected === false) {
    return refusals.length === 0 ? [] : [{ path: 'rejected', expected: false, actual }]
  }
  const pattern = expected === true ? /./ : new RegExp(expected, 'i')
  if (refusals.some((text) => pattern.test(text))) return []
  return [{ path: 'rejected', expected, actual: refusals.length === 0 ? 'admitted' : actual }]
}

function addressesOfAll(cluster: Cluster): Map<string, readonly string[]> {
  const keys = [...cluster.world.services.keys()]
  return new Map(keys.map((key) => [key, addressesIn(cluster, key)]))
}
