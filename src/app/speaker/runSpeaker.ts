// What runs in a speaker process? The speaker on real sockets, and beside it metrics and probes.
import type { Settings } from '../../core/model/world.ts'
import { isArpStrict } from '../../edge/host/arpSettings.ts'
import { systemClock, timestamp } from '../../edge/host/clock.ts'
import { metricsCertificate } from '../../edge/host/metricsCertificate.ts'
import { newApi } from '../../edge/kube/api/client.ts'
import type { Connection } from '../../edge/kube/api/connection.ts'
import type { SecureMetrics } from '../../edge/kube/serve/metricsFlags.ts'
import { metricsGuard } from '../../edge/kube/serve/metricsGuard.ts'
import { metricsText, metricsType } from '../../edge/kube/serve/metricsText.ts'
import { type Guard, type Pages, servePages } from '../../edge/kube/serve/pages.ts'
import { startProbes } from '../../edge/kube/serve/probes.ts'
import { Requests } from '../../edge/kube/serve/requests.ts'
import type { Pod } from '../../edge/kube/write/configurationState.ts'
import { type BgpBackend, bgpBackend } from './bgpBackend.ts'
import { layer2Protocol } from './layer2/layer2Protocol.ts'
import { startThread } from './layer2/thread/startThread.ts'
import { type JoinOptions, membersJoin } from './membership/joinMembers.ts'
import { Speaker } from './speaker.ts'
import { newSpeakerMetrics } from './speakerMetrics.ts'

export type SpeakerRun = {
  readonly connection: Connection
  readonly settings: Settings
  readonly node: string
  readonly pod: Pod | undefined
  readonly members: JoinOptions
  readonly excluded: RegExp
  /** Interval between repeated announcements; undefined for none. */
  readonly refreshMs: number | undefined
  readonly shouldAnnounceAnyway: boolean
  readonly bgp: BgpBackend
  /** How long routers are asked to prefer other nodes while this one is drained. */
  readonly drainMs: number
  readonly shouldIgnoreExcludeLabel: boolean
  /** undefined: not served. */
  readonly ports: Readonly<Record<'metrics' | 'probes', number | undefined>>
  /** undefined: everyone may read the metrics. */
  readonly secureMetrics?: SecureMetrics | undefined
  /** Called when the set of interfaces with sockets, or of those without, changes. */
  readonly onOpen?: (interfaces: readonly string[], closed: readonly string[]) => void
  readonly log: (entry: Readonly<Record<string, unknown>>) => void
  readonly signal: AbortSignal
}

type Log = SpeakerRun['log']

export async function runSpeaker(run: SpeakerRun): Promise<void> {
  const { connection, settings, node, pod, shouldIgnoreExcludeLabel, log, signal } = run
  const requests = new Requests()
  const api = requests.counted(newApi(connection))
  const speaker = new Speaker({
    api,
    settings,
    node,
    pod,
    clock: systemClock,
    random: Math.random,
    timestamp,
    log,
    shouldIgnoreExcludeLabel,
    protocols: [layer2(run), bgpBackend(run.bgp, run.drainMs)],
  })
  const stop = new AbortController()
  const metrics = newSpeakerMetrics({ node, speaker, requests })
  const served = serve(run, { speaker, metrics, log, signal: stop.signal })
  try {
    await speaker.run(signal)
  } finally {
    stop.abort()
    await served
    api.close()
  }
}

/** Throws before anything is started if the flags contradict each other. */
function layer2(run: SpeakerRun): ReturnType<typeof layer2Protocol> {
  const { node, members, excluded, refreshMs, shouldAnnounceAnyway, onOpen } = run
  // Next to MetalLB there is no membership, so other speakers' MACs are unknown.
  const thread = { excluded, refreshMs, hasUnknownPeers: members.by === 'nodes' }
  return layer2Protocol({
    excluded,
    shouldAnnounceAnyway,
    isArpStrict,
    startThread: (tell) =>
      startThread({
        ...thread,
        tell(news) {
          tell(news)
          if (news.kind === 'open') onOpen?.(news.interfaces, news.closed)
        },
      }),
    startMembers: membersJoin(members, node),
  })
}

type Serving = {
  readonly speaker: Speaker
  readonly metrics: ReturnType<typeof newSpeakerMetrics>
  readonly log: Log
  readonly signal: AbortSignal
}

/** On the host network the port may be taken for now, for example by MetalLB's speaker: retry. */
async function serve(run: SpeakerRun, serving: Serving): Promise<void> {
  const { ports } = run
  const { speaker, metrics } = serving
  const page = () => ({ status: 200, type: metricsType, body: metricsText(metrics()) })
  const missing = () => speaker.missing
  const told = speaker.protocols.map(
    (protocol) => [`/told/${protocol.name}`, () => protocol.report.told?.() ?? {}] as const,
  )
  const guard = guardOf(run)
  const onNode = { host: '127.0.0.1', missing, more: Object.fromEntries(told) }
  await Promise.all([
    keptServed(ports.metrics, serving, (port) => servePages(port, { '/metrics': page }, { guard })),
    keptServed(ports.probes, serving, (port) => startProbes({ ...onNode, port })),
  ])
}

function guardOf({ secureMetrics, connection, log }: SpeakerRun): Guard | undefined {
  if (secureMetrics === undefined) return undefined
  const certificate = metricsCertificate(secureMetrics.certificateFolder)
  return metricsGuard({ connection, certificate, clock: systemClock, log })
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
