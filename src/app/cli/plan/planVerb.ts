// berth plan: what would applying these manifests do? Printed like terraform's plan.

import { writeFile } from 'node:fs/promises'
import { changesAnything, type Plan } from '../../../core/sim/plan.ts'
import { planView } from '../../../core/sim/planView.ts'
import { faultOf } from '../../../edge/manifests/files.ts'
import type { Read } from '../../../edge/manifests/manifest.ts'
import { parseLabelSelector } from '../../../edge/store/http/labelSelector.ts'
import { areForeseen } from '../foreseen.ts'
import { formatted } from '../formatted.ts'
import { type Given, givenIn, givenOptions, isGiven, readGiven } from '../given.ts'
import type { Exit, Io } from '../io.ts'
import { asksLive, liveOptions, liveSettings, withLive } from '../live/liveApi.ts'
import { loadLive } from '../live/loadLive.ts'
import { type Loaded, load, newSession, type Session } from '../load.ts'
import { outputOption } from '../outputOption.ts'
import { tellTroubles, tellUnknown, troublesIn } from '../troubles.ts'
import { type Arguments, isSet, textOf, textsOf, UsageError, type Verb } from '../verb.ts'
import { visible } from '../visible.ts'
import { idNamed, type Pruned, prunedBy } from './change.ts'
import { metallbSession, type Render, type Rendered } from './forMetallb.ts'
import { planText, type Style } from './planText.ts'
import { predict } from './predict.ts'
import { outcomeText, type SavedPlan, savedText, standingOf } from './savedPlan.ts'

export const planVerb: Verb = {
  name: 'plan',
  summary: 'show what a change would do to addresses and announcements',
  usage: [
    'plan -f FILE|DIR... | -k DIR... [--against FILE|DIR...] [--prune] [-o FORMAT]',
    'plan -f FILE|DIR... --live [--context NAME] [--kubeconfig FILE] [-o FORMAT]',
    'plan [-f FILE|DIR...] --delete KIND/NAME... [--live]',
    'plan -f FILE|DIR... --live --prune -l SELECTOR | --all',
    'plan -f FILE|DIR... --live --out FILE',
    'plan -f FILE|DIR... --for metallb [--against FILE|DIR... | --live]',
  ],
  description: `
Applies the manifests to a simulated cluster and shows the result: which Services get, lose or
change an address and why others wait, which nodes and peers would announce what, and what is
wrong. The plan starts from the manifests in --against (for example the output of 'kubectl get -A
-o yaml'), from the running API with --live or --context, or else from an empty cluster. Nothing is
written.

With --for metallb, the plan applies what 'berth tenant render' makes from the Tenants, and not the
Tenants themselves. Services change as its admission policies would change them; those that exist
count as if each had been updated once.

Exit status: 0 nothing would change; 2 something would change, such as a Service that begins to
wait; 1 an object could not be read or would be refused (with its line on standard error), or the
API could not be reached.`,
  examples: [
    'berth plan -f examples/cluster',
    'berth plan -f examples/change --against examples/cluster',
    'berth plan -k overlays/production --live',
    'berth plan --delete pool/lan --live',
    'berth plan -f . --live --prune -l app.kubernetes.io/instance=site',
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
    delete: {
      type: 'string',
      multiple: true,
      value: 'KIND/NAME',
      help: 'delete an object first: pool/lan, tenant/north, service/shop/web',
    },
    prune: { type: 'boolean', help: 'first delete configuration that is missing from -f' },
    selector: {
      type: 'string',
      short: 'l',
      value: 'SELECTOR',
      help: 'with --prune: only objects with these labels',
    },
    all: { type: 'boolean', help: 'with --prune of a running API: all namespaces and labels' },
    out: {
      type: 'string',
      value: 'FILE',
      help: "with --live: save the plan for 'berth apply FILE'",
    },
    for: {
      type: 'string',
      value: 'WHOM',
      choices: ['metallb'],
      help: 'show what Tenants do on MetalLB, by what tenant render makes',
    },
    output: outputOption(
      ['text', 'wide', 'json', 'yaml'],
      'output format; wide also lists unchanged entries',
    ),
  },
  async run(args, io): Promise<Exit> {
    const isLive = asksLive(args)
    const asked = [...textsOf(args, 'delete'), ...(isGiven(givenIn(args)) ? ['-f'] : [])]
    if (asked.length === 0) {
      throw new UsageError(
        'name the manifests with -f FILE|DIR or -k DIR, or what --delete deletes',
      )
    }
    if (isLive && textsOf(args, 'against').length > 0) {
      throw new UsageError('--against cannot be used with --live or --context')
    }
    const settings = liveSettings(args, io)
    const { session, render } =
      textOf(args, 'for') === ''
        ? { session: await newSession(io, settings), render: undefined }
        : await metallbSession(io, settings)
    const options = { ...planOptions(args, isLive, settings.ownNamespace), render }
    if (!isLive) {
      const given = { files: textsOf(args, 'against'), kustomized: [] }
      return tellPlan(options, session, await load(session, given))
    }
    return withLive(args, io, async ({ api }) =>
      tellPlan(options, session, await loadLive(session, api)),
    )
  },
}

type PlanOptions = {
  readonly given: Given
  readonly deletions: readonly string[]
  readonly pruned: Pruned | undefined
  readonly format: string
  /** Empty if the plan is not to be saved. */
  readonly out: string
  /** Of the Tenants, where MetalLB gives the addresses. */
  readonly render: Render | undefined
}

/** A prune of a running API says what it looks at, as kubectl's does: nobody means everything. */
function planOptions(
  args: Arguments,
  isLive: boolean,
  ownNamespace: string,
): Omit<PlanOptions, 'render'> {
  const [selector, isAll] = [textOf(args, 'selector'), isSet(args, 'all')]
  const isPruned = isSet(args, 'prune')
  if (!isPruned && (selector !== '' || isAll)) throw new UsageError('-l and --all go with --prune')
  if (isPruned && isLive && (selector !== '') === isAll) {
    throw new UsageError('--prune of a running API needs either -l SELECTOR or --all')
  }
  const labels = parseLabelSelector(selector)
  if (!labels.ok) throw new UsageError(`-l ${selector}: ${labels.why}`)
  const deletions = textsOf(args, 'delete').map((text) => {
    const id = idNamed(text, ownNamespace)
    if (!id.ok) throw new UsageError(`--delete: ${id.why}`)
    return id.value
  })
  const pruned = isPruned ? { labels: labels.value } : undefined
  const [format, out] = [textOf(args, 'output'), textOf(args, 'out')]
  if (out !== '' && !isLive) throw new UsageError('--out needs --live or --context')
  if ((out !== '' || isPruned) && textOf(args, 'for') !== '') {
    const instead = 'apply what berth tenant render prints'
    throw new UsageError(`--out and --prune cannot be used with --for: ${instead}`)
  }
  return { given: givenIn(args), deletions, pruned, format, out }
}

async function tellPlan(options: PlanOptions, session: Session, there: Loaded): Promise<Exit> {
  const { cluster, io } = session
  const { given, deletions, pruned, format, out, render } = options
  const stood = out === '' ? {} : standingOf(there)
  const reads = await readAll(given, io)
  const gone = pruned === undefined ? [] : prunedBy(pruned, cluster, { there, reads })
  const change = { reads, deletions: [...new Set([...deletions, ...gone])], render }
  const { plan, wanted, kept, rendered } = await predict(session, there, change)
  const loads = [there, wanted, ...(rendered === undefined ? [] : [rendered.loaded])]
  const troubles = [...troublesIn(loads), ...kept]
  const passedOver = [there, wanted].reduce((sum, one) => sum + countOf(one.passedOver), 0)
  show(plan, troubles, { format, passedOver, isForeseen: areForeseen(there), io })
  tellTroubles(
    loads.map((one) => withoutPlayed(one, rendered)),
    io,
  )
  tellUnknown(wanted, io)
  for (const line of kept) io.err(`${visible(`berth: ${line}`)}\n`)
  if (out !== '') {
    const apply = [...wanted.manifests.values()].map(({ json }) => session.gate.place(json))
    const saved = { apply, deletions: change.deletions, plan: outcomeText(plan), stood }
    if (!(await isSaved(out, troubles.length > 0 ? undefined : saved, io))) return 1
  }
  if (troubles.length > 0) return 1
  return changesAnything(plan) ? 2 : 0
}

const withoutPlayed = (loaded: Loaded, rendered: Rendered | undefined): Loaded => ({
  ...loaded,
  unplayed: loaded.unplayed.filter(({ tenant }) => rendered?.tenants.has(tenant) !== true),
})

async function isSaved(file: string, saved: SavedPlan | undefined, io: Io): Promise<boolean> {
  if (saved === undefined) {
    io.err(`berth: the plan is incomplete, so ${file} was not written\n`)
    return false
  }
  try {
    await writeFile(file, savedText(saved), { mode: 0o600 })
  } catch (error) {
    io.err(`${visible(`berth: ${file}: ${faultOf(error)}`)}\n`)
    return false
  }
  io.err(`Saved: 'berth apply ${file}' carries it out if nothing has changed until then.\n`)
  return true
}

type Shown = Pick<Style, 'passedOver' | 'isForeseen'> & { readonly format: string; readonly io: Io }

const countOf = (groups: ReadonlyMap<string, number>): number =>
  [...groups.values()].reduce((sum, count) => sum + count, 0)

function show(plan: Plan, troubles: readonly string[], { format, io, ...more }: Shown): void {
  const { isTerminal } = io
  const data = formatted(planView(plan, troubles), format)
  const style = { isWide: format === 'wide', isTerminal, troubles, ...more }
  if (data !== undefined) io.out(data)
  else (io.painted ?? io.out)(planText(plan, style))
}

async function readAll(given: Given, io: Io): Promise<Read[]> {
  const reads: Read[] = []
  for await (const read of readGiven(given, io)) reads.push(read)
  return reads
}
