// How do scenarios run on a running API, one after another? Each begins on a clean cluster: what it
// needs is made, and what it made is removed.
import type { Gate } from '../../../core/model/gate.ts'
import { type Json, recordAt, textsAt } from '../../../core/model/json.ts'
import { endsAlike } from '../../../core/sim/finalState.ts'
import { namespacesIn } from '../../../core/sim/namespaces.ts'
import { idOf } from '../../../core/sim/objects.ts'
import { type Failure, runScenario } from '../../../core/sim/runScenario.ts'
import type { Scenario } from '../../../core/sim/scenario.ts'
import type { Look } from '../../../core/sim/scenarioCluster.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import type { ServedKind } from '../../../edge/kube/api/servedKinds.ts'
import { type KindName, typeOf } from '../../../edge/kube/kinds.ts'
import { clean, cleanEvents } from './clean.ts'
import { liveCluster } from './liveCluster.ts'
import { LiveObjects, metaOf } from './liveObjects.ts'
import { simulatorFor } from './simulator.ts'
import type { Target, Targets } from './target.ts'
import { manifestsOf, noSuchCluster, unseen, wantsOf, whyNot } from './whyNotLive.ts'

type LiveOutcome =
  | {
      readonly ran: true
      readonly failures: readonly Failure[]
      readonly unseen: readonly string[]
    }
  /** Why it cannot be run there. */
  | { readonly ran: false; readonly why: string }

type LiveOptions = { readonly targets: Targets; readonly lane: number; readonly gate: Gate }

export async function runLive(
  scenario: Scenario,
  { targets, lane, gate }: LiveOptions,
): Promise<LiveOutcome> {
  const wants = wantsOf(scenario)
  const target = await targets.get(wants, lane)
  if (target === undefined) return { ran: false, why: noSuchCluster(wants) }
  const kinds = await kindsOf(scenario, target)
  const why = whyNot(scenario, target) ?? notServed(kinds)
  if (why !== undefined) return { ran: false, why }
  const served = new Map([...kinds].flatMap(([kind, one]) => (one ? [[kind, one] as const] : [])))
  const objects = new LiveObjects(target.api, served)
  const namespaces = namespacesOf(scenario, served)
  try {
    const taken = await prepare(target, objects, { scenario, namespaces })
    if (taken !== undefined) return { ran: false, why: taken }
    for (const name of givenNamespaces(scenario)) target.namespaces.add(name)
    const { failures, end } = await runScenario(scenario, liveCluster({ target, objects, gate }))
    const differences = await fromSimulated(scenario, { gate, target, end })
    await clean(target, objects)
    await cleanEvents(target, namespaces)
    const all = [...failures, ...differences]
    return { ran: true, failures: all, unseen: unseen(scenario) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    await targets.discard(target, `${scenario.name}: ${error.message}`)
    const failure = { step: '', path: 'live', expected: 'to settle', actual: error.message }
    return { ran: true, failures: [failure], unseen: [] }
  }
}

type End = { readonly gate: Gate; readonly target: Target; readonly end: Look }

/** A rule that holds only in the simulator does not hold. */
async function fromSimulated(scenario: Scenario, { gate, target, end }: End): Promise<Failure[]> {
  const { end: expected } = await runScenario(scenario, simulatorFor(scenario, gate))
  const isWhole = target.isOwn
  const misses = endsAlike(expected.all(), end.all(), { isWhole })
  return misses.map((miss) => ({ step: 'end', ...miss }))
}

/** What a scenario may find without having said so. */
const always = ['Service', 'Namespace', 'Node', 'IPAddressPool', 'Address'] as const

/** The same where one of these is in it. */
const besides: readonly (readonly [makers: readonly string[], made: readonly KindName[]])[] = [
  [['Node'], ['NodeInterfaces']],
  [['IPSet'], ['Reservation', 'AddressBlock']],
  [
    ['Tenant', 'Site'],
    ['Tenant', 'Site', 'NodeInterfaces', 'L2Advertisement', 'BGPPeer', 'BGPAdvertisement'],
  ],
]

/** What a tenant generates where the program is installed that it is for. */
const generates = {
  Attachments: 'NetworkAttachmentDefinition',
  HostNetworks: 'NodeNetworkConfigurationPolicy',
  NetConfig: 'NetConfig',
} as const
const madeElsewhere = Object.values(generates)

function generatedBy(manifest: Json): readonly (typeof madeElsewhere)[number][] {
  const asked = textsAt(recordAt(manifest, 'spec'), 'generate')
  return Object.entries(generates).flatMap(([what, kind]) => (asked.includes(what) ? kind : []))
}

async function kindsOf(
  scenario: Scenario,
  { served }: Target,
): Promise<ReadonlyMap<string, ServedKind | undefined>> {
  const expected = scenario.steps.flatMap(({ expect }) => expect.resources ?? [])
  const manifests = manifestsOf(scenario)
  const isIn = (kind: string): boolean => manifests.some((manifest) => manifest['kind'] === kind)
  const beside = besides.flatMap(([makers, made]) => (makers.some(isIn) ? made.map(typeOf) : []))
  const elsewhere = ['Tenant', 'Site'].some(isIn) ? madeElsewhere.map(typeOf) : []
  const generated = manifests.flatMap(generatedBy).map(typeOf)
  const named = [...always.map(typeOf), ...beside, ...generated, ...expected, ...manifests]
  const needed = new Set(named.map(({ kind }) => String(kind)))
  const all = [...elsewhere, ...named]
  const versions = new Map(all.map(({ apiVersion, kind }) => [String(kind), String(apiVersion)]))
  const found = [...versions].map(
    async ([kind, version]) => [kind, await served.find(version, kind)] as const,
  )
  const kinds = await Promise.all(found)
  return new Map(kinds.filter(([kind, one]) => needed.has(kind) || one !== undefined))
}

function notServed(kinds: ReadonlyMap<string, ServedKind | undefined>): string | undefined {
  const missing = [...kinds].filter(([, found]) => found === undefined).map(([kind]) => kind)
  return missing.length === 0 ? undefined : `not served there: ${missing.sort().join(', ')}`
}

function namespacesOf(
  scenario: Scenario,
  served: ReadonlyMap<string, ServedKind>,
): ReadonlySet<string> {
  const manifests = manifestsOf(scenario)
  const namespaced = manifests.filter(({ kind }) => served.get(String(kind))?.isNamespaced === true)
  const own = namespaced.map((json) => String(metaOf(json)['namespace'] || 'default'))
  return new Set([...own, ...manifests.flatMap(namespacesIn)])
}

const givenNamespaces = (scenario: Scenario): readonly string[] =>
  manifestsOf(scenario).flatMap((json) =>
    json['kind'] === 'Namespace' ? String(metaOf(json)['name']) : [],
  )

type Preparing = { readonly scenario: Scenario; readonly namespaces: ReadonlySet<string> }

/** Namespaces that are named exist. Answers with what is there and not of this run. */
async function prepare(
  target: Target,
  objects: LiveObjects,
  { scenario, namespaces }: Preparing,
): Promise<string | undefined> {
  const isMine = (json: Json): boolean =>
    json['kind'] === 'Namespace' && target.namespaces.has(String(metaOf(json)['name']))
  const mayBeThere = target.isOwn ? [] : manifestsOf(scenario).filter((one) => !isMine(one))
  for (const json of mayBeThere) {
    if (await objects.isThere(json)) return `${idOf(json)} is there already`
  }
  await Promise.all(
    [...namespaces].map(async (name) => {
      if (await objects.ensureNamespace(name)) target.namespaces.add(name)
    }),
  )
  return undefined
}
