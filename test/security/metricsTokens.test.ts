// Made-up tokens without end, and connections. The attacker can reach the port of secured metrics, and has no
// token. Afterwards: Prometheus is answered, with a token that nobody has seen before and on a connection
// that it keeps. Before: it was answered 503, and its connection was closed for those of the attacker.
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { ApiRequest } from '../../src/edge/kube/api/client.ts'
import { metricsReaders } from '../../src/edge/kube/serve/metricsReaders.ts'
import { servePages } from '../../src/edge/kube/serve/pages.ts'

test('tokens that one address makes up leave room for others', async () => {
  const waiting: (() => void)[] = []
  const call = async ({ path, body }: ApiRequest): Promise<unknown> => {
    const { spec } = body as { spec: { token?: string } }
    if (path.endsWith('/subjectaccessreviews')) return { status: { allowed: true } }
    const isGood = spec.token === 'good'
    if (!isGood) await new Promise<void>((resolve) => waiting.push(resolve))
    return { status: { authenticated: isGood, user: { username: 'prometheus' } } }
  }
  const readers = metricsReaders({ api: { call }, clock: { nowMs: () => 0 }, log: () => undefined })
  const ask = async (token: string, from: string) =>
    (await readers({ method: 'GET', path: '/metrics', authorization: `Bearer ${token}`, from }))
      ?.status ?? 200
  const guesses = Array.from({ length: 1000 }, (_, at) => ask(`guess-${at}`, '10.0.0.66'))
  expect(await ask('good', '10.0.0.9')).toBe(200)
  for (const answer of waiting) answer()
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([401, 503]))
})

test('connections of one address end no connection of another', async () => {
  const page = () => ({ status: 200, type: 'text/plain', body: 'up 1\n' })
  const pages = await servePages(0, { '/metrics': page }, { host: '127.0.0.1' })
  onTestFinished(() => pages.close())
  const agent = new Agent({ keepAlive: true, localAddress: '127.0.0.9' } as object)
  onTestFinished(() => agent.destroy())
  const scraped = async (): Promise<boolean> => {
    const asked = get({ agent, port: pages.port, host: '127.0.0.1', path: '/metrics' })
    const [response] = await once(asked, 'response')
    response.resume()
    await once(response, 'end')
    return asked.reusedSocket
  }
  await scraped()
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let made = 0; made < 300; made++) {
    const socket = connect({ port: pages.port, host: '127.0.0.1' }).on('error', () => undefined)
    sockets.push(socket)
    await once(socket, 'connect')
  }
  expect(await scraped()).toBe(true)
})
