// Does any history end live as it ends in the simulator? Histories that nobody has tried, on the
// embedded API and on a real API server, with the controller; each step is a second of its own, so that
// ages are what they seem.
import fc from 'fast-check'
import { afterAll, expect, inject, test } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import { runLive } from '../../src/app/cli/scenarios/runLive.ts'
import { simulatorFor } from '../../src/app/cli/scenarios/simulator.ts'
import type { Targets } from '../../src/app/cli/scenarios/target.ts'
import { embeddedTargets } from '../../src/app/up/scenarioTargets.ts'
import { type Json, recordAt } from '../../src/core/model/json.ts'
import { runScenario } from '../../src/core/sim/runScenario.ts'
import type { Scenario, Step as ScenarioStep } from '../../src/core/sim/scenario.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'
import { history, type Step } from '../build/randomSteps.ts'
import { findEngine } from '../kube/harness.ts'
import { kubernetesTargets } from '../live/kubernetesTargets.ts'
import { type Soaked, writePart } from './soakPage.ts'
import { firstSeed } from './soakSeed.ts'

const runs = Number(process.env['BERTH_SOAK_LIVE'] ?? 100)
const mostSteps = 20
const soaked: Soaked[] = []
const engine = inject('hasEngine') ? findEngine() : { why: '' }
const engines: readonly { readonly name: string; readonly start: () => Targets }[] = [
  { name: 'the embedded API', start: () => embeddedTargets(() => undefined) },
  ...('folder' in engine
    ? [{ name: 'Kubernetes', start: () => kubernetesTargets(engine.folder) }]
    : []),
]
const gate = gatesOf(await readCrds())('native')

const plain = { delete: [], nodesDown: [], nodesUp: [], restart: [], advanceSeconds: 0, apply: [] }

/** The API gives each its own: those of the histories are the same for all. */
function withoutClusterIps(json: Json): Json {
  if (json['kind'] !== 'Service') return json
  const { clusterIPs: _, ...spec } = recordAt(json, 'spec')
  return { ...json, spec }
}

const stepOf = (step: Step, index: number): ScenarioStep => ({
  ...plain,
  name: `step ${index + 1}`,
  ...(step.type === 'apply' ? { apply: [withoutClusterIps(step.json)], advanceSeconds: 1 } : {}),
  ...(step.type === 'delete' ? { delete: [step.id] } : {}),
  ...(step.type === 'restart' ? { restart: ['controller'] } : {}),
  expect: {},
})

/** What the simulator refuses is to be refused, and nothing else is. */
async function scenarioOf(steps: readonly Step[], name: string): Promise<Scenario> {
  const bare = { name, bgpMode: 'native', given: [], steps: steps.map(stepOf) } as const
  const { failures } = await runScenario(bare, simulatorFor(bare, gate))
  const refused = new Set(failures.map(({ step }) => step))
  const told = bare.steps.map((step) =>
    refused.has(step.name) ? { ...step, expect: { rejected: true } } : step,
  )
  return { ...bare, steps: told }
}

afterAll(() => {
  const about = `\`BERTH_SOAK_LIVE\` is how many histories, \`BERTH_SOAK_SEED\` the first seed.

A run is a history of up to ${mostSteps} steps through an API and the controller. Everything that the
controller wrote is compared with what the simulator ends with.`
  if (soaked.length > 0) writePart({ heading: 'Histories live', about, soaked, keepsOthers: true })
})

test.each(engines)(`random histories on $name, seed ${firstSeed}`, async ({ name, start }) => {
  const began = performance.now()
  // The simulator does not wait, and everything else here runs on one loop.
  const scenarios: Scenario[] = []
  for (const [index, steps] of fc.sample(history, { seed: firstSeed, numRuns: runs }).entries()) {
    scenarios.push(await scenarioOf(steps.slice(0, mostSteps), `history-${index}`))
  }
  const targets = start()
  const all = scenarios.values()
  const failed: unknown[] = []
  const follow = async (lane: number): Promise<void> => {
    for (const scenario of all) {
      const outcome = await runLive(scenario, { targets, lane, gate })
      const failures = outcome.ran ? outcome.failures : [`not run: ${outcome.why}`]
      if (failures.length > 0) failed.push({ scenario, failures })
    }
  }
  try {
    await Promise.all(Array.from({ length: targets.lanes }, (_, lane) => follow(lane)))
  } finally {
    await targets.close()
  }
  const seconds = (performance.now() - began) / 1000
  const outcome = failed.length === 0 ? 'held' : `${failed.length} differ`
  const title = `as in the simulator, on ${name}`
  soaked.push({ title, seed: firstSeed, runs, seconds, outcome })
  expect(failed).toEqual([])
})
