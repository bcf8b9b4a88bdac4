// Proves that a key is made once, where the Secret is there and has none.
import { expect, test } from 'vitest'
import type { Api, ApiRequest } from '../../edge/kube/api/client.ts'
import { ApiError } from '../../edge/kube/api/fault.ts'
import { ensureMembersKey } from './membersKey.ts'

const notFound = new ApiError({
  request: 'GET',
  code: 404,
  reason: 'NotFound',
  message: '',
  status: {},
  retryAfterMs: undefined,
})

function stand(secret: object | undefined) {
  const sent: ApiRequest[] = []
  const api: Api = {
    async call(request) {
      if (request.method !== 'GET') sent.push(request)
      if (secret === undefined) throw notFound
      return secret
    },
    async *stream() {
      yield* []
    },
    close: () => undefined,
  }
  return { api, sent }
}
const metadata = { name: 'berth-members', uid: 'u', resourceVersion: '7' }

test.each([
  { of: 'no Secret', secret: undefined, isThere: false, writes: 0 },
  { of: 'an empty Secret', secret: { metadata }, isThere: true, writes: 1 },
  {
    of: 'a Secret with a key',
    secret: { metadata, data: { key: 'eA==' } },
    isThere: true,
    writes: 0,
  },
])('$of: writes $writes', async ({ secret, isThere, writes }) => {
  const { api, sent } = stand(secret)
  expect(await ensureMembersKey(api, 'metallb-system')).toBe(isThere)
  expect(sent).toHaveLength(writes)
})

test('the key is a line with 256 bits, written under the version that was read', async () => {
  const { api, sent } = stand({ metadata })
  await ensureMembersKey(api, 'metallb-system')
  const [{ body }] = sent as [ApiRequest]
  const { data, metadata: under } = body as { data: { key: string }; metadata: object }
  const text = Buffer.from(data.key, 'base64').toString()
  expect(Buffer.from(text.trim(), 'base64')).toHaveLength(32)
  expect(under).toEqual({ uid: 'u', resourceVersion: '7' })
})
