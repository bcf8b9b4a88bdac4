// Did the DNS servers run? It says so, or why not.
import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { findEngine } from '../kube/harness.ts'
import { whatIsMissing } from './tools.ts'

declare module 'vitest' {
  interface ProvidedContext {
    hasDns: boolean
    /** Whether there is a Kubernetes to run on. */
    hasKube: boolean
  }
}

export function setup(project: TestProject): () => void {
  const missing = whatIsMissing()
  const say = (): void => {
    process.stdout.write(`dnsmasq: ${missing === '' ? 'ran' : `not run: ${missing}`}\n`)
  }
  if (missing !== '' && process.env['BERTH_REQUIRE_ALL'] === '1') {
    say()
    throw new Error('BERTH_REQUIRE_ALL=1 asks for every suite')
  }
  project.provide('hasDns', missing === '')
  // Built here: a worker that builds for minutes is taken for dead.
  const engine = findEngine()
  if ('why' in engine) process.stdout.write(`names in a cluster: not run: ${engine.why}\n`)
  project.provide('hasKube', 'folder' in engine)
  return say
}
