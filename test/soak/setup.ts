// Is there a Kubernetes to soak on? Built here: a worker that builds for minutes is taken for dead.
import type { TestProject } from 'vitest/node'
import { findEngine } from '../kube/harness.ts'

declare module 'vitest' {
  interface ProvidedContext {
    hasEngine: boolean
  }
}

export function setup(project: TestProject): void {
  const engine = findEngine()
  if ('why' in engine) process.stdout.write(`faults: not run: ${engine.why}\n`)
  project.provide('hasEngine', !('why' in engine))
}
