// How fast are decisions? Runs every measure in a process of its own and writes
// docs/bench/policy.md; with names as arguments, runs only those and prints to standard output.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { churnOneLine, churnOwnLines, ofFiftyTenants, poolEdit, start } from './change.ts'
import { oneByOne, oneKeyBothPorts, oneKeyOnePort, oneKeyOwnPorts, toAMillion } from './fill.ts'
import { machine } from './machine.ts'
import { type Figure, type Measured, type Memory, memoryNow } from './measure.ts'
import { type Command, commands, type Ran, runBerth, withFolder } from './processes.ts'
import { page, type Result } from './report.ts'

const measures: Readonly<Record<string, () => Measured>> = {
  oneByOne,
  toAMillion,
  ofFiftyTenants,
  oneKeyOnePort,
  oneKeyOwnPorts,
  oneKeyBothPorts,
  poolEdit,
  start,
  churnOneLine,
  churnOwnLines,
}
const runs = 5
const output = fileURLToPath(new URL('../docs/bench/policy.md', import.meta.url))

type Sample = { readonly figures: readonly Figure[]; readonly memory: Memory }

/** Runs in the child process: one measure, reported as JSON. */
function measureHere(name: string): void {
  const { figures, alive } = measures[name]?.() ?? { figures: [], alive: undefined }
  const sample: Sample = { figures, memory: memoryNow() }
  process.stdout.write(JSON.stringify({ ...sample, isAlive: alive !== undefined }))
}

function sampleOf(name: string): Sample {
  const child = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--here', name], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (child.status !== 0) throw new Error(`${name} exited with ${child.status}`)
  return JSON.parse(child.stdout)
}

/** The fastest run is the one least disturbed by the rest of the machine. */
function resultOf(name: string): Result {
  const samples = Array.from({ length: runs }, () => sampleOf(name))
  const figures = (samples[0]?.figures ?? []).map((figure, index) => ({
    ...figure,
    ms: Math.min(...samples.map(({ figures }) => figures[index]?.ms ?? Number.NaN)),
    cpuMs: Math.min(...samples.map(({ figures }) => figures[index]?.cpuMs ?? Number.NaN)),
  }))
  const least = (of: (memory: Memory) => number) =>
    Math.min(...samples.map(({ memory }) => of(memory)))
  return {
    name,
    figures,
    memory: { peakRssMb: least((one) => one.peakRssMb), heapMb: least((one) => one.heapMb) },
  }
}

async function resultOfCommand(folder: string, { what, args }: Command): Promise<Result> {
  const ran: Ran[] = []
  for (let run = 0; run < runs; run++) ran.push(await runBerth(args(folder)))
  const least = (of: (one: Ran) => number) => Math.min(...ran.map(of))
  const time = { ms: least((one) => one.ms), cpuMs: least((one) => one.cpuMs) }
  const memory = { peakRssMb: least((one) => one.peakRssMb), heapMb: 0 }
  return { name: what, figures: [{ what, count: 1, ...time }], memory }
}

async function runAll(names: readonly string[]): Promise<void> {
  const isWanted = (name: string) => names.length === 0 || names.includes(name)
  const told = machine()
  const results: Result[] = []
  const tell = (result: Result) => {
    results.push(result)
    const last = result.figures.at(-1)
    process.stderr.write(`${result.name}: ${last?.what} in ${last?.ms.toFixed(0)} ms\n`)
  }
  for (const name of Object.keys(measures).filter(isWanted)) tell(resultOf(name))
  await withFolder(async (folder) => {
    for (const command of commands.filter(({ what }) => isWanted(what))) {
      tell(await resultOfCommand(folder, command))
    }
  })
  const text = page(told, runs, results)
  if (names.length === 0) writeFileSync(output, text)
  process.stdout.write(text)
}

const [flag, ...rest] = process.argv.slice(2)
if (flag === '--here') measureHere(rest[0] ?? '')
else await runAll(process.argv.slice(2))
