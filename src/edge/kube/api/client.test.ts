import { createServer } from 'node:net'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type RawServer,
  rawServer,
  type Script,
  sendJson,
  sendRaw,
} from '../../../../test/build/rawServer.ts'
import { arePieces } from './answer.ts'
import { type Api, type ApiOptions, newApi } from './client.ts'
import type { Connection } from './connection.ts'
import { writtenCredentials } from './credentials.ts'
import { ApiError, Fault, Silence } from './fault.ts'

const path = '/api/v1/services'
const get = { method: 'GET', path } as const

const connectionTo = (server: URL): Connection => ({
  server,
  proxy: undefined,
  trust: { ca: undefined, isChecked: true, serverName: undefined },
  credentials: writtenCredentials({ token: { text: 'secret' } }),
  headers: {},
  namespace: 'default',
})

async function apiOn(script: Script, options?: ApiOptions): Promise<Api & { server: RawServer }> {
  const server = await rawServer(script)
  const api = newApi(connectionTo(server.url), options)
  onTestFinished(() => api.close())
  return { ...api, server }
}

const failureOf = async (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    (value) => new Error(`was accepted: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )

const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

describe('a malformed answer never ends the process: it is a Fault', () => {
  const cases: { name: string; bytes: string; says: RegExp }[] = [
    { name: 'nothing', bytes: '', says: /: GET \S+: the connection was closed before the answer/ },
    { name: 'not HTTP', bytes: 'SSH-2.0-OpenSSH_9.2\r\n', says: /not HTTP: "SSH-2.0/ },
    { name: 'a truncated head', bytes: 'HTTP/1.1 200 OK\r\nConte', says: /closed before/ },
    {
      name: 'a truncated body',
      bytes: `${head}Content-Length: 100\r\n\r\n{"kind":`,
      says: /truncated/,
    },
    {
      name: 'truncated chunks',
      bytes: `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"kin`,
      says: /truncated/,
    },
    {
      name: 'malformed chunks',
      bytes: `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
      says: /malformed chunks/,
    },
    { name: 'not JSON', bytes: `${head}Content-Length: 4\r\n\r\n{a:}`, says: /not JSON/ },
    { name: 'an empty body', bytes: `${head}Content-Length: 0\r\n\r\n`, says: /not JSON/ },
    {
      name: 'another content type',
      bytes: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\n{}',
      says: /text\/html, not application\/json/,
    },
    {
      name: 'no content type',
      bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
      says: /nothing, not application\/json/,
    },
    {
      name: 'a compressed body',
      bytes: `${head}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`,
      says: /encoded \(gzip\)/,
    },
    {
      name: 'endless headers',
      bytes: `${head}X: ${'x'.repeat(20_000)}`,
      says: /headers longer/,
    },
  ]

  test.for(cases)('$name', async ({ bytes, says }) => {
    const api = await apiOn((_, response) => sendRaw(response, bytes))
    const call = await failureOf(api.call(get))
    expect(call).toBeInstanceOf(Fault)
    expect(call).not.toBeInstanceOf(ApiError)
    expect(String(call)).toMatch(says)
    if (bytes.includes('application/json\r\n') && !says.test('not JSON')) {
      expect(await failureOf(Array.fromAsync(api.stream(get)))).toBeInstanceOf(Fault)
    }
  })

  test('any bytes', async () => {
    let bytes = new Uint8Array()
    const api = await apiOn((_, response) => sendRaw(response, bytes))
    const beginnings = ['', head, `${head}\r\n`, 'HTTP/1.1 ']
    const any = fc.tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 200 }))
    await fc.assert(
      fc.asyncProperty(any, async ([beginning, rest]) => {
        bytes = Buffer.concat([Buffer.from(beginning), rest])
        for (const ask of [() => api.call(get), () => Array.fromAsync(api.stream(get))]) {
          const outcome = await ask().catch((error: unknown) => error)
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(Fault)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('an endless body', async () => {
    const api = await apiOn((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const piece = Buffer.alloc(1024 * 1024, ' ')
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', more)
      more()
    })
    expect(String(await failureOf(api.call(get)))).toMatch(/longer than 67108864 bytes/)
  })

  test('no server, and a server without TLS', async () => {
    const server = createServer((socket) => socket.resume().end('hello\r\n'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const plain = newApi(connectionTo(new URL(`https://127.0.0.1:${port}`)))
    expect(await failureOf(plain.call(get))).toBeInstanceOf(Fault)
    await new Promise((resolve) => server.close(resolve))
    const refused = await failureOf(plain.call(get))
    expect(refused).toBeInstanceOf(Fault)
    expect(String(refused)).toContain(
      `cannot reach https://127.0.0.1:${port}: connect ECONNREFUSED`,
    )
  })
})

test('an invalid certificate is a Fault', async () => {
  const [cert, key] = [{ text: 'no certificate' }, { text: 'no key' }]
  const connection = connectionTo(new URL('https://127.0.0.1:1'))
  const api = newApi({ ...connection, credentials: writtenCredentials({ cert, key }) })
  const fault = await failureOf(api.call(get))
  expect(fault).toBeInstanceOf(Fault)
  expect(String(fault)).toContain('cannot reach https://127.0.0.1:1: ')
  expect(String(fault)).not.toContain('ECONNREFUSED')
})

describe('a refusal is an ApiError', () => {
  const status = { kind: 'Status', reason: 'TooManyRequests', message: 'slow down', code: 429 }
  const cases = [
    { name: 'seconds in the header', header: '7', details: {}, retryAfterMs: 7000 },
    { name: 'seconds in the Status', details: { retryAfterSeconds: 3 }, retryAfterMs: 3000 },
    { name: 'both', header: '7', details: { retryAfterSeconds: 3 }, retryAfterMs: 7000 },
    {
      name: 'a date',
      header: 'Wed, 21 Oct 2026 07:28:00 GMT',
      details: {},
      retryAfterMs: undefined,
    },
    { name: 'neither', details: {}, retryAfterMs: undefined },
  ]

  test.for(cases)('Retry-After: $name', async ({ header, details, retryAfterMs }) => {
    const api = await apiOn((_, response) => {
      if (header !== undefined) response.setHeader('Retry-After', header)
      sendJson(response, { ...status, details }, 429)
    })
    const refused = await failureOf(api.call(get))
    expect(refused).toBeInstanceOf(ApiError)
    expect(refused).toMatchObject({ code: 429, reason: 'TooManyRequests', retryAfterMs })
    expect(String(refused)).toBe('ApiError: GET /api/v1/services: 429 slow down')
  })

  test("the message shows the beginning of a proxy's page", async () => {
    const page = `<html>\n<h1>Bad  Gateway</h1>${'x'.repeat(5000)}</html>`
    const api = await apiOn((_, response) => {
      response.writeHead(502, { 'Content-Type': 'text/html' })
      response.end(page)
    })
    for (const ask of [() => api.call(get), () => Array.fromAsync(api.stream(get))]) {
      const refused = await failureOf(ask())
      expect(refused).toMatchObject({ code: 502, reason: '' })
      expect(String(refused)).toMatch(/502 <html> <h1>Bad Gateway<\/h1>x+$/)
      expect(String(refused).length).toBeLessThan(300)
    }
  })

  test('redirects are not followed', async () => {
    const api = await apiOn((_, response) => {
      response.writeHead(302, { Location: 'https://example.com/' }).end()
    })
    expect(await failureOf(api.call(get))).toMatchObject({ code: 302 })
  })
})

describe('time limits', () => {
  test('a server that does not answer, or not completely, times out', async () => {
    const api = await apiOn((_, response, count) => {
      if (count > 0) response.writeHead(200, { 'Content-Type': 'application/json' }).write('{')
    })
    for (const _ of ['no head', 'no end']) {
      const fault = await failureOf(api.call({ ...get, timeoutMs: 50 }))
      expect(String(fault)).toBe('Fault: GET /api/v1/services: no answer within 50 ms')
    }
  })

  test('a silent stream times out, a slowly read one does not', async () => {
    const api = await apiOn((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('"a"\n"b"\n')
    })
    const lines = api.stream({ ...get, timeoutMs: 100 })
    expect(await lines.next()).toMatchObject({ value: '"a"' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await lines.next()).toMatchObject({ value: '"b"' })
    const silence = await failureOf(lines.next())
    expect(silence).toBeInstanceOf(Silence)
    expect(String(silence)).toContain('no data from the server for 100 ms')
  })

  test('pieces that stop coming are a Fault, slowly read ones are not', async () => {
    const api = await apiOn((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('[1')
      setTimeout(() => response.write(',2'), 50)
    })
    const pieces = await api.call({ ...get, timeoutMs: 200, answer: 'pieces' })
    if (!arePieces(pieces)) throw new Error('no pieces')
    const read: string[] = []
    const reading = (async () => {
      for await (const piece of pieces) {
        read.push(piece.toString())
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
    })()
    const fault = await failureOf(reading)
    expect(fault).not.toBeInstanceOf(Silence)
    expect(String(fault)).toBe('Fault: GET /api/v1/services: no data from the server for 200 ms')
    expect(read).toEqual(['[1', ',2'])
  })

  test('pieces end when the caller aborts, or does not begin to read', async () => {
    const api = await apiOn((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('[1')
    })
    const over = new AbortController()
    const { signal } = over
    const aborted = await api.call({ ...get, signal, answer: 'pieces' })
    const unread = await api.call({ ...get, timeoutMs: 50, answer: 'pieces' })
    if (!arePieces(aborted) || !arePieces(unread)) throw new Error('no pieces')
    setTimeout(() => over.abort(), 100)
    expect(String(await failureOf(Array.fromAsync(aborted)))).toContain('aborted')
    expect(String(await failureOf(Array.fromAsync(unread)))).toContain('no answer within 50 ms')
  })

  test('an abort takes effect in flight, in a stream, in the queue and before', async () => {
    const api = await apiOn(({ method }, response) => {
      if (method === 'GET')
        response.writeHead(200, { 'Content-Type': 'application/json' }).write(' ')
    })
    const over = new AbortController()
    const { signal } = over
    const calls = Array.from({ length: 40 }, () => api.call({ ...get, signal }))
    const stream = Array.fromAsync(api.stream({ ...get, signal }))
    const outcomes = Promise.all([...calls, stream].map(failureOf))
    setTimeout(() => over.abort(), 50)
    for (const outcome of await outcomes) {
      expect(outcome).toBeInstanceOf(Fault)
      expect(String(outcome)).toContain('aborted')
    }
    expect(api.server.asked.length).toBeLessThanOrEqual(35)
    expect(String(await failureOf(api.call({ ...get, signal })))).toContain('aborted')
  })
})

test('if all connections went silent, one call finds out', async () => {
  let isSilent = false
  const silenced = new Set<object>()
  const { call } = await apiOn((_, response) => {
    if (!isSilent) sendJson(response, {})
    else if (response.socket !== null && silenced.has(response.socket)) return
    else sendJson(response, { kind: 'Fresh' })
    if (response.socket !== null) silenced.add(response.socket)
  })
  await Promise.all(Array.from({ length: 8 }, () => call(get)))
  isSilent = true
  await expect(call({ ...get, timeoutMs: 200 })).rejects.toBeInstanceOf(Fault)
  expect(await call({ ...get, timeoutMs: 5_000 })).toEqual({ kind: 'Fresh' })
})

test('an endless stream that is not JSON leaves no connection open', async () => {
  const closed: Promise<unknown>[] = []
  const { stream } = await apiOn((_, response) => {
    closed.push(new Promise((resolve) => response.on('close', resolve)))
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.write('<html>')
  })
  await expect(stream(get).next()).rejects.toThrow('text/html')
  await Promise.all(closed)
  expect(closed).toHaveLength(1)
})

describe('requests', () => {
  test('headers, path, query and body', async () => {
    const seen: unknown[] = []
    const server = await rawServer((_, response) => {
      const { headers } = response.req
      seen.push(headers['authorization'], headers['content-type'], headers['user-agent'])
      sendJson(response, {})
    })
    const api = newApi(connectionTo(server.url), { userAgent: 'berth/1' })
    onTestFinished(() => api.close())
    const query = { fieldManager: 'a b', dryRun: 'All' }
    await api.call({ method: 'PATCH', path, query, body: {}, contentType: 'application/x' })
    expect(seen).toEqual(['Bearer secret', 'application/x', 'berth/1'])
    expect(server.asked[0]?.path).toBe(path)
    expect(Object.fromEntries(server.asked[0]?.query ?? [])).toEqual(query)
  })

  test('warnings are passed on', async () => {
    const warnings: string[] = []
    const onWarning = (text: string) => warnings.push(text)
    const api = await apiOn(
      (_, response) => {
        response.setHeader('Warning', ['299 - "a \\"b\\" \\\\"', '199 - "not ours"', '299 broken'])
        sendJson(response, {})
      },
      { onWarning },
    )
    await api.call(get)
    expect(warnings).toEqual(['a "b" \\'])
  })

  test('a truncated answer is not retried', async () => {
    const api = await apiOn((_, response, count) => {
      if (count === 0) return sendJson(response, {})
      sendRaw(response, `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n`)
    })
    await api.call(get)
    expect(await failureOf(api.call(get))).toBeInstanceOf(Fault)
    expect(api.server.asked).toHaveLength(2)
  })

  test('on a connection closed while idle, a read is retried and a write is not', async () => {
    const api = await apiOn((_, response, count) => {
      if (count % 2 === 1) return sendRaw(response, '')
      sendJson(response, {})
    })
    await api.call(get)
    expect(await api.call(get)).toEqual({})
    expect(api.server.asked).toHaveLength(3)
    const write = await failureOf(api.call({ method: 'POST', path, body: {} }))
    expect(write).toBeInstanceOf(Fault)
    expect(api.server.asked).toHaveLength(4)
  })
})
