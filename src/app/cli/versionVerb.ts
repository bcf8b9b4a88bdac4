// berth version: which Berth is this, on which Node?
import process from 'node:process'
import { formatted } from './formatted.ts'
import type { Exit } from './io.ts'
import { outputOption } from './outputOption.ts'
import { textOf, type Verb } from './verb.ts'
import { readVersion } from './version.ts'

export const versionVerb: Verb = {
  name: 'version',
  summary: 'print the version',
  usage: ['version [-o text|json|yaml]'],
  description: 'Prints the versions of Berth and of the Node that runs it.',
  examples: [],
  options: {
    output: outputOption(['text', 'json', 'yaml']),
  },
  async run(args, io): Promise<Exit> {
    const version = await readVersion()
    const node = process.versions.node
    const body = { schema: 'berth.dev/version/v1', version, node }
    io.out(formatted(body, textOf(args, 'output')) ?? `berth ${version} (node ${node})\n`)
    return 0
  },
}
