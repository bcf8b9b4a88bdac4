// Is there a Kubernetes to try on? One probe, and a line that says so or why not. What is tried on
// `berth up` needs nothing.
import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { findEngine } from '../kube/harness.ts'
import { findKubectl } from '../kubectl/kubectl.ts'

declare module 'vitest' {
  interface ProvidedContext {
    hasKubernetes: boolean
    kubectl: string
  }
}

export function setup(project: TestProject): () => void {
  const [engine, kubectl] = [findEngine(), findKubectl()]
  const [why] = [engine, kubectl].flatMap((one) => ('why' in one ? one.why : []))
  const say = (): void => {
    const outcome = why === undefined ? 'ran' : `not run: ${why}`
    process.stdout.write(`attempts on Kubernetes: ${outcome}\n`)
  }
  if (why !== undefined && process.env['BERTH_REQUIRE_ALL'] === '1') {
    say()
    throw new Error('BERTH_REQUIRE_ALL=1 asks for every suite')
  }
  project.provide('hasKubernetes', why === undefined)
  project.provide('kubectl', 'path' in kubectl ? kubectl.path : '')
  return say
}
