// How do all suites beside the unit tests run in the least time? Three at a time, since most of them
// wait. A file that fails runs once more when nothing else does; what each suite did, or why not, is said
// again at the end, and last of all what failed.
import { type ChildProcess, spawn } from 'node:child_process'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { findEngine } from './kube/harness.ts'
import { findHelm } from './kube/helm/helm.ts'
import { findKubectl } from './kubectl/kubectl.ts'
import { findJudge } from './tenant/tools.ts'

type Suite = { readonly name: string; readonly isGood: boolean; readonly text: string }

/**
 * Side by side, each from left to right, as long as one another; nothing that they use is shared but
 * the machine. What follows a name is for Vitest: the part of the suite that is meant.
 */
const lanes = [
  [
    'kubectl',
    'kube --shard=1/2',
    'security',
    'clients',
    'bgp interop oracle guide',
    'tenant',
    'dns',
  ],
  ['kube --shard=2/2', 'embedded', 'up', 'release'],
  ['readme', 'live', 'migrate'],
]
/** Failovers take tenths of a second: nothing else may take the cores meanwhile. */
const last = ['bgp --exclude=**/interop/** --exclude=**/oracle/** --exclude=**/guide.*', 'lab']

const write = (text: string): void => void process.stdout.write(text)
const running = new Set<ChildProcess>()
let isInterrupted = false

/** More than these are no accident of a busy machine. */
const runAgainAtMost = 5

/** What it says comes at its end, in one piece. */
function run(name: string): Promise<Suite> {
  write(`${name}: begins\n`)
  const began = performance.now()
  const [suite = '', ...part] = name.split(' ')
  const args = ['run', '--config', `test/${suite}/vitest.config.ts`, ...part]
  const child = spawn('vitest', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => {
      running.delete(child)
      const text = Buffer.concat(chunks).toString()
      const seconds = Math.round((performance.now() - began) / 1000)
      write(`${text}\n${name}: ${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s\n\n`)
      resolve({ name, isGood: status === 0, text })
    })
  })
}

async function runLane(names: readonly string[]): Promise<readonly Suite[]> {
  const suites: Suite[] = []
  for (const name of names) if (!isInterrupted) suites.push(await run(name))
  return suites
}

/** The lines in which set-ups say whether anything was left out. */
const saysWhetherItRan =
  /^(?:[\w., -]+: (?:ran|not run: .*|cannot run here: .*)|\S+: failed at first, .*)$/gm

const outcomes = ({ name, text }: Suite): readonly string[] =>
  (text.match(saysWhetherItRan) ?? []).map((line) => `${name}: ${line}`)

/** Tests, and the first line of why. Short: of a long run often just the end is kept. */
const saysWhatFailed = /^ FAIL +\S+ .*$|^\w*Error: .*$/gm

/** Files, by a line each that says which test of theirs failed. */
const saysWhereItFailed = /^ FAIL +(\S+\.suite\.ts)/gm

/** The files that failed run once more, with nothing beside them: a suite fails if one fails again. */
async function runAgain(suite: Suite): Promise<Suite> {
  if (suite.isGood || isInterrupted) return suite
  const text = stripVTControlCharacters(suite.text)
  const files = [...new Set([...text.matchAll(saysWhereItFailed)].map(([, file = '']) => file))]
  if (files.length === 0 || files.length > runAgainAtMost) return suite
  const [config] = suite.name.split(' ')
  const again = await run([config, ...files].join(' '))
  const said = again.isGood ? 'passed alone' : 'failed again alone'
  const lines = files.map((file) => `${file}: failed at first, ${said}`)
  return { ...suite, isGood: again.isGood, text: `${suite.text}\n${lines.join('\n')}\n` }
}

function failures({ name, isGood, text }: Suite): readonly string[] {
  if (isGood) return []
  const lines = stripVTControlCharacters(text).match(saysWhatFailed) ?? ['FAILED']
  return lines.map((line) => `${name}: ${line.trim()}`.slice(0, 240))
}

// They clear up, and we wait for them. A terminal tells them by itself.
process.on('SIGINT', () => {
  isInterrupted = true
})
process.on('SIGTERM', () => {
  isInterrupted = true
  for (const child of running) child.kill('SIGINT')
})
// Built before anything runs: a compiler beside a suite would make it late.
findEngine(['kube-proxy', 'kube-scheduler'])
for (const find of [findKubectl, findHelm, findJudge]) find()
const beside = await Promise.all(lanes.map(runLane))
const suites: Suite[] = []
for (const suite of [...beside.flat(), ...(await runLane(last))]) {
  suites.push(await runAgain(suite))
}
write(`${[...suites.flatMap(outcomes), ...suites.flatMap(failures)].join('\n')}\n`)
const isWhole = suites.length === lanes.flat().length + last.length
process.exitCode = isWhole && suites.every(({ isGood }) => isGood) ? 0 : 1
