// Did the documents run? They need a kubectl, and one line says so or why not.
import type { TestProject } from 'vitest/node'
import { findKubectl } from '../kubectl/kubectl.ts'

declare module 'vitest' {
  interface ProvidedContext {
    kubectl: string
  }
}

export function setup(project: TestProject): () => void {
  const found = findKubectl()
  const why = 'why' in found ? found.why : undefined
  const say = (): void => {
    process.stdout.write(`documents: ${why === undefined ? 'ran' : `not run: ${why}`}\n`)
  }
  if (why !== undefined && process.env['BERTH_REQUIRE_ALL'] === '1') {
    say()
    throw new Error('BERTH_REQUIRE_ALL=1 asks for every suite')
  }
  project.provide('kubectl', 'path' in found ? found.path : '')
  return say
}
