import { expect, test } from 'vitest'
import { apiTo, rawServer, sendJson } from '../../../../test/build/rawServer.ts'
import type { JsonObject } from '../../../core/model/gate.ts'
import type { Loaded } from '../load.ts'
import { carryOut } from './carryOut.ts'

const id = 'IPAddressPool/metallb-system/lan'
const pool = (version: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { name: 'lan', namespace: 'metallb-system', uid: 'u', resourceVersion: version },
  spec: { addresses: ['10.0.0.0/28'] },
  status: { assignedIPv4: 1 },
  ...more,
})
const conflict = { kind: 'Status', code: 409, reason: 'Conflict', message: 'another version' }

/** The version that stands there is the newest: what was planned for had version 1. */
async function deleted(now: JsonObject, signal = new AbortController().signal) {
  const isNewer = Object(now['metadata']).resourceVersion !== '1'
  let isRead = false
  const server = await rawServer(({ method }, response) => {
    if (method === 'GET') isRead = true
    if (method === 'GET') sendJson(response, now)
    else if (isNewer && !isRead) sendJson(response, conflict, 409)
    else sendJson(response, {})
  })
  const told: string[] = []
  const there = { manifests: new Map([[id, { json: pool('1') }]]) } as unknown as Loaded
  const work = { api: apiTo(server), there, done: (what: string) => told.push(what), signal }
  await carryOut(work, [], [id])
  return told
}

test.each([
  ['as it was', pool('1')],
  ['with another status', pool('7', { status: { assignedIPv4: 0 } })],
])('a pool that is there %s is deleted as planned', async (_, now) => {
  expect(await deleted(now)).toEqual([`${id} deleted`])
})

test.each([
  ['edited', pool('7', { spec: { addresses: ['10.0.0.0/24'] } })],
  ['made again', pool('7', { metadata: { ...Object(pool('7')['metadata']), uid: 'other' } })],
  ['asked for one more address', pool('7', { status: { assignedIPv4: 2 } })],
])('one that was %s meanwhile is left alone', async (_, now) => {
  await expect(deleted(now)).rejects.toThrow('another version')
})

test('once it is interrupted nothing more is written', async () => {
  await expect(deleted(pool('1'), AbortSignal.abort())).rejects.toThrow('interrupted')
})
