// Did the comparison run? Said once: a suite that was left out must not look like one that passed.
import type { TestProject } from 'vitest/node'
import { findKubectl } from './kubectl.ts'

declare module 'vitest' {
  interface ProvidedContext {
    kubectl: string
  }
}

export function setup(project: TestProject): () => void {
  const kubectl = findKubectl()
  const isThere = 'path' in kubectl
  const said = `kubectl reading: ${isThere ? 'ran' : `not run: ${kubectl.why}`}`
  const { BERTH_REQUIRE_ALL } = process.env
  const say = () => process.stdout.write(`${said}\n`)
  if (!isThere && BERTH_REQUIRE_ALL === '1') {
    say()
    throw new Error('BERTH_REQUIRE_ALL=1 asks for every suite')
  }
  project.provide('kubectl', isThere ? kubectl.path : '')
  return say
}
