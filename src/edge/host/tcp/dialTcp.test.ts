import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Ip } from '../../../core/net/ip.ts'
import { libc } from '../packet/libc.ts'
import { dialTcp, type TcpConnection, type TcpTarget } from './dialTcp.ts'
import { socketAddress } from './socketAddress.ts'

let server: Server | undefined
afterEach(() => {
  server?.close()
})

async function listening(hear: (socket: Socket) => void): Promise<number> {
  server = createServer(hear)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const loopback = '127.0.0.1' as Ip

/** What happened, in order, until the end or `isOver`. */
function dialled(target: Partial<TcpTarget>, isOver: (seen: readonly string[]) => boolean) {
  const seen: string[] = []
  let connection: TcpConnection | undefined
  const all = { address: loopback, port: 1, source: undefined, ttl: 1, device: '', key: undefined }
  return new Promise<{ seen: readonly string[]; connection: TcpConnection }>((resolve) => {
    const note = (text: string): void => {
      seen.push(text)
      if (connection !== undefined && isOver(seen)) resolve({ seen, connection })
    }
    connection = dialTcp(
      { ...all, ...target },
      {
        connected: (local) => note(`connected ${local}`),
        received: (bytes) => note(`received ${Buffer.from(bytes)}`),
        drained: () => note('drained'),
        ended: (why) => note(`ended ${why}`),
      },
    )
  })
}

test('bytes go both ways, from the source that was asked for', async () => {
  const port = await listening((socket) => socket.write(`hello ${socket.remoteAddress}`))
  const source = '127.0.0.7' as Ip
  const { seen, connection } = await dialled({ port, source }, (all) => all.length === 2)
  expect(seen).toEqual(['connected 127.0.0.7', 'received hello 127.0.0.7'])
  connection.destroy()
})

test.each([
  { what: 'nobody listens', target: { port: 1 }, why: 'ended ECONNREFUSED' },
  {
    what: 'the source is not ours',
    target: { port: 1, source: '192.0.2.1' as Ip },
    why: 'ended bind: EADDRNOTAVAIL',
  },
  {
    what: 'there is no such device',
    target: { port: 1, device: 'no-such-vrf' },
    why: 'ended device no-such-vrf: ENODEV. The interface is gone.',
  },
])('$what: $why', async ({ target, why }) => {
  const { seen } = await dialled(target, () => true)
  expect(seen).toEqual([why])
})

test('what was written last arrives before the connection ends', async () => {
  const heard: Buffer[] = []
  const ended = new Promise<void>((resolve) => {
    void listening((socket) => {
      // It sends all the time: a careless close would reset the connection.
      socket.write('x'.repeat(100_000))
      socket.on('data', (bytes) => heard.push(bytes))
      socket.on('end', () => {
        socket.end()
        resolve()
      })
    }).then(async (port) => {
      const { connection } = await dialled({ port }, () => true)
      connection.write(Buffer.from('goodbye'))
      await connection.hangUp()
    })
  })
  await ended
  expect(Buffer.concat(heard).toString()).toBe('goodbye')
})

/** The kernel has a key for whoever dials the server from here. */
function sign(holder: object, key: string): boolean {
  const { fd } = (holder as { readonly _handle: { readonly fd: number } })._handle
  const bytes = Buffer.alloc(216)
  bytes.set(socketAddress(loopback, 0))
  bytes.writeUInt16LE(key.length, 130)
  bytes.write(key, 136)
  return libc().setsockopt(fd, 6, 14, bytes, bytes.length) === 0
}

test('[R8.9] a new key is used on a connection that is there', async () => {
  const heard: string[] = []
  const sockets: Socket[] = []
  const port = await listening((socket) => {
    sockets.push(socket)
    socket.on('data', (bytes) => heard.push(String(bytes)))
    socket.on('error', () => undefined)
  })
  // Not every kernel has signatures.
  if (server === undefined || !sign(server, 'old')) return
  const { connection } = await dialled({ port, key: Buffer.from('old') }, () => true)
  connection.write(Buffer.from('one'))
  await expect.poll(() => heard.join()).toBe('one')
  expect(connection.rekey(Buffer.from('new'))).toBe('')
  // Unheard until the other side follows.
  connection.write(Buffer.from('two'))
  expect(sockets.map((socket) => sign(socket, 'new'))).toEqual([true])
  await expect.poll(() => heard.join(''), { timeout: 10_000 }).toBe('onetwo')
  connection.destroy()
  expect(connection.rekey(Buffer.from('newer'))).toBe('it is closed')
  for (const socket of sockets) socket.destroy()
})

test('who closes is told about once', async () => {
  const port = await listening((socket) => socket.end())
  const { seen } = await dialled({ port }, (all) => all.some((one) => one.startsWith('ended')))
  expect(seen).toEqual(['connected 127.0.0.1', 'ended the peer closed the connection'])
})
