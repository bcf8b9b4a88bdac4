// Did the lab run? One lab for most suites here, and a line that says so or why not.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { findEngine } from '../kube/harness.ts'
import { berthLab } from './namespaces.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The name of the lab that all share; '' where there can be none. */
    lab: string
    /** Whether the programs of Kubernetes are there. */
    hasKube: boolean
  }
}

const name = 'test'

/** In the order in which it is needed. */
function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'no Linux'
  if (process.geteuid?.() !== 0) return 'not root'
  const install = join(import.meta.dirname, 'install.sh')
  const { status, stderr, error } = spawnSync('bash', [install], { encoding: 'utf8' })
  if (status !== 0) return error?.message ?? stderr.trim().split('\n').at(-1)
  const trial = `berth-try-${process.pid}`
  if (spawnSync('ip', ['netns', 'add', trial]).status !== 0) return 'no network namespaces'
  spawnSync('ip', ['netns', 'delete', trial])
  return undefined
}

function whyNoKube(): string | undefined {
  const engine = findEngine(['kube-proxy'])
  return 'why' in engine ? engine.why : undefined
}

const line = (what: string, why: string | undefined): string =>
  `${what}: ${why === undefined ? 'ran' : `not run: ${why}`}\n`

export function setup(project: TestProject): () => void {
  const why = whyNot()
  const whyNotKube = why ?? whyNoKube()
  const say = (): void => {
    process.stdout.write(line('lab', why) + line('lab on Kubernetes', whyNotKube))
  }
  if (whyNotKube !== undefined && process.env['BERTH_REQUIRE_ALL'] === '1') {
    say()
    throw new Error('BERTH_REQUIRE_ALL=1 asks for every suite')
  }
  project.provide('lab', why === undefined ? name : '')
  project.provide('hasKube', whyNotKube === undefined)
  if (why !== undefined) return say
  // What a run that was killed has left.
  berthLab(name, 'down')
  const up = berthLab(name, 'up', '--nodes', '3')
  if (up.status !== 0) throw new Error(`the lab does not come up: ${up.err}`)
  return () => {
    berthLab(name, 'down')
    say()
  }
}
