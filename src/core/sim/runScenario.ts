// Does what a scenario expects come true? Given, steps, and what does not hold after each of them.
import { type Json, recordAt, textAt } from '../model/json.ts'
import type { Settings } from '../model/world.ts'
import { addressesIn, checkServices } from './expectServices.ts'
import { checkSessions, sessionTexts } from './expectSessions.ts'
import { checkAnnouncements, checkObjects, checkProblems } from './expectWorld.ts'
import type { Scenario, Step } from './scenario.ts'
import type { Look, ScenarioCluster } from './scenarioCluster.ts'

export type Failure = {
  readonly step: string
  readonly path: string
  readonly expected: unknown
  readonly actual: unknown
}
/** A failure inside one step. */
export type Miss = Omit<Failure, 'step'>

export type Moment = {
  readonly look: Look
  /** The addresses of each Service at the end of the step before. */
  readonly before: ReadonlyMap<string, readonly string[]>
  /** Every Service that there ever was: an expectation of another one is a slip of the pen. */
  readonly known: ReadonlySet<string>
}

/** The namespace and class of every scenario. */
export const settings: Settings = { ownNamespace: 'metallb-system', loadBalancerClass: '' }

type Ran = {
  readonly failures: readonly Failure[]
  /** How things stand after the last step. */
  readonly end: Look
}

export async function runScenario(scenario: Scenario, cluster: ScenarioCluster): Promise<Ran> {
  const known = new Set<string>()
  const failures: Failure[] = []
  for (const manifest of scenario.given) {
    for (const actual of await applied(cluster, manifest, known)) {
      failures.push({ step: 'given', path: 'rejected', expected: false, actual })
    }
  }
  await cluster.settle()
  let look = await looked(cluster, known)
  for (const step of scenario.steps) {
    const before = addressesOfAll(look, known)
    const sessions = sessionTexts(look, step.expect)
    const done = await carryOut(cluster, step, known)
    look = await looked(cluster, known)
    const misses = [
      ...done,
      ...checkServices({ look, before, known }, step.expect.services ?? {}),
      ...(cluster.hasSpeakers ? checkAnnouncements(look, step.expect) : []),
      ...(cluster.hasSpeakers ? checkSessions(look, sessions, step.expect) : []),
      ...checkObjects(look, step.expect),
      ...checkProblems(look, step.expect),
    ]
    failures.push(...misses.map((miss) => ({ step: step.name, ...miss })))
  }
  return { failures, end: look }
}

/** Services that were made by a controller are known too. */
async function looked(cluster: ScenarioCluster, known: Set<string>): Promise<Look> {
  const look = await cluster.look()
  for (const key of look.world.services.keys()) known.add(key)
  return look
}

async function carryOut(
  cluster: ScenarioCluster,
  step: Step,
  known: Set<string>,
): Promise<readonly Miss[]> {
  const refusals: string[] = []
  await cluster.begin?.(step.apply)
  for (const manifest of step.apply) {
    refusals.push(...(await applied(cluster, manifest, known)))
    await cluster.settle()
  }
  for (const id of step.delete) {
    refusals.push(...(await cluster.delete(id)))
    await cluster.settle()
  }
  const strangers = await cluster.setNodes(step.nodesDown, step.nodesUp)
  if (step.restart.length > 0) await cluster.restart(step.restart)
  await cluster.advance(step.advanceSeconds)
  await cluster.settle()
  return [
    ...strangers.map((node) => ({ path: 'nodes', expected: 'a Node that is there', actual: node })),
    ...checkRejected(step.expect.rejected, refusals),
  ]
}

async function applied(
  cluster: ScenarioCluster,
  manifest: Json,
  known: Set<string>,
): Promise<readonly string[]> {
  const refusals = await cluster.apply(manifest)
  if (refusals.length === 0 && manifest['kind'] === 'Service') {
    const metadata = recordAt(manifest, 'metadata')
    known.add(`${textAt(metadata, 'namespace') || 'default'}/${textAt(metadata, 'name')}`)
  }
  return refusals
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

const addressesOfAll = (look: Look, known: ReadonlySet<string>) =>
  new Map([...known].map((key) => [key, addressesIn(look, key)]))
