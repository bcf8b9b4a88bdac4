import { request } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newPair } from '../../../../test/build/apiStand.ts'
import { Fault } from '../api/fault.ts'
import { type Guard, servePages } from './pages.ts'

const refusal = { status: 401, type: 'text/plain', body: 'no\n' }
const page = () => ({ status: 200, type: 'text/plain', body: 'up 1\n' })

async function served(given: Partial<Guard>, port = 0) {
  const said: string[] = []
  const guard: Guard = {
    certificate: async () => newPair('one', '/CN=one'),
    readers: async ({ authorization }) => (authorization === 'good' ? undefined : refusal),
    log: (entry) => said.push(String(entry['message'])),
    close: () => said.push('closed'),
    ...given,
  }
  const pages = await servePages(port, { '/metrics': page }, { host: '127.0.0.1', guard })
  onTestFinished(() => pages.close())
  return { said, pages }
}

type Answer = { readonly status: number | undefined; readonly body: string; readonly cn: string }

function ask(port: number, given: { path?: string; method?: string; authorization?: string } = {}) {
  const { path = '/metrics', method = 'GET', authorization } = given
  const headers = authorization === undefined ? {} : { authorization }
  const to = { host: '127.0.0.1', port, path, method, headers, rejectUnauthorized: false }
  return new Promise<Answer>((resolve, reject) => {
    const asked = request({ ...to, agent: false }, (answer) => {
      const cn = String((answer.socket as TLSSocket).getPeerCertificate().subject.CN)
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({ status: answer.statusCode, body: Buffer.concat(chunks).toString(), cn }),
      )
    })
    asked.on('error', reject).end()
  })
}

test.each([
  { given: { authorization: 'good' }, status: 200, body: 'up 1\n' },
  { given: { authorization: 'good', method: 'HEAD' }, status: 200, body: '' },
  { given: { authorization: 'bad' }, status: 401, body: 'no\n' },
  { given: {}, status: 401, body: 'no\n' },
  { given: { authorization: 'good', method: 'POST' }, status: 405, body: 'only GET\n' },
  { given: { authorization: 'good', path: '/else' }, status: 404, body: 'not found\n' },
  { given: { authorization: 'good', path: '/__proto__' }, status: 404, body: 'not found\n' },
])('behind a guard $given is answered with $status', async ({ given, status, body }) => {
  const { pages } = await served({})
  expect(await ask(pages.port, given)).toMatchObject({ status, body })
})

test('plain HTTP is not answered behind a guard', async () => {
  const { pages } = await served({})
  await expect(fetch(`http://127.0.0.1:${pages.port}/metrics`)).rejects.toThrow()
})

test('a renewed certificate is used, and one that is broken is said once', async () => {
  const pair = { one: newPair('one', '/CN=one'), two: newPair('two', '/CN=two') }
  let now = pair.one
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { said, pages } = await served({ certificate: async () => now })
  const cnAfter = async (next: typeof now) => {
    now = next
    await vi.advanceTimersByTimeAsync(20_000)
    return (await ask(pages.port, { authorization: 'good' })).cn
  }
  expect(await cnAfter(pair.one)).toBe('one')
  expect(await cnAfter({ cert: pair.two.cert, key: 'broken' })).toBe('one')
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('the last certificate stays in use')
  expect(await cnAfter(pair.two)).toBe('two')
})

test('a port that is taken leaves nothing behind, however often it is tried', async () => {
  const { pages } = await served({})
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  for (let tried = 0; tried < 3; tried++) {
    await expect(served({}, pages.port)).rejects.toThrow(`port ${pages.port}`)
  }
  expect(vi.getTimerCount()).toBe(0)
})

test('so many requests may wait on one connection, and no more', async () => {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  let asked = 0
  const readers = async () => {
    asked++
    await promise
    return undefined
  }
  const { pages } = await served({ readers })
  const socket = connect({ host: '127.0.0.1', port: pages.port, rejectUnauthorized: false })
  onTestFinished(() => void socket.destroy())
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.write('GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500))
  await vi.waitFor(() => expect(asked).toBe(32))
  resolve()
  const answered = () =>
    Buffer.concat(chunks)
      .toString()
      .match(/ 200 OK/g)
  await vi.waitFor(() => expect(answered()).toHaveLength(32))
  expect(asked).toBe(32)
})

test('without a certificate nothing is served, and the reason is a Fault', async () => {
  const started = served({ certificate: () => Promise.reject(new Error('no such file')) })
  await expect(started).rejects.toBeInstanceOf(Fault)
  await expect(started).rejects.toThrow('certificate for the metrics: no such file')
})

test('once it no longer serves, the guard is let go', async () => {
  const { said, pages } = await served({})
  await ask(pages.port)
  await pages.close()
  expect(said).toEqual(['closed'])
})
