// Connections that never finish their request. The attacker can reach the port of the metrics, or that
// of the embedded API, and has no credentials. Afterwards: others are answered.
// Before: nobody else was answered.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { servePages } from '../../src/edge/kube/serve/pages.ts'
import { ApiStand } from '../build/apiStand.ts'

async function opened(port: number, count: number, said: string): Promise<void> {
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (let made = 0; made < count; made++) {
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined)
    sockets.push(socket)
    await once(socket, 'connect').catch(() => undefined)
    socket.write(said)
  }
}

test('half requests do not keep Prometheus and the probes out', async () => {
  const page = () => ({ status: 200, type: 'text/plain', body: 'up 1\n' })
  const pages = await servePages(0, { '/metrics': page }, { host: '127.0.0.1' })
  onTestFinished(() => pages.close())
  await opened(pages.port, 1000, 'GET /metrics HTTP/1.1\r\nHost: x\r\nA: ')
  const answer = await fetch(`http://127.0.0.1:${pages.port}/metrics`)
  expect(await answer.text()).toBe('up 1\n')
})

test('silent connections do not keep clients of the embedded API out, nor end a watch', async () => {
  const stand = await ApiStand.start({ limits: { connections: 100 } })
  onTestFinished(() => stand.stop())
  const watching = await stand.socket()
  const head = 'Host: x\r\nAuthorization: Bearer admin\r\n'
  watching.write(`GET /api/v1/pods?watch=true HTTP/1.1\r\n${head}\r\n`)
  await once(watching, 'data')
  const idle = await stand.socket()
  idle.write(`GET /api/v1/pods HTTP/1.1\r\n${head}\r\n`)
  await once(idle, 'data')
  await opened(stand.api.port, 300, '')
  expect((await stand.ask('/api/v1/pods')).code).toBe(200)
  // Nor is a connection closed on which somebody is about to ask again.
  for (const socket of [watching, idle]) expect(socket.destroyed).toBe(false)
})
