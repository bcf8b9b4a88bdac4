// Proves which connections are reused: only those in a known state.
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Connection } from '../connection.ts'
import { writtenCredentials } from '../credentials.ts'
import { Deadline } from '../deadline.ts'
import { Fault } from '../fault.ts'
import { HttpConnections } from './httpConnections.ts'
import type { Incoming } from './incoming.ts'

const ok = 'HTTP/1.1 200 OK\r\n'
const empty = `${ok}Content-Length: 0\r\n\r\n`

/** A server that sends prepared answers and counts its connections. */
async function stand(
  answer: (socket: Socket) => void,
  keep: 'keep-alive' | 'one-each' = 'keep-alive',
) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('data', () => answer(socket)).on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const to: Connection = {
    server: new URL(`http://127.0.0.1:${port}`),
    proxy: undefined,
    trust: { ca: undefined, isChecked: true, serverName: undefined },
    credentials: writtenCredentials({}),
    headers: {},
    namespace: 'default',
  }
  const connections = new HttpConnections(to, keep)
  onTestFinished(() => {
    connections.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const ask = async (ms = 60_000): Promise<Incoming> => {
    const deadline = new Deadline('test', ms, undefined)
    onTestFinished(() => deadline.clear())
    const { connection } = await connections.take(deadline)
    return new Promise((resolve, reject) => {
      const asking = { answered: resolve, failed: reject }
      deadline.onOver(connection.ask('GET / HTTP/1.1\r\n\r\n', asking))
    })
  }
  const askWhole = async () => (await ask()).bytes(1_000)
  return { connections, sockets, ask, askWhole }
}

/** Waits until the other side has seen what was sent. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

test('sequential requests use one connection, two concurrent ones use two', async () => {
  const { sockets, askWhole } = await stand((socket) => socket.write(empty))
  await askWhole()
  await askWhole()
  expect(sockets).toHaveLength(1)
  await Promise.all([askWhole(), askWhole()])
  expect(sockets).toHaveLength(2)
})

const spoilt = [
  {
    name: 'the server announces that it closes',
    answer: `${ok}Connection: close\r\nContent-Length: 0\r\n\r\n`,
  },
  {
    name: 'the server keeps it open for a moment only',
    answer: `${ok}Keep-Alive: timeout=1, max=5\r\nContent-Length: 0\r\n\r\n`,
  },
  { name: 'there is more data than the answer', answer: `${empty}HTTP/1.1` },
]

test.each(spoilt)('not reused: $name', async ({ answer }) => {
  const { sockets, askWhole } = await stand((socket) => socket.write(answer))
  await askWhole()
  await askWhole()
  expect(sockets).toHaveLength(2)
})

test('not reused: unexpected data while idle, and a connection that the server closed', async () => {
  const { sockets, askWhole } = await stand((socket) => socket.write(empty))
  await askWhole()
  sockets[0]?.write(empty)
  await settle()
  await askWhole()
  sockets[1]?.end()
  await settle()
  await askWhole()
  expect(sockets).toHaveLength(3)
})

test('not reused: dropped idle connections, and those of streams', async () => {
  const { connections, sockets, askWhole } = await stand((socket) => socket.write(empty))
  await askWhole()
  connections.dropIdle()
  await askWhole()
  expect(sockets).toHaveLength(2)
  const streams = await stand((socket) => socket.write(empty), 'one-each')
  await streams.askWhole()
  await streams.askWhole()
  expect(streams.sockets).toHaveLength(2)
})

test('an aborted answer closes its own connection only', async () => {
  const { sockets, ask, askWhole } = await stand((socket) => {
    socket.write(sockets.length === 1 ? `${ok}Content-Length: 9\r\n\r\nhalf` : empty)
  })
  const half = await ask()
  await askWhole()
  half.drop()
  await expect(half.bytes(1_000)).rejects.toBeInstanceOf(Fault)
  await askWhole()
  expect(sockets).toHaveLength(2)
})

test('after close, requests in flight fail and new ones are refused', async () => {
  const { connections, ask } = await stand(() => undefined)
  const failure = expect(ask()).rejects.toBeInstanceOf(Fault)
  await settle()
  connections.close()
  await failure
  await expect(ask()).rejects.toBeInstanceOf(Fault)
})

test('reused: a connection whose last bytes made it wait for the reader', async () => {
  const bytes = 256 * 1024 + 1
  const long = `${ok}Content-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`
  let count = 0
  const { sockets, ask, askWhole } = await stand((socket) => {
    socket.write(count++ === 0 ? long : empty)
  })
  const answer = await ask()
  await settle()
  const pieces = await Array.fromAsync(answer.pieces())
  expect(Buffer.concat(pieces)).toHaveLength(bytes)
  await askWhole()
  expect(sockets).toHaveLength(1)
})

test('an unread stream waits in the socket', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'x')
  let sent = 0
  const { ask } = await stand((socket) => {
    socket.write(`${ok}\r\n`)
    const more = (): void => {
      while (sent < 64 && !socket.destroyed) {
        sent++
        if (!socket.write(piece)) break
      }
      if (sent === 64) socket.end()
    }
    socket.on('drain', more)
    more()
  }, 'one-each')
  const answer = await ask()
  await settle()
  expect(sent).toBeLessThan(64)
  let bytes = 0
  for await (const some of answer.pieces()) bytes += some.length
  expect(bytes).toBe(64 * piece.length)
})
