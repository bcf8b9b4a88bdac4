import { expect, test } from 'vitest'
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Api, ApiRequest } from '../../../edge/kube/api/client.ts'
import { ApiError } from '../../../edge/kube/api/fault.ts'
import type { Loaded } from '../load.ts'
import { carryOut } from './carryOut.ts'

const id = 'IPAddressPool/metallb-system/lan'
const pool = (version: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name: 'lan', namespace: 'metallb-system', uid: 'u', resourceVersion: version },
  spec: { addresses: ['10.0.0.0/28'] },
  status: { assignedIPv4: Number(version) },
  ...more,
})

/** Deletes what stands there, if it is asked for that version. */
function serving(now: JsonObject): Api {
  const { uid, resourceVersion } = Object(now['metadata'])
  const call = async ({ method, path, body }: ApiRequest): Promise<unknown> => {
    if (method === 'GET') return now
    const asked = Object(body).preconditions
    if (asked.uid === uid && asked.resourceVersion === resourceVersion) return {}
    const nothing = { status: undefined, retryAfterMs: undefined }
    const why = { reason: 'Conflict', message: 'the version is another one' }
    throw new ApiError({ request: `${method} ${path}`, code: 409, ...why, ...nothing })
  }
  return { call } as Pick<Api, 'call'> as Api
}

async function deleted(now: JsonObject): Promise<readonly string[]> {
  const told: string[] = []
  const manifests = new Map([[id, { json: pool('1') }]])
  const there = { manifests } as unknown as Loaded
  await carryOut({ api: serving(now), there, done: (what) => told.push(what) }, [], [id])
  return told
}

test.each([
  ['as it was', pool('1')],
  ['with another status', pool('7')],
])('a pool that is there %s is deleted as planned', async (_, now) => {
  expect(await deleted(now)).toEqual([`${id} deleted`])
})

test.each([
  ['edited', pool('7', { spec: { addresses: ['10.0.0.0/24'] } })],
  ['made again', pool('7', { metadata: { ...Object(pool('7')['metadata']), uid: 'other' } })],
])('one that was %s meanwhile is left alone', async (_, now) => {
  await expect(deleted(now)).rejects.toThrow('the version is another one')
})
