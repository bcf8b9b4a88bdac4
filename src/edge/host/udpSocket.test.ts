import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { type Ip, parseIp } from '../../core/net/ip.ts'
import { openUdp, type UdpEndpoint } from './udpSocket.ts'

function ip(text: string): Ip {
  const address = parseIp(text)
  if (!address.ok) throw new Error(address.why)
  return address.value
}

async function opened(address: Ip, port = 0) {
  const heard: { text: string; from: UdpEndpoint }[] = []
  const failures: string[] = []
  const socket = await openUdp({
    bind: { address, port },
    received: (bytes, from) => heard.push({ text: new TextDecoder().decode(bytes), from }),
    failed: (why) => failures.push(why),
    reopenMs: 5,
  })
  return { socket, heard, failures }
}

test.each(['127.0.0.1', '::1'])('datagrams are sent and received on %s', async (text) => {
  const [a, b] = [await opened(ip(text)), await opened(ip(text))]
  const to = { address: ip(text), port: b.socket.port ?? 0 }
  a.socket.send(new TextEncoder().encode('hello'), to)
  await vi.waitFor(() => expect(b.heard).toHaveLength(1))
  expect(b.heard).toEqual([
    { text: 'hello', from: { address: ip(text), port: a.socket.port ?? 0 } },
  ])
  await Promise.all([a.socket.close(), b.socket.close()])
})

test('a port in use is retried, and the reason reported once', async () => {
  const holder = createSocket('udp4').bind(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address()
  const { socket, failures } = await opened(ip('127.0.0.1'), port)
  expect(socket.port).toBeUndefined()
  socket.send(new Uint8Array([1]), { address: ip('127.0.0.1'), port })
  holder.close()
  await vi.waitFor(() => expect(socket.port).toBe(port))
  expect(failures).toHaveLength(1)
  await socket.close()
})

test('an unreachable address loses that message only', async () => {
  const { socket, heard, failures } = await opened(ip('127.0.0.1'))
  const self = { address: ip('127.0.0.1'), port: socket.port ?? 0 }
  socket.send(new Uint8Array(70_000), self)
  socket.send(new Uint8Array(1), { address: ip('2001:db8::1'), port: 9 })
  socket.send(new Uint8Array(1), { address: ip('255.255.255.255'), port: 9 })
  socket.send(new TextEncoder().encode('still here'), self)
  await vi.waitFor(() => expect(heard).toHaveLength(1))
  expect(failures).toEqual([])
  await socket.close()
})

test('closing during a retry leaves nothing behind', async () => {
  const { socket } = await opened(ip('192.0.2.1'))
  expect(socket.port).toBeUndefined()
  await socket.close()
})
