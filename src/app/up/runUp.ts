// What does the user of one machine see? A line for each thing that is there, where to look, and
// what to try next; then it waits to be asked to end.
import { existsSync } from 'node:fs'
import { parseIp } from '../../core/net/ip.ts'
import type { Io } from '../cli/io.ts'
import type { Announcing } from './announcing.ts'
import { bringManifests } from './bring.ts'
import { forgetAnnounced } from './forgetAnnounced.ts'
import { asAdmin } from './ownApi.ts'
import { tellRunning, tellStopped } from './running.ts'
import { settings, startUp, type UpOptions } from './startUp.ts'
import { keepShort } from './upLog.ts'

export type RunOptions = UpOptions & {
  /** For the addresses of Services, on the interfaces of this machine. */
  readonly isAnnouncing: boolean
  /** Those that were given, and not left to us. */
  readonly asked: readonly ('port' | 'listen')[]
  /** Files and folders to apply. */
  readonly manifests: readonly string[]
  /** The command that ends it. */
  readonly down: string
}

export async function runUp(options: RunOptions, io: Io): Promise<void> {
  const { folder, manifests } = options
  const log = (entry: Readonly<Record<string, unknown>>): void => {
    if (entry['level'] === 'info') return
    keepShort(folder)
    io.err(`${JSON.stringify(entry)}\n`)
  }
  // Loaded when it is asked for: most do without, and without what it takes.
  const speaking = options.isAnnouncing ? await import('./announcing.ts') : undefined
  speaking?.mayAnnounce()
  const up = await startUp(options, log)
  let speaker: Announcing | undefined
  try {
    io.out(`API         ${up.server}\n`)
    io.out(`data        ${folder.path}\n`)
    io.out('controller  gives addresses to Services\n')
    const { connection } = up
    const say = (line: string): void => io.out(`speaker     ${line}\n`)
    speaker = await speaking?.startAnnouncing({ connection, settings, log, say })
    if (speaker === undefined) await forgetAnnounced(connection, settings.ownNamespace)
    if (!isLoopback(options.listen)) io.err(`${warning(options.listen)}\n`)
    if (manifests.length > 0) {
      await asAdmin(folder, io, (api) => bringManifests(api, manifests, io))
    }
    io.out(`\nTry:\n  export KUBECONFIG=${folder.kubeconfig}\n`)
    if (manifests.length === 0 && existsSync(first)) io.out(`  kubectl apply -f ${first}\n`)
    io.out('  kubectl get services -A\n')
    // The last thing: whoever started it in the background waits for it.
    tellRunning(folder, { server: up.server, ...options })
    await ended(io.signal)
  } finally {
    await speaker?.stop()
    await up.close()
    tellStopped(folder)
  }
}

/** From a clone; an installed package has no examples. */
const first = 'examples/first'

function isLoopback(listen: string): boolean {
  const address = parseIp(listen)
  if (!address.ok) return listen === 'localhost'
  return address.value.startsWith('127.') || address.value === '::1'
}

const warning = (listen: string): string =>
  `berth: the API answers on ${listen}: whoever reaches that address can try to log in`

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
