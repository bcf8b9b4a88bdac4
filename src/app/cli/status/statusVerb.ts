// berth status: is all well? Leader, Services, pools, tenants and problems of a running cluster.
import type { Api } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import type { Exit } from '../io.ts'
import { liveOptions, liveSettings, withLive } from '../live/liveApi.ts'
import { loadLive } from '../live/loadLive.ts'
import { newSession, type Session } from '../load.ts'
import { tellTroubles } from '../troubles.ts'
import { textOf, UsageError, type Verb } from '../verb.ts'
import { readVersion } from '../version.ts'
import { type Announcer, readAnnouncers } from './announcers.ts'
import { readLeader } from './leader.ts'
import { statusOf } from './status.ts'
import { type Shown, statusText } from './statusText.ts'
import { waitsSince } from './waitsSince.ts'

export const statusVerb: Verb = {
  name: 'status',
  summary: 'how a running cluster stands, on one screen',
  usage: ['status [--context NAME] [--kubeconfig FILE] [-o text|json]'],
  description: `
Reads the running API and shows who leads, how many Services are served, which wait and why (longest
first), how full pools and tenants are, which nodes announce on which interfaces, and what is wrong.
Nothing is written.

Exit status: 0 shown, whatever it shows; 1 something could not be read, or the API not be reached.`,
  examples: ['berth status', 'berth status --context production -o json'],
  options: {
    ...liveOptions,
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'json'],
      help: 'how to print it; json has everything that waits or is wrong',
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
      io.out(textOf(args, 'output') === 'json' ? jsonText(shown) : statusText(shown))
      const isUnread = shown.leader === 'unread' || shown.announcers === 'unread'
      return tellTroubles([loaded], io) > 0 || isUnread ? 1 : 0
    })
  },
}

/** Who may not read Leases may still see the rest. */
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

/** Counts of addresses can be larger than a JSON number is exact: they are text. */
function jsonText({ version, leader, announcers, status }: Shown): string {
  const { served, waiting, ...rest } = status
  const body = {
    schema: 'berth.dev/status/v1',
    version,
    leader: typeof leader === 'string' ? null : leader,
    services: { served, waiting },
    announcers: announcers === 'unread' ? null : announcers,
    ...rest,
  }
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
  return `${JSON.stringify(body, text, 2)}\n`
}
