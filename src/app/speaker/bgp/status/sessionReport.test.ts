// Proves what stands in the API of a node's sessions.
import { expect, test } from 'vitest'
import { bgpSession } from '../../../../../test/build/bgpSession.ts'
import type { BgpSessionStatus } from '../../../../core/model/bgpSession.ts'
import type { Api, ApiRequest } from '../../../../edge/kube/api/client.ts'
import { SessionReport } from './sessionReport.ts'

type Json = { readonly metadata: { readonly name: string } }

function stand() {
  const objects = new Map<string, unknown>()
  const sent: string[] = []
  let [sessions, nowMs]: [readonly BgpSessionStatus[], number] = [[], 0]
  const api: Api = {
    async call({ method, path, body }: ApiRequest) {
      const name = path.split('/')[5] ?? ''
      if (method !== 'GET') sent.push(method)
      if (method === 'PATCH') objects.set(name, body)
      if (method === 'DELETE') objects.delete(name)
      const metadata = { resourceVersion: '1' }
      const list = { kind: 'BGPSessionList', metadata, items: [...objects.values()] }
      return [Buffer.from(JSON.stringify(list))]
    },
    async *stream() {
      yield* []
    },
    close: () => undefined,
  }
  const report = new SessionReport({
    api,
    node: 'a',
    nodeUid: () => 'node-uid',
    sessions: () => sessions,
    nowMs: () => nowMs,
    signal: new AbortController().signal,
  })
  return {
    objects,
    async have(...given: readonly Partial<BgpSessionStatus>[]) {
      sessions = given.map((one) => {
        const { kind: _, name: __, ...status } = bgpSession(one)
        return status
      })
      nowMs += 61_000
      await report.round()
      return sent.splice(0)
    },
  }
}

test('[R8.10] one write for each change, and one when the peer is gone', async () => {
  const { have, objects } = stand()
  expect(await have({})).toEqual(['PATCH'])
  const [json] = objects.values()
  expect(json).toMatchObject({
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'BGPSession',
    metadata: {
      name: expect.stringMatching(/^a-tor-[0-9a-f]{8}$/),
      labels: { 'metallb.io/node': 'a' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'a', uid: 'node-uid' }],
    },
    status: { node: 'a', peer: 'tor', bgpStatus: 'Established' },
  })
  expect(await have({})).toEqual([])
  expect(await have({ bgpStatus: 'Active' }, { peer: 'spine' })).toEqual(['PATCH', 'PATCH'])
  expect(await have({ peer: 'spine' })).toEqual(['DELETE'])
})

test('[R8.10] what an earlier speaker left behind is found and removed', async () => {
  const { have, objects } = stand()
  const left: Json = { metadata: { name: 'a-old-12345678' } }
  objects.set(left.metadata.name, left)
  expect(await have({})).toEqual(['PATCH', 'DELETE'])
  expect(objects.size).toBe(1)
})
