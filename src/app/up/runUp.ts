// What does the user of a single machine see? A line for each part, where to look, and what to try
// next; then it waits for a signal to stop.
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
  /** Announce the addresses of Services on the interfaces of this machine. */
  readonly isAnnouncing: boolean
  /** Options that the user set explicitly. */
  readonly asked: readonly ('port' | 'listen')[]
  /** Files and folders to apply. */
  readonly manifests: readonly string[]
  /** The command that stops it. */
  readonly down: string
}

export async function runUp(options: RunOptions, io: Io): Promise<void> {
  const { folder, manifests } = options
  const log = (entry: Readonly<Record<string, unknown>>): void => {
    if (entry['level'] === 'info') return
    keepShort(folder)
    io.err(`${JSON.stringify(entry)}\n`)
  }
  // Loaded on demand: most users do not need it, and it takes memory.
  const speaking = options.isAnnouncing ? await import('./announcing.ts') : undefined
  speaking?.mayAnnounce()
  const up = await startUp(options, log)
  let speaker: Announcing | undefined
  try {
    io.out(`API         ${up.server}\n`)
    io.out(`data        ${folder.path}\n`)
    io.out('controller  assigns addresses to Services\n')
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
    // Last: a parent that started it in the background waits for this.
    tellRunning(folder, { server: up.server, ...options })
    await ended(io.signal)
  } finally {
    await speaker?.stop()
    await up.close()
    tellStopped(folder)
  }
}

/** In a clone; an installed package has no examples. */
const first = 'examples/first'

function isLoopback(listen: string): boolean {
  const address = parseIp(listen)
  if (!address.ok) return listen === 'localhost'
  return address.value.startsWith('127.') || address.value === '::1'
}

const warning = (listen: string): string =>
  `berth: the API listens on ${listen}: anyone who can reach it can try to log in`

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
