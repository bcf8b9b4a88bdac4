// Questions that are long, and many, from one place. The attacker can reach the webhook's port, and has no
// credentials. Afterwards: the API server's question is answered after at most one of theirs, and what was
// never sent to its end gives way.
// Before: 23 unfinished bodies had all others answered 503, and all questions of one address were answered
// before the next of another, which took longer than the API server waits: nothing was checked any more.
import { once } from 'node:events'
import { request } from 'node:https'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { newCertificate } from '../../src/edge/host/certificate.ts'
import { EventLoopQueue } from '../../src/edge/host/eventLoopQueue.ts'
import { startTlsServer } from '../../src/edge/host/tlsServer.ts'

const hourMs = 3_600_000
const span = { from: new Date(Date.now() - hourMs), until: new Date(Date.now() + hourMs) }
const [maxBytes, connections] = [3_000_000, 26]

/** All but the last octet; answers once the server has taken it, or has closed the connection. */
async function sendsMost(port: number, ca: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  const secure = connectTls({ socket, ca, host: '127.0.0.1' }).on('error', () => undefined)
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  const over = once(secure, 'close')
  secure.write(`POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: ${maxBytes}\r\n\r\n`)
  const sent = new Promise<void>((resolve) => {
    secure.write(Buffer.alloc(maxBytes - 1, ' '), () => resolve())
  })
  await Promise.race([sent, over])
}

test('bodies that never end do not have others turned away', async () => {
  const certificate = await newCertificate({ names: ['127.0.0.1'], ...span })
  const { ca } = certificate
  const server = await startTlsServer({
    ...{ port: 0, host: '0.0.0.0', maxBytes, closeMs: 100, failed: () => undefined },
    routes: new Map([['/echo', () => ({ status: 200, json: 1 })]]),
  })
  server.present(certificate)
  onTestFinished(() => server.close())
  const { port } = server
  await Promise.all(Array.from({ length: connections }, () => sendsMost(port, ca)))
  const status = await new Promise((resolve, reject) => {
    const at = { host: '127.0.0.1', port, path: '/echo', method: 'POST', ca, agent: false } as const
    const asking = request(at, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    asking.on('error', reject).end('1')
  })
  expect(status).toBe(200)
})

test('one of another source comes next, however many of the first wait', async () => {
  const queue = new EventLoopQueue()
  const seen: string[] = []
  const begun = (source: string) => queue.next(source).then(() => seen.push(source))
  const many = Array.from({ length: 64 }, () => begun('attacker'))
  await Promise.all([...many, begun('api server'), begun('api server')])
  expect(seen.indexOf('api server')).toBe(1)
  expect(seen.lastIndexOf('api server')).toBe(3)
  expect(seen).toHaveLength(66)
})
