// How does the speaker announce on layer 2? It says which addresses are its own; another thread
// answers for them, and falls silent when the speaker no longer says that it is well.
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Ip } from '../../../../core/net/ip.ts'
import type { Mac } from '../../../../core/net/mac.ts'
import type { Claimed, Counted, Sighting, Started } from '../../../../core/session/layer2/claim.ts'
import type { HostLink } from '../../../../edge/host/packet/hostLink.ts'
import { newDeadline } from './deadline.ts'
import type { Layer2News, Layer2Order, Layer2Setting } from './layer2Messages.ts'
import { Pulse } from './pulse.ts'

export type Layer2 = {
  /** New, or instead of what was claimed of these addresses. */
  announce(claims: readonly Claimed[]): void
  withdraw(addresses: readonly Ip[]): void
  /** The other speakers' nodes, by the MACs of all their interfaces. */
  fellowMacs(nodes: ReadonlyMap<Mac, string>): void
  /** Until then it may answer, by `monotonicMs`; before the first call, never. */
  extend(untilMs: number): void
  /** Answers nothing any more. */
  stop(): Promise<void>
}

export type Layer2Options = {
  /** Of interfaces, by name (M5.4). */
  readonly excluded: RegExp
  /** Announces again after this time; undefined: only when the owner changes. */
  readonly refreshMs?: number | undefined
  /** Whether a MAC that nobody knows may be that of another speaker. */
  readonly hasUnknownFellows?: boolean
  /** All of them, now and whenever something changed. */
  onLinks(links: readonly HostLink[]): void
  /** The interfaces on which there are sockets, by name, and those where none can be opened. */
  onOpen(interfaces: readonly string[], closed: readonly string[]): void
  /** Whether its thread is at work; it is until this is called. */
  onWorking?(isWorking: boolean): void
  /** May come again for the same, as after the interface was down. */
  onStarted(started: readonly Started[]): void
  onSightings(sightings: readonly Sighting[]): void
  /** What has been added, at most once a second. */
  onCounts(counts: readonly Counted[]): void
  /** Something that does not work now and is tried again, such as for want of a right. */
  onTrouble(text: string): void
  /** Nothing is answered any more, and nobody asked for that. */
  onEnded(why: string): void
}

/** A small young generation: it is collected often, each time in a fraction of a millisecond. */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 256 }
const stopMs = 1_000

export function startLayer2(options: Layer2Options): Layer2 {
  const deadline = newDeadline()
  const { excluded, refreshMs, hasUnknownFellows = false } = options
  const beats = new SharedArrayBuffer(4)
  const setting: Layer2Setting = {
    excluded,
    refreshMs,
    hasUnknownFellows,
    deadline: deadline.buffer,
    pulse: beats,
  }
  // Beside this file, as source or as built.
  const file = new URL(`./layer2Worker${extname(import.meta.url)}`, import.meta.url)
  const worker = new Worker(file, { workerData: setting, resourceLimits, name: 'layer2' })
  let [isStopping, why] = [false, 'its thread ended']
  const pulse = new Pulse(beats, {
    changed(isHeard) {
      // What it still holds for its own when it wakes is another's by then.
      deadline.extend(0)
      options.onTrouble(isHeard ? 'its thread is at work again' : 'its thread does not respond')
      options.onWorking?.(isHeard)
    },
    gone: () => options.onEnded('its thread does not respond'),
  })
  worker.on('message', (news: Layer2News) => tell(options, news))
  worker.on('error', (error) => {
    why = error instanceof Error ? error.message : String(error)
  })
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      pulse.stop()
      if (!isStopping) options.onEnded(why)
      resolve()
    })
  })
  const order = (given: Layer2Order): void => worker.postMessage(given)
  return {
    announce: (claims) => order({ kind: 'announce', claims }),
    withdraw: (addresses) => order({ kind: 'withdraw', addresses }),
    fellowMacs: (nodes) => order({ kind: 'fellows', nodes }),
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

function tell(options: Layer2Options, news: Layer2News): void {
  if (news.kind === 'links') options.onLinks(news.links)
  else if (news.kind === 'open') options.onOpen(news.interfaces, news.closed)
  else if (news.kind === 'started') options.onStarted(news.started)
  else if (news.kind === 'sightings') options.onSightings(news.sightings)
  else if (news.kind === 'counts') options.onCounts(news.counts)
  else options.onTrouble(news.text)
}
