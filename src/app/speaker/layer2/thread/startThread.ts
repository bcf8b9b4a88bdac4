// How does the speaker drive layer 2? It states which addresses are its own; another thread answers
// for them and falls silent unless the speaker keeps extending its deadline.
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Ip } from '../../../../core/net/ip.ts'
import type { Mac } from '../../../../core/net/mac.ts'
import type { Announcement } from '../../../../core/session/layer2/announcement.ts'
import { newDeadline } from './deadline.ts'
import type { Layer2News, Layer2Order, Layer2Setting } from './layer2Messages.ts'
import { Pulse } from './pulse.ts'

export type Layer2Driver = {
  /** Adds or replaces the announcements of these addresses. */
  announce(announcements: readonly Announcement[]): void
  withdraw(addresses: readonly Ip[]): void
  /** The other speakers' nodes, by the MACs of all their interfaces. */
  peerMacs(nodes: ReadonlyMap<Mac, string>): void
  /** Allows answers until then, by `monotonicMs`; before the first call there are none. */
  extend(untilMs: number): void
  /** Stops all answers. */
  stop(): Promise<void>
}

/** News about the thread, in addition to what it reports itself. */
export type ThreadNews =
  | Layer2News
  /** Whether the thread responds; assumed until the first such news. */
  | { readonly kind: 'working'; readonly isWorking: boolean }
  /** Answering ended although nobody stopped it. */
  | { readonly kind: 'ended'; readonly why: string }

type ThreadOptions = {
  /** Matches interface names (M5.4). */
  readonly excluded: RegExp
  /** Interval between repeated announcements; undefined for none. */
  readonly refreshMs?: number | undefined
  /** Whether an unknown MAC may belong to another speaker. */
  readonly hasUnknownPeers?: boolean
  tell(news: ThreadNews): void
}

/** A small young generation: collected often, each time in a fraction of a millisecond. */
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
  // The worker lies beside this file, as source or as built.
  const file = new URL(`./layer2Worker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(file, { workerData: setting, resourceLimits, name: 'layer2' })
  let [isStopping, why] = [false, 'its thread ended']
  const pulse = new Pulse(beats, {
    changed(isWorking) {
      // If the thread wakes up, its addresses belong to other nodes by then.
      deadline.extend(0)
      const text = isWorking ? 'its thread responds again' : 'its thread does not respond'
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
    announce: (announcements) => order({ kind: 'announce', announcements }),
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
      // A thread that hangs in the kernel cannot be ended, nor can the process: the kubelet kills
      // it.
      worker.unref()
    },
  }
}
