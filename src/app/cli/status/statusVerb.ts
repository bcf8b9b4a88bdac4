// berth status: what is the state of a running cluster? Leader, Services, pools, tenants, problems.
import { bgpAnnouncersFrom } from '../../../core/policy/status/bgpAnnouncers.ts'
import { bgpSessions } from '../../../core/policy/status/bgpPeers.ts'
import { statusOf } from '../../../core/policy/status/clusterStatus.ts'
import { isHealthy, statusView } from '../../../core/policy/status/statusView.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import { reportingNodes } from '../foreseen.ts'
import { formatted } from '../formatted.ts'
import type { Exit, Io } from '../io.ts'
import { lintReport } from '../lint/lintReport.ts'
import { ignoredOn, weightsFrom } from '../lint/lintSettings.ts'
import { readBgpReports } from '../live/bgpReports.ts'
import { liveOptions, liveSettings, withLive } from '../live/liveApi.ts'
import { loadLive } from '../live/loadLive.ts'
import { newSession, type Session } from '../load.ts'
import { outputOption } from '../outputOption.ts'
import { tellTroubles } from '../troubles.ts'
import { type Arguments, isSet, textOf, UsageError, type Verb } from '../verb.ts'
import { readVersion } from '../version.ts'
import { readAnnouncers } from './announcers.ts'
import { readAttention, readStandby } from './attention.ts'
import { readLeader } from './leader.ts'
import { readParts } from './parts.ts'
import { type Shown, statusText } from './statusText.ts'
import { waitsSince } from './waitsSince.ts'
import { watched } from './watched.ts'

export const statusVerb: Verb = {
  name: 'status',
  summary: 'show the state of a running cluster on one screen',
  usage: [
    'status [--watch] [--exit-code] [--context NAME] [--kubeconfig FILE] [-o text|json|yaml]',
  ],
  description: `
Reads the running API and shows which controller leads, whether the API, the webhooks and the
speakers work, how many Services have an address, which wait and why (the longest wait first), how
full pools and tenants are, which nodes announce on which interfaces or to which BGP peers, and what
is wrong, counted as 'berth lint --live' counts it. Nothing is written. With --watch it is shown
again every two seconds, until Ctrl-C.

Attention lists what keeps Berth from its work: frozen (a definition is missing), waits (MetalLB's
controller runs), silent (MetalLB's speaker runs on the node), invalid (configuration that cannot be
used) and two-owners (two nodes announce one Service).

Exit status: 0 the state was read, whatever it is; 1 something could not be read, or the API could
not be reached. With --exit-code: 2 if no controller leads, if a part is failing, if a BGP
session is down, if a Service waits, if an object contradicts others, or if Attention or Problems
list an error.`,
  examples: [
    'berth status',
    'berth status --context production -o json',
    'berth status --watch',
    'berth status --exit-code',
  ],
  options: {
    ...liveOptions,
    watch: { type: 'boolean', short: 'w', help: 'show it again every two seconds' },
    'exit-code': { type: 'boolean', help: 'exit with 2 if something needs attention' },
    output: outputOption(
      ['text', 'json', 'yaml'],
      'output format; json and yaml leave nothing out',
    ),
  },
  async run(args, io): Promise<Exit> {
    if (!isSet(args, 'watch')) return look(args, io)
    if (['json', 'yaml'].includes(textOf(args, 'output')))
      throw new UsageError('--watch prints text only: leave out --output')
    return watched(io, (page) => look(args, page))
  },
}

async function look(args: Arguments, io: Io): Promise<Exit> {
  const settings = liveSettings(args, io)
  const session = await newSession(io, settings)
  return withLive(args, io, async ({ api }) => {
    const { cluster } = session
    const { ownNamespace } = settings
    const { weightOf, unreadable } = weightsFrom({ files: [], kustomized: [] }, [])
    const read = await loadLive(session, api)
    const loaded = { ...read, unreadable: [...unreadable, ...read.unreadable] }
    const look = { api, namespace: ownNamespace, signal: io.signal }
    const nowMs = Date.now()
    const leader = await orUnread(session, () => leaderOf(api, session, nowMs))
    const shown: Shown = {
      version: await readVersion(),
      leader,
      announcers: await orUnread(session, () => readAnnouncers(api, ownNamespace, io.signal)),
      bgp: await orUnread(session, async () => {
        const reports = await readBgpReports(api, ownNamespace, io.signal)
        return bgpAnnouncersFrom(bgpSessions(cluster.world), reports)
      }),
      attention: await orUnread(session, () => readAttention(look, leader !== 'nobody')),
      standby: await orUnread(session, () => readStandby(look)).then(known),
      parts: await orUnread(session, () => readParts(look, reportingNodes(loaded))),
      namespace: ownNamespace,
      status: statusOf(cluster.world, cluster.speakers(), waitsSince(loaded)),
      nowMs,
      // It lets the cluster settle: everything else is read first.
      lint: lintReport(cluster, loaded, { weightOf, ignoredOn: ignoredOn(cluster) }),
    }
    const data = formatted(statusView(shown), textOf(args, 'output'))
    if (data !== undefined) io.out(data)
    else (io.painted ?? io.out)(statusText(shown, io.isTerminal))
    const parts = [shown.leader, shown.announcers, shown.bgp, shown.attention, shown.parts]
    tellTroubles([loaded], io)
    if (loaded.unreadable.length > 0 || parts.includes('unread')) return 1
    // An object that contradicts others was read: that is the state, not a failure to look.
    const isWell = isHealthy(shown) && loaded.refused.length === 0
    return isSet(args, 'exit-code') && !isWell ? 2 : 0
  })
}

const leaderOf = async (api: Api, { cluster }: Session, nowMs: number) =>
  (await readLeader(api, cluster.world.ownNamespace, nowMs)) ?? 'nobody'

const known = (standby: number | undefined | 'unread'): number | undefined =>
  standby === 'unread' ? undefined : standby

/** A user who may not read Leases still sees the rest. */
async function orUnread<T>({ io }: Session, read: () => Promise<T>): Promise<T | 'unread'> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    io.err(`${error.message}\n`)
    return 'unread'
  }
}
