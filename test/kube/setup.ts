// Did the contract run? One Kubernetes for all suites here, and one line that says so or why not.
import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { findKubectl } from '../kubectl/kubectl.ts'
import { findEngine, type KubeAddress, startKube } from './harness.ts'
import { findHelm } from './helm/helm.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Absent where there is nothing to run on. */
    kube: KubeAddress | undefined
    kubectl: string
  }
}

const controllers = ['garbage-collector-controller', 'namespace-controller']

/** Whatever is missing, in the order in which it is needed. */
function missing(...found: readonly object[]): string | undefined {
  const { error } = spawnSync('openssl', ['version'])
  const whys = found.flatMap((one) => ('why' in one ? String(one.why) : []))
  return [...whys, ...(error ? ['no openssl'] : [])][0]
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [engine, kubectl] = [findEngine(), findKubectl()]
  // Built here for the suite that needs it: a worker that builds for minutes is taken for dead.
  findHelm()
  const why = missing(engine, kubectl)
  const { BERTH_REQUIRE_ALL } = process.env
  const say = (): void => {
    process.stdout.write(`kube contract: ${why === undefined ? 'ran' : `not run: ${why}`}\n`)
  }
  if (why !== undefined && BERTH_REQUIRE_ALL === '1') {
    say()
    throw new Error('BERTH_REQUIRE_ALL=1 asks for every suite')
  }
  const folder = 'folder' in engine ? engine.folder : ''
  const kube = why === undefined ? await startKube(folder, { controllers }) : undefined
  project.provide('kube', addressOf(kube))
  project.provide('kubectl', 'path' in kubectl ? kubectl.path : '')
  return async () => {
    await kube?.stop()
    say()
  }
}

/** Functions cannot be handed to the workers. */
function addressOf(kube: KubeAddress | undefined): KubeAddress | undefined {
  if (kube === undefined) return undefined
  const { server, caFile, etcd, folder, tokens } = kube
  return { server, caFile, etcd, folder, ...(tokens === undefined ? {} : { tokens }) }
}
