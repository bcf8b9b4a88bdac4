// What comes over the network is anything. Whatever it is: a clear refusal, and everybody else is
// served as before.
import { connect as connectTcp, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { ApiStand, ca, newPair, serverIdentity } from '../../../../test/build/apiStand.ts'

let stand: ApiStand
const start = async (...options: Parameters<typeof ApiStand.start>): Promise<ApiStand> => {
  stand = await ApiStand.start(...options)
  return stand
}
afterEach(async () => {
  expect(stand.failures).toEqual([])
  await stand.stop()
})

const maps = '/api/v1/namespaces/shop/configmaps'
const isWell = async () => expect((await stand.ask('/readyz')).text).toBe('ok')
const host = 'Host: x\r\nAuthorization: Bearer admin\r\n'
const closedWithin = (socket: Socket, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), ms)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(late)
      resolve(true)
    })
    socket.resume()
  })

test('certificate and client authority can be replaced at run time', async () => {
  const { api } = await start()
  const admin = newPair('admin', '/O=system:masters/CN=admin')
  const asked = { ...admin, token: '', agent: false as const }
  const before = await connected()
  expect((await stand.ask(maps, asked)).code).toBe(200)
  const renewed = newPair('renewed', '/CN=renewed')
  // An authority of which the client knows nothing: here the server's own certificate.
  api.present({ ...renewed, clientCa: renewed.cert })
  const after = await connected()
  expect(after.getPeerCertificate().subject.CN).toBe('renewed')
  expect(before.getPeerCertificate().subject.CN).toBe('berth')
  expect((await stand.ask(maps, asked)).code).toBe(401)
  await isWell()
  api.present(serverIdentity)
  expect((await stand.ask(maps, asked)).code).toBe(200)
  before.destroy()
  after.destroy()
})

test('a resumed session keeps its user, and ends with the authority', async () => {
  const { api } = await start()
  const admin = newPair('admin2', '/O=system:masters/CN=admin')
  const [session, first] = await sessionOf(await connected(admin))
  expect(first).toContain('HTTP/1.1 200')
  const resumed = await connected({ ...admin, session })
  expect(resumed.isSessionReused()).toBe(true)
  expect((await sessionOf(resumed))[1]).toContain('HTTP/1.1 200')
  const [bare] = await sessionOf(await connected())
  expect((await sessionOf(await connected({ session: bare })))[1]).toContain('HTTP/1.1 401')
  const { cert, key } = serverIdentity
  api.present({ cert, key, clientCa: cert })
  const late = await connected({ ...admin, session })
  expect(late.isSessionReused()).toBe(false)
  expect((await sessionOf(late))[1]).toContain('HTTP/1.1 401')
})

/** What it answers to a list, and a session to come back with. */
async function sessionOf(socket: TLSSocket): Promise<[Buffer | undefined, string]> {
  let session: Buffer | undefined
  let text = ''
  socket.on('session', (given: Buffer) => {
    session = given
  })
  socket.on('data', (chunk: Buffer) => {
    text += chunk
  })
  socket.write(`GET ${maps} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  await new Promise((resolve) => socket.on('close', resolve))
  return [session, text]
}

function connected(options: object = {}): Promise<TLSSocket> {
  const { port } = stand.api
  return new Promise((resolve, reject) => {
    const given = { host: '127.0.0.1', port, ca, ...options }
    const socket = connect(given, () => resolve(socket))
    socket.on('error', reject)
  })
}

test('TLS older than 1.2, no TLS, and another server are refused', async () => {
  await start()
  await expect(connected({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })).rejects.toThrow()
  const plain = connectTcp(stand.api.port, '127.0.0.1')
  plain.write(`GET / HTTP/1.1\r\n${host}\r\n`)
  expect(await closedWithin(plain, 3_000)).toBe(true)
  await isWell()
})

const post = (headers: string, body = '') =>
  `POST ${maps} HTTP/1.1\r\n${host}Content-Type: application/json\r\n${headers}\r\n${body}`
const inside = `GET /version HTTP/1.1\r\n${host}\r\n`

test.each([
  ['a length and chunks', post('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', inside)],
  ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', inside)],
  ['two lengths', post('Content-Length: 4\r\nContent-Length: 5\r\n', `{}  ${inside}`)],
  ['a list of lengths', post('Content-Length: 4, 5\r\n', `{}  ${inside}`)],
  ['a signed length', post('Content-Length: +4\r\n', `{}  ${inside}`)],
  ['a negative length', post('Content-Length: -4\r\n', inside)],
  ['a hexadecimal length', post('Content-Length: 0x4\r\n', `{}  ${inside}`)],
  ['chunks not last', post('Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${inside}`)],
  ['another coding', post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${inside}`)],
  ['a space before the colon', post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${inside}`)],
  ['a folded header', post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${inside}`)],
  ['a wrong chunk', post('Transfer-Encoding: chunked\r\n', `zz\r\n${inside}`)],
  ['a huge chunk', post('Transfer-Encoding: chunked\r\n', `fffffffffffffffff\r\n${inside}`)],
  ['a chunk with a bare line feed', post('Transfer-Encoding: chunked\r\n', `1\n{\n0\n\n${inside}`)],
  ['bare line feeds', `GET /version HTTP/1.1\nHost: x\nX: y\n\n${inside}`],
  ['a NUL in a header', `GET /version HTTP/1.1\r\n${host}X: a\0b\r\n\r\n${inside}`],
  ['no host', 'GET /version HTTP/1.1\r\nAuthorization: Bearer admin\r\n\r\n'],
  ['a space in the path', `GET /ver sion HTTP/1.1\r\n${host}\r\n`],
  ['another protocol', `GET /version HTTP/9.1\r\n${host}\r\n`],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['large headers', `GET /version HTTP/1.1\r\n${host}X: ${'a'.repeat(70_000)}\r\n\r\n`],
])('%s is answered with a refusal and the end of the connection', async (_, bytes) => {
  await start()
  const answer = await stand.raw(bytes)
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
  expect(answer).not.toContain('gitVersion')
  await isWell()
})

test('CONNECT and upgrades are refused', async () => {
  await start()
  expect(await stand.raw(`CONNECT x:1 HTTP/1.1\r\n${host}\r\n`)).not.toContain('200')
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n'
  const asked = `GET ${maps}?watch=1 HTTP/1.1\r\n${host}${upgrade}\r\n`
  const socket = await stand.socket()
  socket.write(asked)
  expect(await firstOf(socket)).toContain('a watch over a WebSocket is not supported')
  socket.destroy()
  await isWell()
})

test('several requests in one packet are answered in their order', async () => {
  await start()
  const last = `GET /livez HTTP/1.1\r\n${host}Connection: close\r\n\r\n`
  const answer = await stand.raw(`${inside}GET /nothing HTTP/1.1\r\n${host}\r\n${last}`)
  expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => code)).toEqual([
    '200',
    '404',
    '200',
  ])
})

test('a client that is slow with headers, body or handshake is disconnected', async () => {
  await start({ limits: { handshakeMs: 200, headersMs: 200, requestMs: 400, checkMs: 50 } })
  const silent = connectTcp(stand.api.port, '127.0.0.1')
  const slowHeaders = await stand.socket()
  slowHeaders.write(`GET /version HTTP/1.1\r\n${host}`)
  const slowBody = await stand.socket()
  slowBody.write(post('Content-Length: 10\r\n', '{'))
  const drip = setInterval(() => {
    slowHeaders.write('X: y\r\n')
    slowBody.write(' ')
  }, 100)
  const all = [silent, slowHeaders, slowBody].map((socket) => closedWithin(socket, 4_000))
  expect(await Promise.all(all)).toEqual([true, true, true])
  clearInterval(drip)
  await isWell()
})

test('an idle connection is closed', async () => {
  await start({ limits: { idleMs: 200, checkMs: 50 } })
  const socket = await stand.socket()
  socket.write(inside)
  expect(await closedWithin(socket, 5_000)).toBe(true)
})

test('beyond the limit of connections, the oldest idle one is closed', async () => {
  await start({ limits: { connections: 3 } })
  const eldest = await stand.socket()
  const two = [await stand.socket(), await stand.socket()]
  const closed = closedWithin(eldest, 5_000)
  const last = await stand.socket()
  expect(await closed).toBe(true)
  for (const socket of [...two, last]) expect(socket.destroyed).toBe(false)
  await isWell()
})

// The suite of test/security opens thousands.
test('hundreds of idle connections do not affect others', async () => {
  await start()
  const [session] = await sessionOf(await connected())
  const sockets: TLSSocket[] = []
  for (let batch = 0; batch < 4; batch += 1) {
    const some = Array.from({ length: 50 }, () => connected({ session }))
    sockets.push(...(await Promise.all(some)))
  }
  await isWell()
  for (const socket of sockets) socket.destroy()
})

const limitIs = 'Request entity too large: limit is 3145728'

test('a body of 100 MB is refused by its length, without being read', async () => {
  await start()
  const socket = await stand.socket()
  const answer = firstOf(socket)
  socket.write(post(`Content-Length: ${100 * 1024 * 1024}\r\n`, '{"a":"'))
  expect(await answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(await closedWithin(socket, 5_000)).toBe(true)
  await isWell()
})

test('a body without a length is refused once it exceeds the limit', async () => {
  await start()
  const socket = await stand.socket()
  let sent = 0
  let answer = ''
  socket.on('data', (chunk: Buffer) => {
    answer += chunk
  })
  socket.write(post('Transfer-Encoding: chunked\r\n'))
  const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`
  while (answer === '' && sent < 100 * 1024 * 1024) {
    if (!socket.write(chunk)) await new Promise((resolve) => socket.once('drain', resolve))
    sent += 0x10000
  }
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toContain(limitIs)
  expect(sent).toBeLessThan(40 * 1024 * 1024)
  expect(await closedWithin(socket, 5_000)).toBe(true)
  await isWell()
})

test('a client that expects 100-continue is told of the limit instead', async () => {
  await start()
  const asked = post(`Content-Length: ${4 * 1024 * 1024}\r\nExpect: 100-continue\r\n`)
  const answer = await stand.raw(asked)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toContain(limitIs)
})

test('a client that expects 100-continue may continue within the limit', async () => {
  await start()
  const socket = await stand.socket()
  let answer = ''
  socket.on('data', (chunk: Buffer) => {
    answer += chunk
    if (answer.endsWith('100 Continue\r\n\r\n')) socket.write('nope')
  })
  const headers = 'Content-Length: 4\r\nExpect: 100-continue\r\nConnection: close\r\n'
  socket.write(post(headers))
  expect(await closedWithin(socket, 5_000)).toBe(true)
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
})

test.each([
  ['objects', '{"a":', '1', '}'],
  ['lists', '[', '', ']'],
])(
  '%s inside each other are refused at 201 levels, and at a million',
  async (_, open, mid, end) => {
    await start()
    for (const levels of [201, 12_000, 400_000]) {
      const body = `${open.repeat(levels)}${mid}${end.repeat(levels)}`
      const { code, json } = await stand.ask(maps, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      })
      expect(code).toBe(400)
      expect(json.message).toContain('exceeded max depth of 200')
    }
    await isWell()
  },
)

test('no bytes end the process', { timeout: 60_000 }, async () => {
  await start({ limits: { headersMs: 200, requestMs: 300, checkMs: 50 } })
  const line = fc.constantFrom(
    `GET ${maps}?watch=1&timeoutSeconds=1 HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
    `PUT ${maps}/%ff%fe HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\n{}`,
    `DELETE ${maps}/x?gracePeriodSeconds=%zz HTTP/1.1\r\n${host}\r\n`,
    `PATCH //..//%2e%2e/ HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`,
    `GET /apis/a/b/c/d/e/f/g/h HTTP/1.1\r\n${host}Accept: ;;;,,=;q=x\r\n\r\n`,
    `GET /api/v1/pods?limit=1&continue=%00 HTTP/1.1\r\n${host}Impersonate-Extra-%: x\r\n\r\n`,
    `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
  )
  const noise = fc
    .uint8Array({ maxLength: 200 })
    .map((bytes) => Buffer.from(bytes).toString('latin1'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(line, noise), { maxLength: 4 }), async (parts) => {
      const socket = await stand.socket()
      socket.on('error', () => undefined)
      socket.write(parts.join(''), 'latin1')
      await sleep(5)
      socket.destroy()
    }),
    { numRuns: 100 },
  )
  await isWell()
})

test('close ends watches as complete answers', async () => {
  await start()
  const watch = stand.ask(`${maps}?watch=1`)
  await sleep(200)
  await stand.api.close()
  expect(await watch).toMatchObject({ code: 200, text: '' })
})

test('close does not wait for connections without a request', async () => {
  await start({ limits: { closeMs: 200 } })
  const sockets = [connectTcp(stand.api.port, '127.0.0.1'), await stand.socket()]
  const closed = sockets.map((socket) => closedWithin(socket, 2_000))
  const began = performance.now()
  await stand.api.close()
  expect(performance.now() - began).toBeLessThan(1_500)
  expect(await Promise.all(closed)).toEqual([true, true])
})

test('a large request waits until a large answer before it has been sent', async () => {
  await start({ isWhole: true })
  const text = JSON.stringify({ metadata: { name: 'large' }, data: { x: 'x'.repeat(900_000) } })
  const large = { metadata: { name: 'm', namespace: 'default' }, data: { x: text } }
  await stand.put('configmaps', large)
  const path = '/api/v1/namespaces/default/configmaps'
  const socket = await stand.socket()
  const list = `GET ${path} HTTP/1.1\r\n${host}\r\n`
  const headers = `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n`
  const create = `POST ${path} HTTP/1.1\r\n${host}${headers}Connection: close\r\n\r\n${text}`
  // More than what the kernel keeps, so that it is not out before the next comes in.
  socket.write(list.repeat(8))
  await sleep(300)
  socket.write(create)
  await sleep(300)
  const chunks = await Array.fromAsync(socket)
  const codes = Buffer.concat(chunks)
    .toString()
    .matchAll(/HTTP\/1\.1 (\d+)/g)
  expect([...codes].map(([, code]) => code)).toEqual([...Array(8).fill('200'), '201'])
})

const firstOf = (socket: TLSSocket): Promise<string> =>
  new Promise((resolve) => socket.once('data', (chunk: Buffer) => resolve(String(chunk))))
