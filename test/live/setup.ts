// Did the scenarios run live? One line for each engine that says so, or why not.
import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { findEngine } from '../kube/harness.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the programs; absent where there are none. */
    kubernetes: string | undefined
  }
}

export function setup(project: TestProject): () => void {
  const engine = findEngine()
  const why = 'why' in engine ? engine.why : undefined
  const say = (): void => {
    process.stdout.write('scenarios, embedded: ran\n')
    const outcome = why === undefined ? 'ran' : `not run: ${why}`
    process.stdout.write(`scenarios, Kubernetes: ${outcome}\n`)
  }
  if (why !== undefined && process.env['BERTH_REQUIRE_ALL'] === '1') {
    say()
    throw new Error('BERTH_REQUIRE_ALL=1 asks for every suite')
  }
  project.provide('kubernetes', 'folder' in engine ? engine.folder : undefined)
  return say
}
