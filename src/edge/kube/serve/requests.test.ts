import { expect, test } from 'vitest'
import type { Api, ApiRequest } from '../api/client.ts'
import { ApiError, Fault } from '../api/fault.ts'
import { Requests } from './requests.ts'

const refused = (code: number) =>
  new ApiError({
    request: '',
    code,
    reason: '',
    message: '',
    status: undefined,
    retryAfterMs: undefined,
  })

const answering = (answer: () => Promise<unknown>, lines: readonly string[] = []): Api => ({
  call: answer,
  async *stream() {
    yield* lines
  },
  close: () => undefined,
})

const sent = (method: ApiRequest['method'], path: string): ApiRequest => ({ method, path })

test.each([
  { path: '/api/v1/namespaces/shop/services/web/status', resource: 'services/status' },
  { path: '/api/v1/namespaces/shop/events', resource: 'events' },
  { path: '/apis/berth.dev/v1alpha1/addresses/192.0.2.1', resource: 'addresses' },
  {
    path: '/apis/metallb.io/v1beta1/namespaces/m/ipaddresspools/p/status',
    resource: 'ipaddresspools/status',
  },
])('a write to $path counts for $resource', async ({ path, resource }) => {
  const requests = new Requests()
  await requests.counted(answering(async () => 'reply')).call(sent('PATCH', path))
  expect(requests.writes).toContainEqual({ resource, result: 'ok', count: 1 })
})

test.each([
  { fault: refused(409), result: 'conflict' },
  { fault: refused(500), result: 'error' },
  { fault: new Fault('reset'), result: 'error' },
])('$fault.message counts as $result and is rethrown', async ({ fault, result }) => {
  const requests = new Requests()
  const api = requests.counted(answering(() => Promise.reject(fault)))
  await expect(api.call(sent('POST', '/apis/berth.dev/v1alpha1/addresses'))).rejects.toBe(fault)
  const counted = requests.writes.filter(({ count }) => count > 0)
  expect(counted).toEqual([{ resource: 'addresses', result, count: 1 }])
})

test('reads are not writes; watch events count, bookmarks do not', async () => {
  const lines = ['{"type":"ADDED"}', '{"type":"BOOKMARK","object":{}}', '{"type":"DELETED"}']
  const requests = new Requests()
  const api = requests.counted(answering(async () => 'reply', lines))
  expect(await api.call(sent('GET', '/api/v1/services'))).toBe('reply')
  expect(await Array.fromAsync(api.stream(sent('GET', '/api/v1/services')))).toEqual(lines)
  expect(requests).toMatchObject({ writes: [], updates: 2 })
})
