// Did the DNS servers run? It says so, or why not.
import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { whatIsMissing } from './tools.ts'

declare module 'vitest' {
  interface ProvidedContext {
    hasDns: boolean
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
  return say
}
