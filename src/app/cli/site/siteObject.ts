// How is the Site read from the API, and written back? Whole, under its version, so that nobody's
// edit is lost.
import { type Json, recordAt, textAt } from '../../../core/model/json.ts'
import { siteName } from '../../../core/model/site.ts'
import type { Api, ApiRequest } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
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

const mostTries = 5

/** Refused if somebody has changed it since it was read. A new status is no such change. */
export async function replaceSite(api: Api, site: Json): Promise<Json> {
  const { resourceVersion } = recordAt(site, 'metadata')
  let version = resourceVersion
  for (let tries = 1; ; tries++) {
    try {
      const metadata = { ...recordAt(site, 'metadata'), resourceVersion: version }
      return await written(api, version === undefined ? site : { ...site, metadata })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 409 || tries === mostTries) throw error
      const there = version === undefined ? undefined : await readSite(api)
      if (there === undefined || !isSameSite(site, there)) throw error
      version = recordAt(there, 'metadata')['resourceVersion']
    }
  }
}

async function written(api: Api, site: Json): Promise<Json> {
  const isNew = textAt(recordAt(site, 'metadata'), 'resourceVersion') === ''
  const answer = await api.call(
    isNew
      ? { method: 'POST', path: pathOf(resourceOf('Site')), body: site }
      : { method: 'PUT', path, body: site },
  )
  return isRecord(answer) ? { ...answer } : {}
}

/** Nobody has edited it, and the controller has not taken a move back. */
function isSameSite(one: Json, other: Json): boolean {
  const [mine, theirs] = [recordAt(one, 'metadata'), recordAt(other, 'metadata')]
  return (
    mine['uid'] === theirs['uid'] &&
    mine['generation'] === theirs['generation'] &&
    rolledBackIn(one) === rolledBackIn(other)
  )
}

const rolledBackIn = (site: Json): string =>
  textAt(recordAt(recordAt(site, 'status'), 'move'), 'rolledBack')

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
  const state = rolledBackIn(site) === commitBy ? 'RolledBack' : 'Pending'
  return { state, commitBy, before: isRecord(move['before']) ? { ...move['before'] } : undefined }
}

export function externalIn(site: Json): Json | undefined {
  const { external } = recordAt(site, 'spec')
  return isRecord(external) ? { ...external } : undefined
}
