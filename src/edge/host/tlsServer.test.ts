import { once } from 'node:events'
import { type RequestOptions, request } from 'node:https'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { newCertificate } from './certificate.ts'
import { startTlsServer, type TlsServer } from './tlsServer.ts'

const names = ['127.0.0.1']
const span = { from: new Date(Date.now() - 1000), until: new Date(Date.now() + 3_600_000) }
const [first, second] = [
  await newCertificate({ names, ...span }),
  await newCertificate({ names, ...span }),
]

const failures: unknown[] = []
const routes = new Map([
  ['/echo', (body: Buffer) => ({ status: 200, json: JSON.parse(body.toString()) as unknown })],
  [
    '/broken',
    (): never => {
      throw new Error('an internal error')
    },
  ],
])
let server: TlsServer
const start = async (maxBytes = 1000) => {
  failures.length = 0
  const failed = (error: unknown) => failures.push(error)
  const parts = { port: 0, host: '127.0.0.1', maxBytes, routes, failed, closeMs: 1_500 }
  server = await startTlsServer(parts)
}
afterEach(() => server.close())

type Answer = { readonly status: number; readonly json: unknown }

function ask(body: string, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = server
    const given = { host: '127.0.0.1', port, method: 'POST', path: '/echo', ca: first.ca }
    const asked = request({ ...given, agent: false, ...options }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) as unknown })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

test('a JSON request is answered', async () => {
  await start()
  server.present(first)
  expect(await ask('{"a":1}')).toEqual({ status: 200, json: { a: 1 } })
})

const odd: readonly [string, string, RequestOptions, number][] = [
  ['another path', '{}', { path: '/other' }, 404],
  ['another method', '', { method: 'GET' }, 405],
  ['a large body', `"${'x'.repeat(2000)}"`, {}, 413],
  ['a large chunked body', 'x'.repeat(2000), { headers: { 'Transfer-Encoding': 'chunked' } }, 413],
  ['an internal error', '{}', { path: '/broken' }, 500],
]
test.each(odd)(
  '%s is refused and the next request is answered',
  async (_, body, options, status) => {
    await start()
    server.present(first)
    expect(await ask(body, options)).toMatchObject({ status })
    expect(failures).toHaveLength(status === 500 ? 1 : 0)
    expect(await ask('7')).toEqual({ status: 200, json: 7 })
  },
)

test('connections fail without a certificate; a new one applies from then on', async () => {
  await start()
  await expect(ask('1')).rejects.toThrow()
  server.present(first)
  expect(await ask('1')).toMatchObject({ status: 200 })
  server.present(second)
  await expect(ask('1')).rejects.toThrow('certificate')
  expect(await ask('1', { ca: first.ca + second.ca })).toMatchObject({ status: 200 })
})

test('plain text or an aborted request does no harm', async () => {
  await start()
  server.present(first)
  const { port } = server
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end('GET / HTTP/1.1\r\n\r\n'))
    socket.resume().on('close', () => resolve())
  })
  const cut = request({ host: '127.0.0.1', port, method: 'POST', path: '/echo', ca: first.ca })
  cut.on('error', () => undefined).setHeader('Content-Length', 100)
  await new Promise<void>((resolve) => cut.write('{', () => resolve()))
  cut.destroy()
  expect(await ask('7')).toEqual({ status: 200, json: 7 })
  expect(failures).toEqual([])
})

test('a large request right behind a large answer waits until that is sent', async () => {
  await start(2_000_000)
  server.present(first)
  const body = JSON.stringify('x'.repeat(1_000_000))
  const head = `POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n`
  const socket = await secured()
  // More than the kernel buffers, so that it is not sent before the next request arrives.
  socket.write(`${head}\r\n${body}`.repeat(8))
  await sleep(300)
  socket.write(`${head}Connection: close\r\n\r\n${body}`)
  await sleep(300)
  const answers = Buffer.concat(await Array.fromAsync(socket)).toString()
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(9)
})

test('close waits for requests in progress and for nothing else', async () => {
  await start(1000)
  server.present(first)
  // One has not started TLS, one has sent nothing, one has its answer, one waits for its answer.
  const silent = connect(server.port, '127.0.0.1')
  const [idle, answered, asking] = [await secured(), await secured(), await secured()]
  const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n'
  answered.write(`${head}1`)
  await once(answered, 'data')
  asking.write(head)
  await sleep(100)
  const closing = server.close()
  const all = [silent, idle, answered].map((socket) => once(socket.resume(), 'close'))
  asking.write('2')
  expect(Buffer.concat(await Array.fromAsync(asking)).toString()).toMatch(/^HTTP\/1\.1 200 /)
  await Promise.all([closing, ...all])
})

const secured = async (): Promise<TLSSocket> => {
  const socket = connectTls({ port: server.port, host: '127.0.0.1', ca: first.ca })
  await once(socket, 'secureConnect')
  return socket
}

test('starting on a port in use rejects', async () => {
  await start()
  const { port } = server
  const again = { port, host: '127.0.0.1', maxBytes: 1, routes, failed: () => undefined }
  await expect(startTlsServer(again)).rejects.toThrow('EADDRINUSE')
})
