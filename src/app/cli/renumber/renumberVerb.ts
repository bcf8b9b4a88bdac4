// berth renumber FROM TO: every pool, Tenant network, reservation and pinned address of a prefix
// moves by the same offset; each Service changes once.
import { prefixText } from '../../../core/net/range.ts'
import { planServices } from '../../../core/sim/plannedServices.ts'
import { rehearse } from '../../../core/sim/renumber/rehearse.ts'
import { renumberPhases } from '../../../core/sim/renumber/renumberPhases.ts'
import { type Shift, shiftOf } from '../../../core/sim/renumber/shift.ts'
import { givenIn, givenOptions, isGiven } from '../given.ts'
import type { Exit } from '../io.ts'
import { asksLive, liveOptions, liveSettings, withCluster, withLive } from '../live/liveApi.ts'
import { loadLive } from '../live/loadLive.ts'
import { type Loaded, load, newSession, type Session } from '../load.ts'
import { tellTroubles } from '../troubles.ts'
import { isSet, UsageError, type Verb } from '../verb.ts'
import { carryOut } from './carryOut.ts'
import { type Renumbered, renumberText } from './renumberText.ts'

export const renumberVerb: Verb = {
  name: 'renumber',
  summary: 'move every pool, network and pinned address of a prefix to another prefix',
  usage: [
    'renumber FROM TO -f FILE|DIR... | -k DIR... | --live',
    'renumber FROM TO --live --apply',
  ],
  description: `
Moves all addresses of the prefix FROM to the prefix TO of the same size, each by the same offset:
pools, networks of Tenants, reservations, the addresses that Services and OpenStackControlPlanes
pin, and hosts in DNSData. Names of Services follow by themselves. Services that pin nothing keep
their offset too. What Berth does not manage, such as a NetConfig or a node's interfaces, is listed
and left.

Without --apply nothing is written: the steps are tried on a simulated cluster, and the plan shows
what each Service has before and after. A plan in which a Service would end without its moved
address is refused. With --apply they are carried out on the running API; after each write it waits
until the controller has seen it and every Service shows what the plan says. The order is such that
each Service changes once: old and new ranges stand side by side while Services move, both addresses
are reserved for them, and Services that would be given another address are pinned meanwhile.

Ctrl-C stops between two writes. A run that was stopped anywhere is finished by the same command, or
taken back by 'berth renumber TO FROM', which is the way back afterwards too: it moves everything
that is in TO, so choose one that is empty.

Exit status: 0 nothing to move, or --apply: done; 2 something would move; 1 refused, not reached in
time, or the API could not be reached.`,
  examples: [
    'berth renumber 172.17.0.0/24 172.27.0.0/24 -f cluster/',
    'berth renumber 172.17.0.0/24 172.27.0.0/24 --live',
    'berth renumber 172.17.0.0/24 172.27.0.0/24 --live --apply',
  ],
  takes: 2,
  options: {
    ...givenOptions,
    ...liveOptions,
    live: { type: 'boolean', help: 'read the running API' },
    apply: { type: 'boolean', help: 'carry the plan out on the running API' },
  },
  async run(args, io): Promise<Exit> {
    const [from = '', to = ''] = args.positionals
    if (to === '') throw new UsageError('name two prefixes: FROM and TO')
    const shift = shiftOf(from, to)
    if (!shift.ok) throw new UsageError(shift.why)
    const given = givenIn(args)
    const [isLive, isApplied] = [asksLive(args), isSet(args, 'apply')]
    if (isGiven(given) === isLive)
      throw new UsageError('say what to look at: -f FILE|DIR or --live')
    if (isApplied && !isLive) throw new UsageError('--apply needs --live or --context')
    const session = await newSession(io, liveSettings(args, io))
    if (!isLive) {
      const there = await load(session, given)
      planServices(session.cluster)
      return tellPlan(session, there, shift.value).exit
    }
    const reach = isApplied ? withCluster : withLive
    return reach(args, io, async ({ api }) => {
      const there = await loadLive(session, api)
      session.cluster.settle()
      const { exit, renumbered } = tellPlan(session, there, shift.value)
      if (!isApplied || exit !== 2) return exit
      const isDone = await carryOut(api, renumbered, io)
      if (!isDone) io.err(onOrBack(shift.value))
      return isDone ? 0 : 1
    })
  },
}

/** For whoever stands in the middle. */
function onOrBack({ from, to }: Shift): string {
  const [there, back] = [prefixText(from), prefixText(to)]
  return (
    `berth: to go on: berth renumber ${there} ${back} --live --apply\n` +
    `berth: the way back: berth renumber ${back} ${there} --live --apply\n`
  )
}

type Told = { readonly exit: Exit; readonly renumbered: Renumbered }

function tellPlan(session: Session, there: Loaded, shift: Shift): Told {
  const { cluster, io } = session
  const troubles = tellTroubles([there], io)
  const { phases, refused, targets, left } = renumberPhases(cluster, shift)
  const rehearsal = rehearse(cluster, refused.length > 0 ? [] : phases, targets)
  const renumbered = { shift, phases, left, rehearsal }
  const all = [...refused, ...rehearsal.refused]
  for (const { id, path, message } of all) io.err(`berth: ${id}: ${path}: ${message}\n`)
  if (all.length > 0) return { exit: 1, renumbered }
  io.out(renumberText(renumbered))
  const isMoving = phases.some(({ writes }) => writes.length > 0)
  return { exit: troubles > 0 ? 1 : isMoving ? 2 : 0, renumbered }
}
