// What does the user of one machine see? A line for each thing that is there, where to look, and
// what to try next; then it waits to be asked to end.
import { existsSync } from 'node:fs'
import type { Io } from '../cli/io.ts'
import { bringManifests } from './bring.ts'
import { asAdmin } from './ownApi.ts'
import { tellRunning, tellStopped } from './running.ts'
import { startUp, type UpWish } from './startUp.ts'

export type RunWish = UpWish & {
  /** Files and folders to apply. */
  readonly manifests: readonly string[]
  /** The command that ends it. */
  readonly down: string
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
    io.out(`\nTry:\n  export KUBECONFIG=${folder.kubeconfig}\n`)
    if (manifests.length === 0 && existsSync(first)) io.out(`  kubectl apply -f ${first}\n`)
    io.out('  kubectl get services -A\n')
    // The last thing: whoever started it in the background waits for it.
    tellRunning(folder, up.server)
    await ended(io.signal)
  } finally {
    await up.close()
    tellStopped(folder)
  }
}

/** From a clone; an installed package has no examples. */
const first = 'examples/first'

const warning = (listen: string): string =>
  `berth: the API answers on ${listen}: whoever reaches that address can try to log in`

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
