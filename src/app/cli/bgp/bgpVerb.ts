// berth bgp: which BGP sessions and routes do the nodes of a running cluster have?
import {
  type BgpFilter,
  bgpPeersView,
  bgpSessions,
  isMeant,
} from '../../../core/policy/status/bgpPeers.ts'
import { bgpRoutes, bgpRoutesView } from '../../../core/policy/status/bgpRoutes.ts'
import { toldRoutesView } from '../../../core/policy/status/toldRoutes.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { formatted } from '../formatted.ts'
import type { Exit, Io } from '../io.ts'
import { readBgpReports } from '../live/bgpReports.ts'
import { liveOptions, liveSettings, withLive } from '../live/liveApi.ts'
import { loadLive } from '../live/loadLive.ts'
import { newSession, type Session } from '../load.ts'
import { outputOption } from '../outputOption.ts'
import { tellTroubles } from '../troubles.ts'
import { type Arguments, isSet, textOf, UsageError, type Verb } from '../verb.ts'
import { askSpeaker } from './askSpeaker.ts'
import { peersText, routesText, toldText } from './bgpText.ts'
import { unknownName } from './unknownName.ts'

const words = ['peers', 'routes'] as const
const where = '[--node NODE] [--peer PEER] [-o text|wide|json|yaml]'

export const bgpVerb: Verb = {
  name: 'bgp',
  summary: 'show BGP sessions and routes of a running cluster',
  usage: [`bgp peers ${where}`, `bgp routes ${where}`, 'bgp routes --local [--peer PEER]'],
  description: `
'peers' shows each session as its node reports it: the state, since when, how many routes were sent
and how many UPDATE messages were received. 'routes' shows each route that a node should announce:

  announced     the node reports it, and the session is up
  session-down  there is no session with the peer
  not-sent      the session does not carry routes of this address family: see the node's problems
  not-reported  the node does not report it yet

Both read the running API; nothing is written. With --local, 'routes' asks the speaker of the node
on which it runs what it has sent to its peers, and needs no API. '-o wide' shows everything, and is
wider than 100 columns.

Exit status: 0 the state was read, whatever it is; 1 something could not be read, there is no such
node or peer, or the API could not be reached.`,
  examples: ['berth bgp peers', 'berth bgp routes --node worker-3', 'berth bgp peers -o wide'],
  words,
  takes: 1,
  options: {
    ...liveOptions,
    node: { type: 'string', value: 'NODE', help: 'only this node', names: 'node' },
    peer: { type: 'string', value: 'PEER', help: 'only this BGPPeer', names: 'peer' },
    local: { type: 'boolean', help: 'routes: what the speaker on this node has sent' },
    'health-probe-port': {
      type: 'string',
      value: 'PORT',
      help: "with --local: the speaker's probe port (default 17473)",
    },
    output: outputOption(['text', 'wide', 'json', 'yaml']),
  },
  async run(args, io): Promise<Exit> {
    const word = args.positionals[0] === 'peers' ? 'peers' : 'routes'
    if (isSet(args, 'local')) return routesHere(word, args, io)
    const session = await newSession(io, liveSettings(args, io))
    return withLive(args, io, async ({ api }) => {
      const loaded = await loadLive(session, api)
      const unknown = unknownName(session.cluster.world, filterOf(args))
      if (unknown !== undefined) {
        io.err(`berth: ${unknown}\n`)
        tellTroubles([loaded], io)
        return 1
      }
      const shown = word === 'peers' ? peersIn(args, session) : await routesIn(args, session, api)
      io.out(shown)
      return tellTroubles([loaded], io) > 0 ? 1 : 0
    })
  },
}

function peersIn(args: Arguments, { cluster }: Session): string {
  const sessions = bgpSessions(cluster.world, filterOf(args))
  return printed(args, bgpPeersView(sessions), (style) => peersText(sessions, style))
}

async function routesIn(args: Arguments, { cluster, io }: Session, api: Api): Promise<string> {
  const { world } = cluster
  const reports = await readBgpReports(api, world.ownNamespace, io.signal)
  const routes = bgpRoutes(world, { speakers: cluster.speakers(), reports }, filterOf(args))
  return printed(args, bgpRoutesView(routes), (style) => routesText(routes, style))
}

async function routesHere(word: string, args: Arguments, io: Io): Promise<Exit> {
  if (word !== 'routes') throw new UsageError("--local goes with 'bgp routes'")
  const port = textOf(args, 'health-probe-port') || '17473'
  if (!/^\d{1,5}$/.test(port)) throw new UsageError('--health-probe-port is a number')
  const told = await askSpeaker(port)
  if (!told.ok) {
    io.err(`berth: ${told.why}\n`)
    return 1
  }
  const routes = told.value.filter((route) => isMeant(route, filterOf(args)))
  io.out(printed(args, toldRoutesView(routes), (style) => toldText(routes, style)))
  return 0
}

const filterOf = (args: Arguments): BgpFilter => ({
  node: textOf(args, 'node'),
  peer: textOf(args, 'peer'),
})

function printed(args: Arguments, view: object, text: (style: Style) => string): string {
  const format = textOf(args, 'output')
  const data = formatted(view, format)
  return data ?? text({ isWide: format === 'wide', nowMs: Date.now() })
}

type Style = Parameters<typeof peersText>[1]
