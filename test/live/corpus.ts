// How is the whole corpus run on an engine? As `berth test` runs it; what was left out is counted
// with the reason, and what failed is told in full.
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Outcome, runTests } from '../../src/app/cli/runTests.ts'
import type { Targets } from '../../src/app/cli/scenarios/target.ts'
import { nowhere } from '../build/terminal.ts'
import { notYet } from '../conformance/notYet.ts'
import { differs, type Engine } from './differs.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folders = ['conformance/metallb', 'conformance/openstack', 'conformance/berth', 'scenarios']

/** To look at one scenario after a failure. */
const filter = process.env['BERTH_LIVE_FILTER']

const paths = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .map((file) => `${folder}/${file}`)
    .filter((file) => file.endsWith('.yaml') && !(file.replace('conformance/', '') in notYet))
    .map((file) => join(root, file)),
)

export type Told = {
  /** What failed that may not, with what was expected. */
  readonly failed: readonly Pick<Outcome, 'name' | 'failures'>[]
  /** What may fail and did not. */
  readonly held: readonly string[]
  readonly malformed: readonly string[]
}

export async function runCorpus(engine: Engine, targets: Targets): Promise<Told> {
  const began = performance.now()
  const regex = filter === undefined ? undefined : new RegExp(filter)
  const { outcomes, malformed } = await runTests({ paths, filter: regex, targets }, nowhere)
  const seconds = Math.round((performance.now() - began) / 1000)
  const may = differs[engine]
  const hasFailed = ({ name, status }: Outcome): boolean => status === 'failed' && !(name in may)
  const atFirst = outcomes.filter(hasFailed)
  const failed = await alone(targets, atFirst)
  say(engine, outcomes, seconds)
  sayWhoRecovered(engine, atFirst, failed)
  const passed = new Set(
    outcomes.filter(({ status }) => status === 'passed').map(({ name }) => name),
  )
  return {
    failed: failed.map(({ name, failures }) => ({ name, failures })),
    held: Object.keys(may).filter((name) => passed.has(name)),
    malformed,
  }
}

/**
 * What a scenario applies together has to be made within one second, the API's measure of age: with
 * many beside it that can fail. Alone it has to hold.
 */
async function alone(targets: Targets, failed: readonly Outcome[]): Promise<readonly Outcome[]> {
  if (failed.length === 0 || failed.length > mostAlone) return failed
  const names = failed.map(({ name }) => name)
  process.stdout.write(`run again alone: ${names.join(', ')}\n`)
  const only = new RegExp(`^(?:${names.join('|')})$`)
  const { outcomes } = await runTests({ paths, filter: only, targets }, nowhere)
  return outcomes.filter(({ status }) => status === 'failed')
}
const mostAlone = 8

/** It may be a race for users too. */
function sayWhoRecovered(
  engine: Engine,
  atFirst: readonly Outcome[],
  failed: readonly Outcome[],
): void {
  const still = new Set(failed.map(({ name }) => name))
  for (const { name, failures } of atFirst.filter((one) => !still.has(one.name))) {
    const [first] = failures
    const why = first === undefined ? '' : `: ${first.path} at ${first.step}: ${first.actual}`
    process.stdout.write(`${engine}: failed at first, passed alone: ${name}${why}\n`)
  }
}

function say(engine: Engine, outcomes: readonly Outcome[], seconds: number): void {
  const count = (status: Outcome['status']) =>
    outcomes.filter((one) => one.status === status).length
  const sums = `${count('passed')} passed, ${count('skipped')} skipped, ${count('failed')} failed`
  const reasons = new Map<string, number>()
  for (const { status, notLive: whys = [] } of outcomes) {
    for (const why of whys) {
      const line = status === 'skipped' ? `skipped: ${why}` : `run without ${why}`
      reasons.set(line, (reasons.get(line) ?? 0) + 1)
    }
  }
  const lines = [
    `${engine}: ${sums}, in ${seconds} s`,
    ...[...reasons].map(([line, number]) => `  ${number} ${line}`).sort(),
    ...Object.entries(notYet).map(([file, why]) => `  not yet: ${file}: ${why}`),
    ...Object.entries(differs[engine]).map(([name, why]) => `  differs: ${name}: ${why}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}
