// Which scenarios hold? Every file is read; a malformed one is told and the others still run.

import { Bug } from '../../core/model/bug.ts'
import { World } from '../../core/model/world.ts'
import { type Failure, runScenario, settings } from '../../core/sim/runScenario.ts'
import { scenarioOf } from '../../core/sim/scenario.ts'
import { simulated } from '../../core/sim/simulated.ts'
import type { Manifest } from '../../edge/manifests/manifest.ts'
import { readManifests } from '../../edge/manifests/readManifests.ts'
import { readCrds } from '../../edge/manifests/shippedCrds.ts'
import { gatesOf } from './gates.ts'
import type { Io } from './io.ts'

export type Outcome = {
  readonly file: string
  readonly name: string
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly failures: readonly Failure[]
}
export type Report = {
  readonly outcomes: readonly Outcome[]
  /** file:line: why */
  readonly malformed: readonly string[]
}

export async function runTests(
  paths: readonly string[],
  filter: RegExp | undefined,
  io: Io,
): Promise<Report> {
  const gateFor = gatesOf(await readCrds())
  const outcomes: Outcome[] = []
  const malformed: string[] = []
  for await (const read of readManifests(paths, io.stdin)) {
    if (!read.ok) {
      const { source, why } = read.unreadable
      malformed.push(`${source.file}:${source.line}: ${why}`)
      continue
    }
    // Scenarios are kept beside manifests: what else a folder has is passed over.
    const isNamed = paths.includes(read.manifest.source.file)
    if (!isNamed && read.manifest.json['kind'] !== 'Scenario') continue
    const flaws = flawsOf(read.manifest, gateFor)
    if (flaws.length > 0) malformed.push(...flaws)
    else outcomes.push(await outcomeOf(read.manifest, filter, gateFor))
  }
  return { outcomes, malformed }
}

type GateFor = ReturnType<typeof gatesOf>

/** A scenario with an unknown key would pass by saying nothing: it is malformed. */
function flawsOf({ json, source, lineOf }: Manifest, gateFor: GateFor): string[] {
  const tell = (path: string, why: string) => `${source.file}:${lineOf(path)}: ${why}`
  if (json['kind'] !== 'Scenario' || json['apiVersion'] !== 'berth.dev/v1alpha1') {
    return [tell('', `${String(json['kind'])} is not a Scenario of berth.dev/v1alpha1`)]
  }
  const admitted = gateFor('native').admit(new World(settings), json, undefined)
  if (!admitted.ok) {
    return admitted.errors.map(({ path, message }) => tell(path, `${path}: ${message}`))
  }
  const unknown = /^unknown field "(.*)"$/
  return admitted.warnings.flatMap((warning) => {
    const path = unknown.exec(warning)?.[1]
    return path === undefined ? [] : [tell(path, warning)]
  })
}

async function outcomeOf(
  manifest: Manifest,
  filter: RegExp | undefined,
  gateFor: GateFor,
): Promise<Outcome> {
  const scenario = scenarioOf(structuredClone(manifest.json))
  const { name } = scenario
  const { file } = manifest.source
  if (filter?.test(name) === false) return { file, name, status: 'skipped', failures: [] }
  try {
    const failures = await runScenario(scenario, simulated(gateFor(scenario.bgpMode)))
    return { file, name, status: failures.length === 0 ? 'passed' : 'failed', failures }
  } catch (error) {
    if (!(error instanceof Bug)) throw error
    const failure = { step: '', path: 'bug', expected: 'to settle', actual: error.message }
    return { file, name, status: 'failed', failures: [failure] }
  }
}
