// What does a saved plan hold? The changes, their effect, and the state that they were planned on.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../core/model/gate.ts'
import { isRecord, recordAt, textAt, textsAt } from '../../../core/model/json.ts'
import type { Plan } from '../../../core/sim/plan.ts'
import { planView } from '../../../core/sim/planView.ts'
import { Fault } from '../../../edge/kube/api/fault.ts'
import { faultOf } from '../../../edge/manifests/files.ts'
import { readWhole } from '../../../edge/manifests/readWhole.ts'
import { exportedText } from '../export/exported.ts'
import type { Loaded } from '../load.ts'

const schema = 'berth.dev/saved-plan/v1'
/** That of a hundred thousand objects. */
const mostBytes = 200_000_000

export type SavedPlan = {
  readonly apply: readonly JsonObject[]
  readonly deletions: readonly string[]
  /** As `plan -o json` has it. */
  readonly plan: string
  /** A hash of each object that was there, by Kind/namespace/name. */
  readonly stood: Readonly<Record<string, string>>
}

/** Reports of running programs; what they change in the outcome shows in the plan itself. */
const reports = /^(?:EndpointSlice|NodeInterfaces|BGPSession)\//

export function standingOf({ manifests }: Loaded): SavedPlan['stood'] {
  const counted = [...manifests].filter(([id]) => !reports.test(id)).sort()
  return Object.fromEntries(counted.map(([id, { json }]) => [id, hashOf(textOf(json))]))
}

/** The status of a pool or tenant counts what others say; only these say something themselves. */
function textOf(json: JsonObject): string {
  const { status, ...rest } = json
  const isTelling = ['Service', 'Node'].includes(textAt(json, 'kind'))
  return exportedText(isTelling && status !== undefined ? json : rest)
}

/** Whether an object stands as it did when it was planned for. */
export const standsAs = (before: JsonObject, now: JsonObject): boolean =>
  textOf(before) === textOf(now)

const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)

export const outcomeText = (plan: Plan): string => JSON.stringify(planView(plan, []))

/** In order of name. */
export function changesSince(before: SavedPlan['stood'], now: SavedPlan['stood']): string[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort()
  return ids.flatMap((id) => {
    if (before[id] === now[id]) return []
    if (before[id] === undefined) return [`${id} is new`]
    return [now[id] === undefined ? `${id} is gone` : `${id} has changed`]
  })
}

export function savedText({ apply, deletions, plan, stood }: SavedPlan): string {
  const body = { schema, apply, delete: deletions, plan: JSON.parse(plan), stood }
  return `${JSON.stringify(body, undefined, 2)}\n`
}

export async function readSaved(file: string): Promise<SavedPlan> {
  const json = await jsonIn(file)
  const { apply, plan } = isRecord(json) ? json : {}
  if (!isRecord(json) || json['schema'] !== schema || !Array.isArray(apply)) {
    throw new Fault(`${file} is not a saved plan: write one with berth plan --out`)
  }
  const stood = Object.keys(recordAt(json, 'stood')).map((id) => [
    id,
    textAt(recordAt(json, 'stood'), id),
  ])
  return {
    apply: apply.filter(isRecord),
    deletions: textsAt(json, 'delete'),
    plan: JSON.stringify(plan),
    stood: Object.fromEntries(stood),
  }
}

async function jsonIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readWhole(file, mostBytes))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw new Fault(`${file}: ${faultOf(error)}`)
  }
}
