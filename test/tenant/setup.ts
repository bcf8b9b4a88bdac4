// Did the judges run? Each says so, or why not.
import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { findJudge, findPlugins, type Tool } from './tools.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** By name; '' for one that is not there. */
    judges: Readonly<Record<'nmstate' | 'macvlan', string>>
  }
}

const pathOf = (tool: Tool): string => ('path' in tool ? tool.path : '')
const said = (what: string, tool: Tool): string =>
  `${what}: ${'path' in tool ? 'ran' : `not run: ${tool.why}`}\n`

export function setup(project: TestProject): () => void {
  const tools = { nmstate: findJudge(), macvlan: findPlugins() }
  const say = (): void => {
    for (const [name, tool] of Object.entries(tools)) process.stdout.write(said(name, tool))
  }
  const isWhole = Object.values(tools).every((tool) => 'path' in tool)
  if (!isWhole && process.env['BERTH_REQUIRE_ALL'] === '1') {
    say()
    throw new Error('BERTH_REQUIRE_ALL=1 asks for every suite')
  }
  project.provide('judges', { nmstate: pathOf(tools.nmstate), macvlan: pathOf(tools.macvlan) })
  return say
}
