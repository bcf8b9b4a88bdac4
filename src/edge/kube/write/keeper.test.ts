import { expect, test } from 'vitest'
import type { Write } from '../../../core/model/write.ts'
import type { ApiRequest } from '../api/client.ts'
import { ApiError } from '../api/fault.ts'
import { Keeper } from './keeper.ts'

const owner = { apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', name: 'red', uid: 't' }
const named = { name: 'red-edge', namespace: 'metallb-system', labels: { by: 'berth' } }
const version = { uid: 'u', resourceVersion: '7' }
const wanted = {
  apiVersion: 'metallb.io/v1beta1',
  kind: 'IPAddressPool',
  metadata: { ...named, ownerReferences: [owner] },
  spec: { addresses: ['10.0.0.1/32'] },
}
const there = { ...wanted, metadata: { ...wanted.metadata, ...version }, status: { used: 1 } }
const theirs = { ...there, metadata: { ...version, name: 'red-edge', labels: {} } }
const edited = { ...there, spec: { addresses: [] } }
const of = { kind: 'IPAddressPool', name: 'red-edge', namespace: 'metallb-system' }
const apply: Write = { type: 'apply', object: wanted }
const remove: Write = { type: 'delete', of, madeFrom: { kind: 'Tenant', name: 'red' } }
const report = (used: number): Write => ({ type: 'status', of, fields: { used } })

/** An API with that one object, or with none. */
function stand(object: object | undefined, known?: number, mayWrite = true) {
  const sent: ApiRequest[] = []
  const refusal = { request: 'GET', reason: 'NotFound', message: '', status: undefined }
  const api = {
    async call(request: ApiRequest): Promise<unknown> {
      sent.push(request)
      if (object !== undefined || request.method !== 'GET') return object
      throw new ApiError({ ...refusal, code: 404, retryAfterMs: undefined })
    },
    async *stream() {
      yield* []
    },
    close: () => undefined,
  }
  const keeper = new Keeper({
    api,
    known: () => known,
    ownNamespace: 'metallb-system',
    timestamp: () => '2026-01-02T03:04:05Z',
    mayWrite: () => mayWrite,
  })
  const writes = () => sent.filter(({ method }) => method !== 'GET')
  return { keeper, sent, writes }
}

test.each<{ title: string; write: Write; object?: object; sent: object[] }>([
  { title: 'what is as wanted is not written', write: apply, object: there, sent: [] },
  {
    title: 'what is not there is made, and forced on nobody',
    write: apply,
    sent: [{ method: 'PATCH', query: { fieldManager: 'berth', force: 'false' }, body: wanted }],
  },
  {
    title: 'what was edited is put back, under the version that was read',
    write: apply,
    object: edited,
    sent: [
      {
        method: 'PATCH',
        query: { fieldManager: 'berth', force: 'true' },
        body: { ...wanted, metadata: { ...wanted.metadata, ...version } },
      },
    ],
  },
  { title: 'what we did not make is not touched', write: apply, object: theirs, sent: [] },
  {
    title: 'what we made is removed, under the version that was read',
    write: remove,
    object: there,
    sent: [{ method: 'DELETE', body: { preconditions: version } }],
  },
  { title: 'what we did not make is not removed', write: remove, object: theirs, sent: [] },
  { title: 'what is gone need not be removed', write: remove, sent: [] },
  { title: 'a status that says so already', write: report(1), object: there, sent: [] },
  {
    title: 'a status that says something else',
    write: report(2),
    object: there,
    sent: [{ method: 'PATCH', body: { metadata: version, status: { used: 2 } } }],
  },
  { title: 'nobody reports on what is gone', write: report(2), sent: [] },
])('$title', async ({ write, object, sent }) => {
  const { keeper, writes } = stand(object)
  await keeper.keep(write)
  expect(writes()).toMatchObject(sent)
  expect(writes()).toHaveLength(sent.length)
})

test.each([
  { title: 'the version that we left', known: 7, reads: 1 },
  { title: 'another version', known: 8, reads: 2 },
  { title: 'none, since nobody watches it', known: undefined, reads: 2 },
])('where the watch shows $title it is read $reads times', async ({ known, reads }) => {
  const { keeper, sent } = stand(there, known)
  await keeper.keep(apply)
  await keeper.keep(apply)
  expect(sent).toHaveLength(reads)
})

test('past the renew deadline nothing is written', async () => {
  const { keeper, writes } = stand(edited, undefined, false)
  await expect(keeper.keep(apply)).rejects.toThrow('not ours to write now')
  expect(writes()).toEqual([])
})
