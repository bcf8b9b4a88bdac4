// How is the Site read from the API, and written back? Whole, under its version, so that nobody's
// edit is lost.
import { type Json, recordAt, textAt } from '../../../core/model/json.ts'
import { siteName } from '../../../core/model/site.ts'
import type { Api, ApiRequest } from '../../../edge/kube/api/client.ts'
import { ifThere } from '../../../edge/kube/api/notFound.ts'
import { pathOf } from '../../../edge/kube/api/resource.ts'
import { isRecord } from '../../../edge/kube/decode/fields.ts'
import { resourceOf } from '../../../edge/kube/kinds.ts'

const path = pathOf(resourceOf('Site'), siteName)

export const noSite =
  'there is no Site: apply one first, with the network that the cluster was built in:\n' +
  '  berth site apply -f site.yaml'

type Patience = Pick<ApiRequest, 'timeoutMs'>

/** Undefined if there is none. */
export async function readSite(api: Api, patience: Patience = {}): Promise<Json | undefined> {
  const there = await ifThere(api.call({ method: 'GET', path, ...patience }))
  return isRecord(there) ? { ...there } : undefined
}

/** Refused if somebody has changed it since it was read. */
export async function replaceSite(api: Api, site: Json): Promise<Json> {
  const isNew = textAt(recordAt(site, 'metadata'), 'resourceVersion') === ''
  const written = await api.call(
    isNew
      ? { method: 'POST', path: pathOf(resourceOf('Site')), body: site }
      : { method: 'PUT', path, body: site },
  )
  return isRecord(written) ? { ...written } : {}
}

/** The field is absent where a value is undefined. */
export function withSpec(site: Json, fields: Json): Json {
  const spec = { ...recordAt(site, 'spec'), ...fields }
  const defined = Object.entries(spec).filter(([, value]) => value !== undefined)
  return { ...site, spec: Object.fromEntries(defined) }
}

type MoveState = {
  readonly state: 'Settled' | 'Pending' | 'RolledBack'
  readonly commitBy: string
  /** What it goes back to; undefined if the cluster had not arrived before. */
  readonly before: Json | undefined
}

/** As the spec says; the controller's note counts where it is about the same move. */
export function moveOf(site: Json): MoveState {
  const spec = recordAt(site, 'spec')
  const move = recordAt(spec, 'move')
  const commitBy = textAt(move, 'commitBy')
  if (commitBy === '') return { state: 'Settled', commitBy, before: undefined }
  const noted = recordAt(recordAt(site, 'status'), 'move')
  const state = textAt(noted, 'rolledBack') === commitBy ? 'RolledBack' : 'Pending'
  return { state, commitBy, before: isRecord(move['before']) ? { ...move['before'] } : undefined }
}

export function externalIn(site: Json): Json | undefined {
  const { external } = recordAt(site, 'spec')
  return isRecord(external) ? { ...external } : undefined
}
