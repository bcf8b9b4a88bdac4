// What does a step of the migration work with? The API, a place to report to, and patience.
import { setTimeout } from 'node:timers/promises'
import type { Api } from '../../../../edge/kube/api/client.ts'
import { Fault } from '../../../../edge/kube/api/fault.ts'
import { ifThere } from '../../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../../edge/kube/api/resource.ts'
import { Fields } from '../../../../edge/kube/decode/fields.ts'
import { type KindName, resourceOf } from '../../../../edge/kube/kinds.ts'
import { untilInTime } from '../../../../edge/kube/write/race.ts'
import type { Io } from '../../io.ts'
import { listAll } from '../../live/listAll.ts'

export type Walk = {
  /** Waits for an API server that is busy or away. */
  readonly api: Api
  /** Does not, for what the API server only passes on: whoever is behind it may not be there. */
  readonly direct: Api
  readonly io: Io
  /** Of MetalLB and Berth. */
  readonly namespace: string
  /** As they reach this cluster, to be copied: kubectl with its options, helm with its own. */
  readonly programs: { readonly kubectl: string; readonly helm: string }
  /** How long each thing is waited for. */
  readonly withinMs: number
  /** How long BGP sessions that nobody reports get to come up. */
  readonly settleMs: number
  /** Whether neighbours are asked who answers. */
  readonly asksWire: boolean
  /** Whether a BGP peer without a session stops nothing. */
  readonly acceptsDownPeers: boolean
}

/** Why a step stopped. Everything done before stays done, and the step can be run again. */
export class Stopped extends Fault {
  override readonly name = 'Stopped'
}

const pauseMs = 250

/** Until the answer is `done`; any other answer says what is still missing. */
export async function waitFor(walk: Walk, missing: () => Promise<string>): Promise<void> {
  const endMs = performance.now() + walk.withinMs
  for (;;) {
    const what = await missing()
    if (what === '') return
    if (walk.io.signal.aborted) throw new Stopped(`interrupted while waiting: ${what}`)
    if (performance.now() > endMs) {
      throw new Stopped(`${what} (waited ${Math.round(walk.withinMs / 1000)} s)`)
    }
    await setTimeout(pauseMs)
  }
}

export const listed = async (
  { api, io }: Pick<Walk, 'api' | 'io'>,
  kind: KindName,
  namespace?: string,
): Promise<Fields[]> =>
  (await listAll(api, resourceOf(kind, namespace), io.signal)).map((json) => new Fields(json, []))

type Named = { readonly kind: KindName; readonly name: string; readonly namespace?: string }

const pathTo = ({ kind, name, namespace }: Named): string =>
  pathOf(resourceOf(kind, namespace), name)

/** Undefined if it does not exist. */
export async function readOne({ api }: Walk, named: Named): Promise<Fields | undefined> {
  const json = await ifThere(api.call({ method: 'GET', path: pathTo(named) }))
  return json === undefined ? undefined : new Fields(json, [])
}

type Json = Record<string, unknown>

/** Reads, changes and writes under the version that was read. Undefined: nothing to change. */
export function change(
  { api }: Walk,
  named: Named,
  changed: (object: Json) => Json | undefined,
): Promise<void> {
  const path = pathTo(named)
  return untilInTime(async () => {
    const before = await api.call({ method: 'GET', path })
    const after = changed(structuredClone(new Fields(before, []).json))
    if (after !== undefined) await api.call({ method: 'PUT', path, body: after })
  })
}

/** One that is already gone counts as deleted. */
export async function remove({ api }: Walk, named: Named): Promise<void> {
  await ifThere(api.call({ method: 'DELETE', path: pathTo(named) }))
}
