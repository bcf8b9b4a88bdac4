// What does the user of one machine see? A line for each thing that is there, where to look, and
// what to try next; then it waits to be asked to end.
import { relative } from 'node:path'
import process from 'node:process'
import type { Io } from '../cli/io.ts'
import { bringManifests } from './bring.ts'
import { asAdmin } from './ownApi.ts'
import { tellRunning, tellStopped } from './running.ts'
import { startUp, type UpWish } from './startUp.ts'

export type RunWish = UpWish & {
  /** Files and folders to apply. */
  readonly manifests: readonly string[]
}

export async function runUp(wish: RunWish, io: Io): Promise<void> {
  const { folder, manifests } = wish
  const log = (entry: Readonly<Record<string, unknown>>): void => {
    if (entry['level'] !== 'info') io.err(`${JSON.stringify(entry)}\n`)
  }
  const up = await startUp(wish, log)
  try {
    io.out(`API         ${up.server}\n`)
    io.out(`data        ${folder.path}\n`)
    io.out('controller  gives addresses to Services\n')
    if (wish.listen !== '127.0.0.1') io.err(`${warning(wish.listen)}\n`)
    if (manifests.length > 0) {
      await asAdmin(folder, io, (api) => bringManifests(api, manifests, io))
    }
    io.out(`\nTry:\n  export KUBECONFIG=${shown(folder.kubeconfig)}\n`)
    io.out('  kubectl apply -f examples/first\n  kubectl get services\n')
    // The last thing: whoever started it in the background waits for it.
    tellRunning(folder, up.server)
    await ended(io.signal)
  } finally {
    await up.close()
    tellStopped(folder)
  }
}

const warning = (listen: string): string =>
  `berth: the API answers on ${listen}: whoever reaches that address can try to log in`

/** Relative where that is shorter. */
function shown(path: string): string {
  const near = relative(process.cwd(), path)
  return near.length < path.length ? near : path
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
