// berth plan: what would applying these manifests do? Terraform's grammar, one summary line.

import type { Cluster } from '../../../core/sim/cluster.ts'
import { changesAnything, planOf } from '../../../core/sim/plan.ts'
import { type Snapshot, snapshot } from '../../../core/sim/snapshot.ts'
import { toYaml } from '../../../edge/manifests/toYaml.ts'
import type { Exit } from '../io.ts'
import { filesOption, type Loaded, load, newSession, type Session } from '../load.ts'
import { tellTroubles } from '../troubles.ts'
import { isSet, textOf, textsOf, UsageError, type Verb } from '../verb.ts'
import { planJson, planText } from './planText.ts'

export const planVerb: Verb = {
  name: 'plan',
  summary: 'what a change would do: addresses gained, lost, moved; who announces',
  usage: ['plan -f FILE|DIR... [--against FILE|DIR...] [--prune] [-o text|wide|json|yaml]'],
  description: `
Applies the manifests to a virtual cluster and shows what would come of it: which Service gets,
loses or moves to which address and why others wait, which node or peer would announce what, and
what is wrong. --against is what is there now (an export such as 'kubectl get -A -o yaml' keeps
addresses and ages); without it the cluster is empty. Nothing is written anywhere.

Exit status: 0 nothing would change, 2 something would, 1 something could not be read or would be
refused (told on standard error with its line).`,
  examples: [
    'berth plan -f examples/cluster',
    'berth plan -f examples/change --against examples/cluster',
    'kustomize build . | berth plan -f - -o json',
  ],
  options: {
    file: filesOption,
    against: {
      type: 'string',
      multiple: true,
      value: 'FILE|DIR',
      help: 'what is there now; without it an empty cluster',
    },
    prune: { type: 'boolean', help: 'what --against has and -f has not is deleted' },
    output: {
      type: 'string',
      short: 'o',
      value: 'FORMAT',
      choices: ['text', 'wide', 'json', 'yaml'],
      help: 'how to print it; wide also lists what is kept',
    },
  },
  async run(args, io): Promise<Exit> {
    const files = textsOf(args, 'file')
    if (files.length === 0 || args.positionals.length > 0) {
      throw new UsageError('name the manifests with -f FILE|DIR')
    }
    const session = await newSession(io)
    const { cluster } = session
    const there = await load(session, textsOf(args, 'against'))
    cluster.settle()
    const before = standingOf(cluster)
    const wanted = await load(session, files)
    if (isSet(args, 'prune')) prune(session, there, wanted)
    cluster.settle()
    const plan = planOf(before, standingOf(cluster))
    const format = textOf(args, 'output')
    if (format === 'json') io.out(`${JSON.stringify(planJson(plan), undefined, 2)}\n`)
    else if (format === 'yaml') io.out(toYaml(planJson(plan)))
    else io.out(planText(plan, { isWide: format === 'wide', isTerminal: io.isTerminal }))
    const troubles = tellTroubles([there, wanted], io)
    if (troubles > 0) return 1
    return changesAnything(plan) ? 2 : 0
  },
}

const standingOf = (cluster: Cluster): Snapshot => snapshot(cluster.world, cluster.speakers())

function prune({ cluster, io }: Session, there: Loaded, wanted: Loaded): void {
  for (const id of there.manifests.keys()) {
    if (wanted.manifests.has(id)) continue
    for (const { message } of cluster.delete(id)) io.err(`${id} would not be deleted: ${message}\n`)
  }
}
