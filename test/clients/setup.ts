// Did the libraries run? One `berth up` for all suites here, and a line that says so or why not.
import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { findKubectl } from '../kubectl/kubectl.ts'
import { findLibraries } from './libraries.ts'
import { bringDefinitions, startServer } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the server that all suites share. */
    kubeconfig: string
    /** '' where there are none. */
    libraries: string
    /** '' where there is none. */
    kubectl: string
  }
}

const line = (what: string, found: object): string =>
  `${what}: ${'why' in found ? `not run: ${String(found.why)}` : 'ran'}\n`

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [libraries, kubectl] = [findLibraries(), findKubectl()]
  const say = (): void => {
    process.stdout.write(line('client libraries', libraries) + line('kubectl verbs', kubectl))
  }
  if (process.env['BERTH_REQUIRE_ALL'] === '1' && ('why' in libraries || 'why' in kubectl)) {
    say()
    throw new Error('BERTH_REQUIRE_ALL=1 asks for every suite')
  }
  const path = 'path' in kubectl ? kubectl.path : ''
  const server = await startServer()
  try {
    bringDefinitions(path, server)
  } catch (error) {
    await server.stop()
    throw error
  }
  project.provide('kubeconfig', server.kubeconfig)
  project.provide('libraries', 'folder' in libraries ? libraries.folder : '')
  project.provide('kubectl', path)
  return async () => {
    await server.stop()
    say()
  }
}
