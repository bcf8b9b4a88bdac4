// How does the speaker announce on layer 2? It says which addresses are its own; another thread
// answers for them, and falls silent when the speaker no longer says that it is well.
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Ip } from '../../../../core/net/ip.ts'
import type { Mac } from '../../../../core/net/mac.ts'
import type { Claimed } from '../../../../core/session/layer2/claim.ts'
import { newDeadline } from './deadline.ts'
import type { Layer2News, Layer2Order, Layer2Setting } from './layer2Messages.ts'
import { Pulse } from './pulse.ts'

export type Layer2Driver = {
  /** New, or instead of what was claimed of these addresses. */
  announce(claims: readonly Claimed[]): void
  withdraw(addresses: readonly Ip[]): void
  /** The other speakers' nodes, by the MACs of all their interfaces. */
  peerMacs(nodes: ReadonlyMap<Mac, string>): void
  /** Until then it may answer, by `monotonicMs`; before the first call, never. */
  extend(untilMs: number): void
  /** Answers nothing any more. */
  stop(): Promise<void>
}

/** What is told of the thread, beside what it tells itself. */
export type ThreadNews =
  | Layer2News
  /** Whether it is at work; it is until this comes. */
  | { readonly kind: 'working'; readonly isWorking: boolean }
  /** Nothing is answered any more, and nobody asked for that. */
  | { readonly kind: 'ended'; readonly why: string }

type ThreadOptions = {
  /** Of interfaces, by name (M5.4). */
  readonly excluded: RegExp
  /** Announces again after this time; undefined: only when the owner changes. */
  readonly refreshMs?: number | undefined
  /** Whether a MAC that nobody knows may be that of another speaker. */
  readonly hasUnknownPeers?: boolean
  tell(news: ThreadNews): void
}

/** A small young generation: it is collected often, each time in a fraction of a millisecond. */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256 }
const stopMs = 1_000

export function startThread({ tell, ...given }: ThreadOptions): Layer2Driver {
  const deadline = newDeadline()
  const { excluded, refreshMs, hasUnknownPeers = false } = given
  const beats = new SharedArrayBuffer(4)
  const setting: Layer2Setting = {
    excluded,
    refreshMs,
    hasUnknownPeers,
    deadline: deadline.buffer,
    pulse: beats,
  }
  // Beside this file, as source or as built.
  const file = new URL(`./layer2Worker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(file, { workerData: setting, resourceLimits, name: 'layer2' })
  let [isStopping, why] = [false, 'its thread ended']
  const pulse = new Pulse(beats, {
    changed(isWorking) {
      // What it still holds for its own when it wakes is another's by then.
      deadline.extend(0)
      const text = isWorking ? 'its thread is at work again' : 'its thread does not respond'
      tell({ kind: 'trouble', text })
      tell({ kind: 'working', isWorking })
    },
    gone: () => tell({ kind: 'ended', why: 'its thread does not respond' }),
  })
  worker.on('message', tell)
  worker.on('error', (error) => {
    why = error instanceof Error ? error.message : String(error)
  })
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      pulse.stop()
      if (!isStopping) tell({ kind: 'ended', why })
      resolve()
    })
  })
  const order = (given: Layer2Order): void => worker.postMessage(given)
  return {
    announce: (claims) => order({ kind: 'announce', claims }),
    withdraw: (addresses) => order({ kind: 'withdraw', addresses }),
    peerMacs: (nodes) => order({ kind: 'peers', nodes }),
    extend(untilMs) {
      if (pulse.isHeard) deadline.extend(untilMs)
    },
    async stop() {
      isStopping = true
      pulse.stop()
      deadline.extend(0)
      order({ kind: 'stop' })
      const late = setTimeout(() => void worker.terminate(), stopMs)
      await Promise.race([ended, sleep(2 * stopMs, undefined, { ref: false })])
      clearTimeout(late)
      // One that hangs in the kernel does not end, nor does the process: the kubelet ends it then.
      worker.unref()
    },
  }
}
