// berth status: what is the state of a running cluster? Leader, Services, pools, tenants, problems.
import type { Announcer } from '../../../core/policy/status/announcers.ts'
import { statusOf } from '../../../core/policy/status/clusterStatus.ts'
import { statusView } from '../../../core/policy/status/statusView.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import type { Exit } from '../io.ts'
import { liveOptions, liveSettings, withLive } from '../live/liveApi.ts'
import { loadLive } from '../live/loadLive.ts'
import { newSession, type Session } from '../load.ts'
import { tellTroubles } from '../troubles.ts'
import { textOf, UsageError, type Verb } from '../verb.ts'
import { readVersion } from '../version.ts'
import { readAnnouncers } from './announcers.ts'
import { readLeader } from './leader.ts'
import { type Shown, statusText } from './statusText.ts'
import { waitsSince } from './waitsSince.ts'

export const statusVerb: Verb = {
  name: 'status',
  summary: 'show the state of a running cluster on one screen',
  usage: ['status [--context NAME] [--kubeconfig FILE] [-o text|json]'],
  description: `
Reads the running API and shows which controller leads, how many Services have an address, which
wait and why (the longest wait first), how full pools and tenants are, which nodes announce on which
interfaces, and what is wrong. Nothing is written.

Exit status: 0 the state was read, whatever it is; 1 something could not be read, or the API could
not be reached.`,
  examples: ['berth status', 'berth status --context production -o json'],
  options: {
    ...liveOptions,
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'json'],
      help: 'output format; json lists everything that waits or is wrong',
    },
  },
  async run(args, io): Promise<Exit> {
    if (args.positionals.length > 0) throw new UsageError('status takes no arguments')
    const settings = liveSettings(args, io)
    const session = await newSession(io, settings)
    return withLive(args, io, async ({ api }) => {
      const { cluster } = session
      const loaded = await loadLive(session, api)
      const nowMs = Date.now()
      const shown: Shown = {
        version: await readVersion(),
        leader: await leaderOf(api, session, nowMs),
        announcers: await announcersOf(api, session),
        namespace: settings.ownNamespace,
        status: statusOf(cluster.world, cluster.speakers(), waitsSince(loaded)),
        nowMs,
      }
      io.out(
        textOf(args, 'output') === 'json'
          ? `${JSON.stringify(statusView(shown), undefined, 2)}\n`
          : statusText(shown),
      )
      const isUnread = shown.leader === 'unread' || shown.announcers === 'unread'
      return tellTroubles([loaded], io) > 0 || isUnread ? 1 : 0
    })
  },
}

/** A user who may not read Leases still sees the rest. */
async function leaderOf(api: Api, { cluster, io }: Session, nowMs: number) {
  try {
    return (await readLeader(api, cluster.world.ownNamespace, nowMs)) ?? 'nobody'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    io.err(`${error.message}\n`)
    return 'unread'
  }
}

async function announcersOf(
  api: Api,
  { cluster, io }: Session,
): Promise<readonly Announcer[] | 'unread'> {
  try {
    return await readAnnouncers(api, cluster.world.ownNamespace, io.signal)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    io.err(`${error.message}\n`)
    return 'unread'
  }
}
