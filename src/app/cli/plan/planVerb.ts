// berth plan: what would applying these manifests do? Printed like terraform's plan.

import type { Cluster } from '../../../core/sim/cluster.ts'
import { changesAnything, type Plan, planOf } from '../../../core/sim/plan.ts'
import { planServices } from '../../../core/sim/plannedServices.ts'
import { planView } from '../../../core/sim/planView.ts'
import { type Snapshot, snapshot } from '../../../core/sim/snapshot.ts'
import { kinds } from '../../../edge/kube/kinds.ts'
import type { Read } from '../../../edge/manifests/manifest.ts'
import { toYaml } from '../../../edge/manifests/toYaml.ts'
import { type Given, givenIn, givenOptions, isGiven, readGiven } from '../given.ts'
import type { Exit, Io } from '../io.ts'
import { appliedOver } from '../live/appliedOver.ts'
import { asksLive, liveOptions, liveSettings, withLive } from '../live/liveApi.ts'
import { loadLive } from '../live/loadLive.ts'
import { admitAll, type Loaded, load, newSession, type Session } from '../load.ts'
import { tellTroubles, troublesIn } from '../troubles.ts'
import { type Arguments, isSet, textOf, textsOf, UsageError, type Verb } from '../verb.ts'
import { planText } from './planText.ts'

export const planVerb: Verb = {
  name: 'plan',
  summary: 'show what a change would do to addresses and announcements',
  usage: [
    'plan -f FILE|DIR... | -k DIR... [--against FILE|DIR...] [--prune] [-o FORMAT]',
    'plan -f FILE|DIR... --live [--context NAME] [--kubeconfig FILE] [-o FORMAT]',
  ],
  description: `
Applies the manifests to a simulated cluster and shows the result: which Services get, lose or
change an address and why others wait, which nodes and peers would announce what, and what is
wrong. The plan starts from the manifests in --against (for example the output of 'kubectl get -A
-o yaml'), from the running API with --live or --context, or else from an empty cluster. Nothing is
written.

Exit status: 0 nothing would change; 2 something would change, such as a Service that begins to
wait; 1 an object could not be read or would be refused (with its line on standard error), or the
API could not be reached.`,
  examples: [
    'berth plan -f examples/cluster',
    'berth plan -f examples/change --against examples/cluster',
    'berth plan -k overlays/production --live',
    'berth plan -f examples/change --context production',
  ],
  options: {
    ...givenOptions,
    against: {
      type: 'string',
      multiple: true,
      value: 'FILE|DIR',
      help: 'current manifests; the default is an empty cluster',
    },
    live: { type: 'boolean', help: 'start from the objects in the running API' },
    ...liveOptions,
    prune: {
      type: 'boolean',
      help: 'first delete configuration that is missing from -f',
    },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'wide', 'json', 'yaml'],
      help: 'output format; wide also lists unchanged entries',
    },
  },
  async run(args, io): Promise<Exit> {
    if (!isGiven(givenIn(args)) || args.positionals.length > 0) {
      throw new UsageError('name the manifests with -f FILE|DIR or -k DIR')
    }
    if (!asksLive(args)) {
      const session = await newSession(io, liveSettings(args, io))
      return tellPlan(
        args,
        session,
        await load(session, { files: textsOf(args, 'against'), kustomized: [] }),
      )
    }
    if (textsOf(args, 'against').length > 0 || isSet(args, 'prune')) {
      throw new UsageError('--against and --prune cannot be used with --live or --context')
    }
    const session = await newSession(io, liveSettings(args, io))
    return withLive(args, io, async ({ api }) =>
      tellPlan(args, session, await loadLive(session, api)),
    )
  },
}

async function tellPlan(args: Arguments, session: Session, there: Loaded): Promise<Exit> {
  const { cluster, io } = session
  const planned = planServices(cluster)
  const before = standingOf(cluster)
  const reads = await readAll(givenIn(args), io)
  const kept = isSet(args, 'prune') ? prune(session, there, reads) : []
  const asApplied = appliedOver(there)
  const wanted = await admitAll(session, reads, (id, json) => cluster.apply(asApplied(id, json)))
  planServices(cluster, planned, (id) => wanted.manifests.has(id))
  const plan = planOf(before, standingOf(cluster))
  const troubles = [...troublesIn([there, wanted]), ...kept]
  const passedOver = [there, wanted].reduce((sum, one) => sum + countOf(one.passedOver), 0)
  show(plan, troubles, { format: textOf(args, 'output'), passedOver, io })
  tellTroubles([there, wanted], io)
  for (const line of kept) io.err(`${line}\n`)
  if (troubles.length > 0) return 1
  return changesAnything(plan) ? 2 : 0
}

type Shown = { readonly format: string; readonly passedOver: number; readonly io: Io }

const countOf = (groups: ReadonlyMap<string, number>): number =>
  [...groups.values()].reduce((sum, count) => sum + count, 0)

function show(plan: Plan, troubles: readonly string[], { format, passedOver, io }: Shown): void {
  const { isTerminal } = io
  if (format === 'json') io.out(`${JSON.stringify(planView(plan, troubles), undefined, 2)}\n`)
  else if (format === 'yaml') io.out(toYaml(planView(plan, troubles)))
  else {
    const style = { isWide: format === 'wide', isTerminal, troubles, passedOver }
    ;(io.painted ?? io.out)(planText(plan, style))
  }
}

const standingOf = (cluster: Cluster): Snapshot => snapshot(cluster.world, cluster.speakers())

async function readAll(given: Given, io: Io): Promise<Read[]> {
  const reads: Read[] = []
  for await (const read of readGiven(given, io)) reads.push(read)
  return reads
}

/** Kinds that users configure; nodes, endpoints and namespaces belong to the cluster. */
const pruned = new Set(kinds.flatMap((row) => (row.pruned ? row.kind : [])))
const isPruned = (id: string): boolean => pruned.has(id.slice(0, id.indexOf('/')))

/** Runs before anything is applied, so that a renamed pool does not overlap its old self. */
function prune({ cluster }: Session, there: Loaded, reads: readonly Read[]): string[] {
  const wanted = new Set(
    reads.flatMap((read) => (read.ok ? [cluster.idOf(read.manifest.json)] : [])),
  )
  const gone = [...there.manifests.keys()].filter((id) => isPruned(id) && !wanted.has(id))
  return gone.flatMap((id) =>
    cluster.delete(id).map(({ message }) => `${id} would not be deleted: ${message}`),
  )
}
