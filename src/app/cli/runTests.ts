// Which scenarios hold? Every file is read; a malformed one is told and the others still run.

import { Bug } from '../../core/model/bug.ts'
import { World } from '../../core/model/world.ts'
import { type Failure, runScenario, settings } from '../../core/sim/runScenario.ts'
import { type Scenario, scenarioOf } from '../../core/sim/scenario.ts'
import { typeOf } from '../../edge/kube/kinds.ts'
import type { Manifest } from '../../edge/manifests/manifest.ts'
import { readManifests } from '../../edge/manifests/readManifests.ts'
import { readCrds } from '../../edge/manifests/shippedCrds.ts'
import { gatesOf } from './gates.ts'
import type { Io } from './io.ts'
import { placeText } from './placeText.ts'
import { runLive } from './scenarios/runLive.ts'
import { simulatorFor } from './scenarios/simulator.ts'
import type { Targets } from './scenarios/target.ts'

export type Outcome = {
  readonly file: string
  readonly name: string
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly failures: readonly Failure[]
  /** On a running API: what of it could not be run or looked at there, and why. */
  readonly notLive?: readonly string[]
}
export type Report = {
  readonly outcomes: readonly Outcome[]
  /** file:line: why */
  readonly malformed: readonly string[]
}

type TestOptions = {
  readonly paths: readonly string[]
  /** Of names. */
  readonly filter?: RegExp | undefined
  /** Where scenarios run live; without, in the simulator. */
  readonly targets?: Targets | undefined
}

export async function runTests({ paths, filter, targets }: TestOptions, io: Io): Promise<Report> {
  const gateFor = gatesOf(await readCrds())
  const scenarios: Manifest[] = []
  const malformed: string[] = []
  for await (const read of readManifests(paths, io.stdin)) {
    if (!read.ok) {
      const { source, why } = read.unreadable
      malformed.push(`${placeText(source)}: ${why}`)
      continue
    }
    // Scenarios are kept beside manifests: what else a folder has is passed over.
    const isNamed = paths.includes(read.manifest.source.file)
    if (!isNamed && read.manifest.json['kind'] !== 'Scenario') continue
    const flaws = flawsOf(read.manifest, gateFor)
    if (flaws.length > 0) malformed.push(...flaws)
    else scenarios.push(read.manifest)
  }
  const outcomes: Outcome[] = []
  const left = scenarios.entries()
  // In each lane one after another; told in the order of the files.
  const follow = async (lane: number): Promise<void> => {
    for (const [index, manifest] of left) {
      if (io.signal.aborted) return
      outcomes[index] = await outcomeOf(manifest, { filter, targets, gateFor, lane })
    }
  }
  await Promise.all(Array.from({ length: targets?.lanes ?? 1 }, (_, lane) => follow(lane)))
  return { outcomes: outcomes.filter((one) => one !== undefined), malformed }
}

type GateFor = ReturnType<typeof gatesOf>

/** A scenario with an unknown key would pass by saying nothing: it is malformed. */
function flawsOf({ json, source, lineOf }: Manifest, gateFor: GateFor): string[] {
  const tell = (path: string, why: string) => `${source.file}:${lineOf(path)}: ${why}`
  const { kind, apiVersion } = typeOf('Scenario')
  if (json['kind'] !== kind || json['apiVersion'] !== apiVersion) {
    return [tell('', `${String(json['kind'])} is not a ${kind} of ${apiVersion}`)]
  }
  const admitted = gateFor('native').admit(new World(settings), json, undefined)
  if (!admitted.ok) {
    return admitted.errors.map(({ path, message }) => tell(path, `${path}: ${message}`))
  }
  const unknown = /^unknown field "([^"]*)"/
  return admitted.warnings.flatMap((warning) => {
    const path = unknown.exec(warning)?.[1]
    return path === undefined ? [] : [tell(path, warning)]
  })
}

type Run = Pick<TestOptions, 'filter' | 'targets'> & {
  readonly gateFor: GateFor
  readonly lane: number
}

async function outcomeOf(manifest: Manifest, run: Run): Promise<Outcome> {
  const scenario = scenarioOf(structuredClone(manifest.json))
  const { name } = scenario
  const { file } = manifest.source
  const outcome = (told: Pick<Outcome, 'status' | 'failures' | 'notLive'>): Outcome => ({
    file,
    name,
    ...told,
  })
  if (run.filter?.test(name) === false) return outcome({ status: 'skipped', failures: [] })
  try {
    return outcome(await ran(scenario, run))
  } catch (error) {
    if (!(error instanceof Bug)) throw error
    const failure = { step: '', path: 'bug', expected: 'to settle', actual: error.message }
    return outcome({ status: 'failed', failures: [failure] })
  }
}

async function ran(scenario: Scenario, { targets, gateFor, lane }: Run) {
  const gate = gateFor(scenario.bgpMode)
  const statusOf = ({ length }: readonly Failure[]) => (length === 0 ? 'passed' : 'failed')
  if (targets === undefined) {
    const { failures } = await runScenario(scenario, simulatorFor(scenario, gate))
    return { status: statusOf(failures), failures } as const
  }
  const live = await runLive(scenario, { targets, lane, gate })
  if (!live.ran) return { status: 'skipped', failures: [], notLive: [live.why] } as const
  const { failures, unseen } = live
  const part = unseen.length > 0 ? { notLive: unseen } : {}
  return { status: statusOf(failures), failures, ...part } as const
}
