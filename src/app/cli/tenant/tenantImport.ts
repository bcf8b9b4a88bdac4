// berth tenant import: Tenants that take over what files, an environment or a running API have, and
// a plan that shows whether anything would move.
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Json } from '../../../core/model/json.ts'
import { counted } from '../../../core/net/counted.ts'
import { fromEnvironment } from '../../../core/policy/propose/fromEnvironment.ts'
import { proposeTenants } from '../../../core/policy/propose/proposeTenants.ts'
import { isTakenOver } from '../../../core/sim/madeObjects.ts'
import { changesAnything, type Plan, planOf } from '../../../core/sim/plan.ts'
import { planServices } from '../../../core/sim/plannedServices.ts'
import { berth } from '../../../edge/kube/annotations.ts'
import { faultOf } from '../../../edge/manifests/files.ts'
import type { Read } from '../../../edge/manifests/manifest.ts'
import { readWhole } from '../../../edge/manifests/readWhole.ts'
import type { Exit, Io } from '../io.ts'
import { appliedOver } from '../live/appliedOver.ts'
import { admitAll, type Loaded, type Session } from '../load.ts'
import { planText } from '../plan/planText.ts'
import { standingOf } from '../plan/predict.ts'
import { tellTroubles, troublesIn } from '../troubles.ts'
import { visible } from '../visible.ts'
import { asWritten } from './asWritten.ts'
import { readEnvFile } from './envFile.ts'
import { documents } from './rendering.ts'
import { takeOver } from './takeOver.ts'

type Proposed = {
  readonly objects: readonly Json[]
  readonly unplaced: readonly string[]
  readonly staying: readonly string[]
}

/** From what stands in a cluster. */
export async function importTenants(session: Session, there: Loaded): Promise<Exit> {
  const { cluster } = session
  planServices(cluster)
  const { tenants, pools, unplaced, staying } = proposeTenants(cluster.world)
  const labelled = [...pools].flatMap(([name, tenant]) => {
    const pool = cluster.get(`IPAddressPool/${cluster.world.ownNamespace}/${name}`)
    return pool === undefined ? [] : [asWritten(pool, { [berth.tenant]: tenant })]
  })
  const taken = takeOver(session, tenants)
  const attachments = [...taken.staying].sort().map(([key, why]) => {
    return `NetworkAttachmentDefinition: ${key} (${why})`
  })
  const proposed = {
    // A labelled pool keeps its holders until its tenant comes (R4.3); the other way round they go.
    objects: [...labelled, ...taken.attachments, ...taken.tenants.map((one) => ({ ...one }))],
    unplaced: unplaced.map(({ object, why }) => `${object}: ${why}`),
    staying: [...staying, ...attachments],
  }
  return tell(session, there, proposed)
}

/** From environment files, in their order; `there` is what stands beside it. */
export async function importEnvironments(
  session: Session,
  there: Loaded,
  files: readonly string[],
): Promise<Exit> {
  const { cluster, io } = session
  const objects: Json[] = []
  const unplaced: string[] = []
  let isWhole = true
  for (const file of files) {
    const text = await textIn(file, io)
    if (text === undefined) {
      isWhole = false
      continue
    }
    const { values, unreadNames, doubtful, unread, hasCommands } = readEnvFile(text, file)
    const { ownNamespace } = cluster.world
    const beside = { unread: unreadNames, doubtful, hasCommands, ownNamespace }
    const found = fromEnvironment(values, beside)
    objects.push(...found.objects.map((one) => ({ ...one })))
    unplaced.push(...unread, ...found.unplaced.map((line) => `${file}: ${line}`))
    if (!found.isWhole) isWhole = false
  }
  const exit = await tell(session, there, { objects, unplaced, staying: [] })
  return isWhole ? exit : 1
}

/** Of an environment file, which people write. */
const mostBytes = 1_000_000

async function textIn(file: string, io: Io): Promise<string | undefined> {
  try {
    return await readWhole(file, mostBytes)
  } catch (error) {
    io.err(`${visible(`berth: ${file}: ${faultOf(error)}`)}\n`)
    return undefined
  }
}

/** The proposal is for standard output, all else for the reader. */
async function tell(
  session: Session,
  there: Loaded,
  { objects, unplaced, staying }: Proposed,
): Promise<Exit> {
  const { io } = session
  // What is refused stands in nobody's way; of what cannot be read, nobody knows.
  tellTroubles([there], io)
  if (objects.length === 0) io.err('Nothing is proposed.\n')
  else io.out(documents(objects))
  const { plan, wanted } = await stepByStep(session, there, objects)
  const refused = tellTroubles([wanted], io)
  const list = (title: string, lines: readonly string[]): void => {
    if (lines.length === 0) return
    io.err(`\n${title}\n${lines.map((line) => `  ${visible(line)}\n`).join('')}`)
  }
  list('Not placed', unplaced)
  list('Stay as they are, with their ranges; Berth does not create or delete them', staying)
  if (objects.length > 0) io.err(`\n${outcome(plan, wanted)}`)
  if (there.unreadable.length + refused > 0) return 1
  return movesAnything(plan) ? 2 : 0
}

type Steps = { readonly plan: Plan; readonly wanted: Loaded }

/** Settled after each object, as a cluster does between two of them; what moves once counts. */
async function stepByStep(
  session: Session,
  there: Loaded,
  objects: readonly Json[],
): Promise<Steps> {
  const { cluster } = session
  const planned = planServices(cluster)
  const before = standingOf(cluster)
  const asApplied = appliedOver(there)
  const plans: Plan[] = []
  const wanted = await admitAll(session, objects.map(read), (id, json) => {
    const applied = cluster.apply(asApplied(id, json))
    planServices(cluster, planned)
    plans.push(planOf(before, standingOf(cluster)))
    return applied
  })
  const nothing = planOf(before, before)
  return { plan: plans.find(movesAnything) ?? plans.at(-1) ?? nothing, wanted }
}

/**
 * What comes for the first time is no harm: an announcement, a session, an object, an address. Nor
 * is what is taken over, as it is.
 */
const movesAnything = (plan: Plan): boolean =>
  changesAnything({
    ...plan,
    announcements: [],
    sessions: plan.sessions.filter(({ action }) => action !== 'open'),
    addresses: plan.addresses.filter(({ action }) => action !== 'gain'),
    made: plan.made.filter((one) => one.action !== 'create' && !isTakenOver(one)),
    unmade: [],
    interfaces: plan.interfaces.filter(({ action }) => action !== 'gain'),
  })

function outcome(plan: Plan, wanted: Loaded): string {
  const kept = plan.addresses.filter(({ action }) => action === 'keep').length
  const shown = { isWide: false, isTerminal: false, troubles: troublesIn([wanted]), passedOver: 0 }
  if (movesAnything(plan)) return planText(plan, shown)
  return `Nothing would move: ${keptText(kept)}.\n`
}

const read = (json: JsonObject): Read => ({
  ok: true,
  manifest: { json, source: { file: 'proposal', line: 0 }, lineOf: () => 0 },
})

const keptText = (count: number): string =>
  count === 1 ? '1 Service keeps its address' : `${counted(count, 'Service')} keep their addresses`
