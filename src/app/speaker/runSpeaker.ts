// What runs when the speaker runs? The speaker on real sockets, and beside it metrics and probes.
import type { Settings } from '../../core/model/world.ts'
import { isArpStrict } from '../../edge/host/arpSettings.ts'
import { systemClock } from '../../edge/host/clock.ts'
import { newApi } from '../../edge/kube/api/client.ts'
import type { Connection } from '../../edge/kube/api/connection.ts'
import { metricsText, metricsType } from '../../edge/kube/serve/metricsText.ts'
import { type Pages, servePages } from '../../edge/kube/serve/pages.ts'
import { startProbes } from '../../edge/kube/serve/probes.ts'
import { Requests } from '../../edge/kube/serve/requests.ts'
import type { Pod } from '../../edge/kube/write/configurationState.ts'
import { startLayer2 } from './layer2/thread/layer2.ts'
import { type JoinWish, joinMembers } from './membership/joinMembers.ts'
import type { MemberCounts } from './membership/members.ts'
import { Speaker } from './speaker.ts'
import { Layer2Counts, newSpeakerMetrics } from './speakerMetrics.ts'

export type SpeakerRun = {
  readonly connection: Connection
  readonly settings: Settings
  readonly node: string
  readonly pod: Pod | undefined
  readonly members: JoinWish
  readonly excluded: RegExp
  /** Between announcements when nothing has changed; undefined: none. */
  readonly refreshMs: number | undefined
  readonly shouldAnnounceAnyway: boolean
  readonly shouldIgnoreExcludeLabel: boolean
  /** undefined: not served. */
  readonly ports: Readonly<Record<'metrics' | 'probes', number | undefined>>
  /** The interfaces with sockets, and those where none can be opened, when they are others. */
  readonly onOpen?: (interfaces: readonly string[], closed: readonly string[]) => void
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  readonly signal: AbortSignal
}

type Log = SpeakerRun['log']

export async function runSpeaker(run: SpeakerRun): Promise<void> {
  const { connection, settings, node, pod, excluded, refreshMs, log, signal } = run
  const { shouldAnnounceAnyway, shouldIgnoreExcludeLabel } = run
  const [requests, layer2] = [new Requests(), new Layer2Counts()]
  const api = requests.counted(newApi(connection))
  const common = { api, settings, node, clock: systemClock, random: Math.random, log }
  const stop = new AbortController()
  let counts = (): MemberCounts | undefined => undefined
  const speaker = new Speaker({
    ...common,
    pod,
    timestamp,
    excluded,
    shouldAnnounceAnyway,
    shouldIgnoreExcludeLabel,
    isArpStrict,
    startLayer2: (told) =>
      startLayer2({
        ...told,
        excluded,
        refreshMs,
        // Beside MetalLB; and nobody tells of the others.
        hasUnknownFellows: run.members.by === 'nodes',
        onOpen(interfaces, closed) {
          told.onOpen(interfaces, closed)
          run.onOpen?.(interfaces, closed)
        },
        onCounts: (counted) => layer2.add(counted),
        onTrouble: (message) => log({ level: 'warn', object: 'layer 2', message }),
      }),
    startMembers: async (told) => {
      const wish = { ...common, ...told, ...run.members, signal: stop.signal }
      const members = await joinMembers(wish)
      if ('counts' in members) counts = () => members.counts
      return members
    },
  })
  const metrics = newSpeakerMetrics({ node, speaker, requests, layer2, members: () => counts() })
  const served = serve(run, { speaker, metrics, log, signal: stop.signal })
  signal.addEventListener('abort', () => stop.abort(), { once: true })
  try {
    await speaker.run(signal)
  } catch (error) {
    // Asked to end while it still waited for something that it needs.
    if (!signal.aborted) throw error
  } finally {
    stop.abort()
    await served
    api.close()
  }
}

type Serving = {
  readonly speaker: Speaker
  readonly metrics: ReturnType<typeof newSpeakerMetrics>
  readonly log: Log
  readonly signal: AbortSignal
}

/** On the host's network a port may be another's for now, such as that of MetalLB's speaker. */
async function serve({ ports }: SpeakerRun, serving: Serving): Promise<void> {
  const { speaker, metrics } = serving
  const page = () => ({ status: 200, type: metricsType, body: metricsText(metrics()) })
  const missing = () => (speaker.isReady ? [] : speaker.missing)
  await Promise.all([
    keptServed(ports.metrics, serving, (port) => servePages(port, { '/metrics': page })),
    keptServed(ports.probes, serving, (port) => startProbes({ port, host: '127.0.0.1', missing })),
  ])
}

const againMs = 5_000

async function keptServed(
  port: number | undefined,
  { log, signal }: Serving,
  start: (port: number) => Promise<Pages>,
): Promise<void> {
  if (port === undefined) return
  for (let isTold = false; !signal.aborted; ) {
    try {
      const pages = await start(port)
      await new Promise((resolve) => {
        if (signal.aborted) resolve(undefined)
        signal.addEventListener('abort', resolve, { once: true })
      })
      await pages.close()
    } catch (error) {
      if (!isTold) log({ level: 'warn', object: `port ${port}`, message: String(error) })
      isTold = true
      await systemClock.sleep(againMs, signal)
    }
  }
}

export const timestamp = (): string => new Date().toISOString().replace(/\.\d+Z$/, 'Z')
