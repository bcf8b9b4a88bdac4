// Which objects does a kustomize folder stand for? Those that kubectl, or kustomize itself, builds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { type Read, unreadable } from './manifest.ts'
import { parseManifests } from './readManifests.ts'

type Running = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}
type Built = { readonly text: string } | { readonly why: string } | 'no such program'

const builders = [
  ['kubectl', 'kustomize'],
  ['kustomize', 'build'],
] as const

/** Lines are those of the built text, under the name of the folder. */
export async function* readKustomization(folder: string, running: Running): AsyncGenerator<Read> {
  for (const [program, verb] of builders) {
    const built = await build([program, verb, folder], running)
    if (built === 'no such program') continue
    if ('why' in built) return yield unreadable(folder, 1, built.why)
    return yield* parseManifests(built.text, folder)
  }
  const why = 'neither kubectl nor kustomize, which build the folder, is on the PATH'
  yield unreadable(folder, 1, why)
}

async function build(command: readonly [string, ...string[]], running: Running): Promise<Built> {
  const [program, ...args] = command
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...running })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  try {
    const [code] = await once(child, 'close')
    const [out, err] = await said
    if (code === 0) return { text: out }
    return { why: `${command.join(' ')} failed: ${saidIn(err)}` }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return 'no such program'
    }
    return { why: `${program} cannot be run: ${String(error)}` }
  }
}

/** In one line, without what kubectl's log puts around it. */
function saidIn(err: string): string {
  const [, logged] = /^E\d{4} .*\] "command failed" err="(.*)"$/m.exec(err) ?? []
  return logged?.replaceAll('\\"', '"') ?? err.trim().replace(/\s*\n\s*/g, '; ')
}
