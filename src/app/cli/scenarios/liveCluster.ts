// How does a scenario run on a running API? Manifests are applied as kubectl would, and the
// controller is asked whether it has seen them and is done.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Gate, JsonObject } from '../../../core/model/gate.ts'
import { World } from '../../../core/model/world.ts'
import { madeKinds } from '../../../core/policy/made/madeKinds.ts'
import { idOf } from '../../../core/sim/objects.ts'
import { settings } from '../../../core/sim/runScenario.ts'
import type { Look, ScenarioCluster } from '../../../core/sim/scenarioCluster.ts'
import { standInOf } from '../../../core/sim/standIns.ts'
import { leaseName } from '../../../edge/kube/adoption.ts'
import type { Api } from '../../../edge/kube/api/client.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { Fields, isRecord } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'
import { newEvents } from './liveEvents.ts'
import { policiesAreReported, policyKind } from './liveNmstate.ts'
import { type Held, type LiveObjects, metaOf, type Written } from './liveObjects.ts'
import type { Progress, Target } from './target.ts'

/** Virtual time costs nothing, this does. */
const longestSeconds = 2
const [patienceMs, pauseMs] = [60_000, 5]
/** From changes of these follow objects of those. */
const makers = ['Tenant', 'Site', 'Namespace', 'Node', 'NodeInterfaces']
const lessOf = (kind: string) => ({ kind, isLess: true })
const made = [...madeKinds, 'Service', policyKind].map(lessOf)
const reserved = ['Reservation', 'AddressBlock'].map(lessOf)

type LiveParts = {
  readonly target: Target
  readonly objects: LiveObjects
  readonly gate: Gate
}

export function liveCluster({ target, objects, gate }: LiveParts): ScenarioCluster {
  const events = newEvents(target.api)
  /** Of what was written since the controller was last done. */
  const written = new Map<string, Written>()
  const note = (all: readonly Written[]): void => {
    for (const one of all) written.set(one.kind, both(written.get(one.kind), one))
  }
  let isHeldBack = false
  /** What is given is there before the first controller (R3.15). */
  let isGiven = true
  const goOn = async (): Promise<void> => {
    if (isHeldBack) await target.controller?.start()
    isHeldBack = false
  }

  return {
    hasSpeakers: false,
    async begin(manifests) {
      // Those of a step are of one age, which the API counts in seconds.
      if (manifests.filter(({ kind }) => kind === 'Service').length > 1) await earlyInASecond()
    },
    async apply(manifest) {
      const isShown = manifest['kind'] === 'Service' && isRecord(manifest['status'])
      // It is to come with its status, and with all that come with it: the controller would give
      // it an address before. Those are of one age, which the API counts in seconds.
      if (isShown && !isHeldBack) {
        await target.controller?.stop()
        isHeldBack = true
        if (isGiven) await forgetAdoption(target.api)
        await earlyInASecond()
      }
      const applied = await objects.apply(manifest)
      const beside = standInOf(manifest, 'eth0')?.json
      if (manifest['kind'] === 'Node' && beside !== undefined) await objects.apply(beside)
      note(applied.written)
      return applied.refusals
    },
    async delete(id) {
      const { refusals, written: gone } = await objects.delete([id])
      note(gone)
      return refusals
    },
    setNodes: () => [],
    async restart(programs) {
      if (!programs.includes('controller')) return
      if (!isHeldBack) await target.controller?.stop()
      isHeldBack = true
      await goOn()
    },
    advance: (seconds) => sleep(Math.min(seconds, longestSeconds) * 1000),
    async settle() {
      isGiven = false
      await goOn()
      await settled(target, objects, [...written.values()])
      written.clear()
    },
    async look() {
      const listed = await objects.list()
      const world = worldOf(listed, gate)
      const byId = new Map(listed.map((json) => [idOf(json), json]))
      const nodes = new Set(world.all('Node').keys())
      return {
        get: (id) => byId.get(id),
        all: () => listed,
        world,
        speakers: { expected: nodes, live: nodes },
        events: await events(),
      } satisfies Look
    },
  }
}

function both(before: Written | undefined, { kind, isLess, version = 0 }: Written): Written {
  const newest = Math.max(before?.version ?? 0, version)
  return { kind, isLess: isLess || before?.isLess === true, version: newest }
}

/** The next controller adopts what it finds, as the first one does. */
async function forgetAdoption(api: Api): Promise<void> {
  const path = pathOf(resourceOf('Lease', settings.ownNamespace), leaseName)
  await ifThere(api.call({ method: 'DELETE', path }))
}

async function earlyInASecond(): Promise<void> {
  const passedMs = Date.now() % 1000
  if (passedMs > 300) await sleep(1000 - passedMs)
}

/** Until the controller has seen what the API holds, and nothing is left for it to do. */
export async function settled(
  target: Target,
  objects: LiveObjects,
  written: readonly Written[],
): Promise<void> {
  const end = performance.now() + patienceMs
  // What follows from these goes by the controller's hand, and it has to see that too.
  const isMaking = written.some(({ kind }) => makers.includes(kind))
  const isReserving = written.some(({ kind }) => kind === 'IPSet')
  const touched = [...written, ...(isMaking ? made : []), ...(isReserving ? reserved : [])]
  const arePoliciesTouched = touched.some(({ kind }) => kind === policyKind)
  let held: readonly Held[] = []
  for (;;) {
    // Asked first: what it does after its answer is in the lists.
    const { isQuiet, seen } = await target.progress()
    // Not listed again before it has seen the newest of the last lists: those take the time.
    if (isQuiet && !held.some((one) => isOlder(seen, one))) {
      held = await objects.held(touched)
      const isDone = notSeen(held, seen).length === 0
      if (isDone && !arePoliciesTouched) return
      if (isDone && (await policiesAreReported(target.api, objects))) return
    }
    if (performance.now() > end) {
      const behind = notSeen(held, seen)
      const why = behind.length > 0 ? `has not seen every ${behind.join(', ')}` : 'is not done'
      throw new Fault(`the controller ${why} after ${patienceMs / 1000} s`)
    }
    await sleep(pauseMs)
  }
}

/** Of a kind that it does not watch there is nothing to see. */
const isOlder = (seen: Progress['seen'], { kind, newest }: Held): boolean =>
  Number(seen[kind]?.resourceVersion ?? newest) < newest

const isMiscounted = (seen: Progress['seen'], { kind, count }: Held): boolean =>
  count !== undefined && count !== (seen[kind]?.objects ?? count)

/** The kinds of which the API holds something else than the controller knows. */
const notSeen = (held: readonly Held[], seen: Progress['seen']): readonly string[] =>
  held.filter((one) => isOlder(seen, one) || isMiscounted(seen, one)).map(({ kind }) => kind)

/** What a daemon would make of it, with what stands in for speakers and endpoints. */
function worldOf(listed: readonly JsonObject[], gate: Gate): World {
  const world = new World(settings)
  const put = (json: JsonObject): void => {
    const view = gate.view(json)
    if (view !== undefined) world.apply({ type: 'upsert', view })
  }
  for (const json of listed) {
    const beside = standInOf({ ...json })?.json
    if (json['kind'] === 'Service' && beside !== undefined) put(beside)
  }
  for (const json of listed) if (!isGoing(json)) put(json)
  return world
}

const isGoing = (json: JsonObject): boolean =>
  new Fields(metaOf(json), []).text('deletionTimestamp') !== ''
