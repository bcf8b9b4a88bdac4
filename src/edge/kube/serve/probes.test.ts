import { expect, onTestFinished, test } from 'vitest'
import { Fault } from '../api/fault.ts'
import { startProbes } from './probes.ts'

async function ask(path: string, missing: readonly string[], init: RequestInit = {}) {
  const probes = await startProbes({ port: 0, missing: () => missing })
  onTestFinished(probes.close)
  const answer = await fetch(`http://127.0.0.1:${probes.port}${path}`, init)
  return [answer.status, await answer.text()]
}

const [ready, waiting] = [[], ['IPAddressPool', 'Tenant']]
test.each([
  { path: '/healthz', missing: ready, status: 200, body: 'ok\n' },
  { path: '/healthz', missing: waiting, status: 200, body: 'ok\n' },
  { path: '/readyz', missing: ready, status: 200, body: 'ok\n' },
  { path: '/readyz?verbose', missing: ready, status: 200, body: 'ok\n' },
  {
    path: '/readyz',
    missing: waiting,
    status: 503,
    body: 'waiting for IPAddressPool, Tenant\n',
  },
  { path: '/', missing: ready, status: 404, body: 'not found\n' },
])('$path while waiting for $missing: $status', async ({ path, missing, status, body }) => {
  expect(await ask(path, missing)).toEqual([status, body])
})

test.each([
  { method: 'HEAD', status: 200, body: '' },
  { method: 'POST', status: 405, body: 'only GET\n' },
])('$method is answered with $status', async ({ method, status, body }) => {
  expect(await ask('/healthz', [], { method })).toEqual([status, body])
})

test('a port in use is a Fault that names it', async () => {
  const first = await startProbes({ port: 0, missing: () => [] })
  onTestFinished(first.close)
  const second = startProbes({ port: first.port, missing: () => [] })
  await expect(second).rejects.toThrow(new RegExp(`^port ${first.port}: `))
  await expect(second).rejects.toBeInstanceOf(Fault)
})

test('progress is served to those who wait for us', async () => {
  const seen = { Service: { resourceVersion: '12', objects: 3 } }
  const progress = () => ({ isQuiet: false, seen })
  const probes = await startProbes({ port: 0, missing: () => [], progress })
  onTestFinished(probes.close)
  const answer = await fetch(`http://127.0.0.1:${probes.port}/quiet`)
  expect([answer.status, await answer.json()]).toEqual([200, { isQuiet: false, seen }])
})
