// How do all suites beside the unit tests run in the least time? Several at a time, since most of what
// they do is wait. A file that fails runs once more when nothing else does; what each suite did, or why
// not, is said again at the end, and last of all what failed.
import { type ChildProcess, spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { findEngine } from './kube/harness.ts'
import { findHelm } from './kube/helm/helm.ts'
import { findKubectl } from './kubectl/kubectl.ts'
import { findJudge } from './tenant/tools.ts'

type Suite = { readonly name: string; readonly isGood: boolean; readonly text: string }

/**
 * Each begins as soon as one before it has ended, so the longest come first; nothing that they use is
 * shared but the machine. What follows a name is for Vitest: the part of the suite that is meant.
 */
const parts = [
  'migrate walk',
  'live kubernetes',
  'bgp interop oracle',
  'kube --shard=1/3',
  'kube --shard=2/3',
  'kube --shard=3/3',
  'up --shard=1/2',
  'up --shard=2/2',
  'embedded',
  'migrate --exclude=**/walk.*',
  'live --exclude=**/kubernetes.*',
  'readme',
  'security',
  'dns',
  'release',
  'clients',
  'tenant',
  'kubectl',
]
/** On two processors; each of them waits for two thirds of its time, or more. */
const beside = 5
/** Failovers take tenths of a second: nothing that computes may take the cores meanwhile. These wait. */
const last = ['bgp --exclude=**/interop/** --exclude=**/oracle/**', 'lab']

/**
 * Thousands of programs start. Ours cost a third where they find what was compiled before; Kubernetes'
 * are many and short-lived, and do not have to save memory.
 */
const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
const env = { NODE_COMPILE_CACHE: join(cache, 'berth', 'compile'), GOGC: '400', ...process.env }

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
  const child = spawn('vitest', args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
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

async function runSideBySide(names: readonly string[], atATime: number): Promise<readonly Suite[]> {
  const [left, suites]: [string[], Suite[]] = [[...names], []]
  const lane = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined && !isInterrupted; name = left.shift()) {
      suites.push(await run(name))
    }
  }
  await Promise.all(Array.from({ length: atATime }, lane))
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
const first = await runSideBySide(parts, beside)
const suites: Suite[] = []
for (const suite of [...first, ...(await runSideBySide(last, last.length))]) {
  suites.push(await runAgain(suite))
}
write(`${[...suites.flatMap(outcomes), ...suites.flatMap(failures)].join('\n')}\n`)
const isWhole = suites.length === parts.length + last.length
process.exitCode = isWhole && suites.every(({ isGood }) => isGood) ? 0 : 1
