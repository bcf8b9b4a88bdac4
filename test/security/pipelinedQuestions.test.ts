// Thousands of questions in one piece, none of them waiting for the answer to the last. The attacker can
// reach the webhook's port, and has no credentials. Afterwards: the connection is closed, after at most
// eight of them were looked at, and others are answered.
// Before: each was kept until its turn came, and one connection ended the controller, out of memory.
import { request } from 'node:https'
import { connect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { newCertificate } from '../../src/edge/host/certificate.ts'
import { startTlsServer } from '../../src/edge/host/tlsServer.ts'

const hourMs = 3_600_000
const span = { from: new Date(Date.now() - hourMs), until: new Date(Date.now() + hourMs) }
const question = 'POST /validate HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'

async function start() {
  const certificate = await newCertificate({ names: ['127.0.0.1'], ...span })
  const failures: unknown[] = []
  let looked = 0
  const validate = () => {
    looked += 1
    return { status: 200, json: looked }
  }
  const server = await startTlsServer({
    ...{ port: 0, host: '127.0.0.1', maxBytes: 1_000, closeMs: 100 },
    failed: (error) => failures.push(error),
    routes: new Map([['/validate', validate]]),
  })
  server.present(certificate)
  onTestFinished(() => server.close())
  return { port: server.port, ca: certificate.ca, looked: () => looked, failures }
}

/** What comes back until the connection is closed, or so many answers are there. */
async function answersTo(at: { port: number; ca: string }, count: number): Promise<number> {
  const socket = connect({ ...at, host: '127.0.0.1' }).on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.write(question.repeat(count))
  let text = ''
  const answers = () => text.split('HTTP/1.1 200').length - 1
  await new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
    socket.on('data', (chunk) => {
      text += chunk.toString()
      if (answers() === count) resolve()
    })
  })
  return answers()
}

test('a connection that sends thousands at once is closed, and others are answered', async () => {
  const { looked, failures, ...at } = await start()
  expect(await answersTo(at, 5_000)).toBeLessThanOrEqual(8)
  expect(looked()).toBeLessThanOrEqual(8)
  const status = await new Promise((resolve, reject) => {
    const given = { ...at, host: '127.0.0.1', path: '/validate', method: 'POST', agent: false }
    const asking = request(given, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    asking.on('error', reject).end('{}')
  })
  expect(status).toBe(200)
  expect(failures).toEqual([])
})

test('a few behind each other are all answered', async () => {
  const { port, ca } = await start()
  expect(await answersTo({ port, ca }, 8)).toBe(8)
})
