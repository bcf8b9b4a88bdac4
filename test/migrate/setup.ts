// Did the migration run? One line that says so or why not.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { findHelm } from '../kube/helm/helm.ts'
import { findKubectl } from '../kubectl/kubectl.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the programs of Kubernetes; empty where the suite cannot run. */
    engine: string
    kubectlPath: string
    helmPath: string
  }
}

const build = join(import.meta.dirname, '../kube/engine/build.sh')

function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'no Linux'
  if (process.geteuid?.() !== 0) return 'not root'
  if (spawnSync('curl', ['--version']).error !== undefined) return 'no curl'
  const trial = `berth-try-${process.pid}`
  if (spawnSync('ip', ['netns', 'add', trial]).status !== 0) return 'no network namespaces'
  spawnSync('ip', ['netns', 'delete', trial])
  const kubectl = findKubectl()
  const helm = findHelm()
  return 'why' in kubectl ? kubectl.why : 'why' in helm ? helm.why : undefined
}

export function setup(project: TestProject): () => void {
  const built = spawnSync('bash', [build, 'kube-scheduler', 'kube-proxy'], { encoding: 'utf8' })
  const why = whyNot() ?? (built.status === 0 ? undefined : built.stderr.trim().split('\n').at(-1))
  const [kubectl, helm] = [findKubectl(), findHelm()]
  project.provide('engine', why === undefined ? built.stdout.trim() : '')
  project.provide('kubectlPath', 'path' in kubectl ? kubectl.path : '')
  project.provide('helmPath', 'path' in helm ? helm.path : '')
  if (why !== undefined && process.env['BERTH_REQUIRE_ALL'] === '1') throw new Error(why)
  return () =>
    void process.stdout.write(`migration: ${why === undefined ? 'ran' : `not run: ${why}`}\n`)
}
