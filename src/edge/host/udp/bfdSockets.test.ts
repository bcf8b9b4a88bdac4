import { createSocket } from 'node:dgram'
import { afterEach, expect, test } from 'vitest'
import type { Ip } from '../../../core/net/ip.ts'
import { type BfdSockets, type BfdTarget, openBfdSockets } from './bfdSockets.ts'

const [here, there, stranger] = ['127.0.0.21' as Ip, '127.0.0.22' as Ip, '127.0.0.23' as Ip]
const opened: { close(): void }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

function open(given: Partial<BfdTarget>, heard: string[] = []): BfdSockets {
  const target: BfdTarget = {
    ...{ peer: there, source: here, device: '', hops: 'single', leastTtl: 255 },
    ...given,
  }
  const sockets = openBfdSockets(target, Math.random, {
    received: (bytes) => heard.push(Buffer.from(bytes).toString()),
    ended: (why) => heard.push(why),
  })
  opened.push(sockets)
  return sockets
}

/** Sends as somebody who may have any address and TTL. */
async function send(text: string, from: Ip, ttl: number, port = 3784): Promise<void> {
  const isSix = from.includes(':')
  const socket = createSocket(isSix ? 'udp6' : 'udp4')
  await new Promise<void>((resolve) => socket.bind(0, from, resolve))
  socket.setTTL(ttl)
  await new Promise<void>((resolve) =>
    socket.send(text, port, isSix ? from : here, () => resolve()),
  )
  socket.close()
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

test('packets go both ways', async () => {
  const [ours, theirs]: [string[], string[]] = [[], []]
  const [one, other] = [open({}, ours), open({ peer: here, source: there }, theirs)]
  one.send(Buffer.from('ping'))
  other.send(Buffer.from('pong'))
  await until(() => ours.length + theirs.length === 2)
  expect([ours, theirs]).toEqual([['pong'], ['ping']])
})

test('[RFC 5881 4] they leave from a port of 49152 or more', async () => {
  const socket = createSocket('udp4')
  const from = new Promise<number>((resolve) =>
    socket.on('message', (_, { port }) => resolve(port)),
  )
  await new Promise<void>((resolve) => socket.bind(3784, there, resolve))
  open({}).send(Buffer.from('ping'))
  expect(await from).toBeGreaterThanOrEqual(49_152)
  socket.close()
})

test.each([
  { hops: 'single', leastTtl: 255, port: 3784, from: [254, 64, 1], passing: 255 },
  { hops: 'multiple', leastTtl: 250, port: 4784, from: [249, 64], passing: 250 },
] as const)('the kernel drops what comes from too far: $hops', async (row) => {
  const heard: string[] = []
  open({ hops: row.hops, leastTtl: row.leastTtl }, heard)
  for (const ttl of row.from) await send(`from ${ttl}`, there, ttl, row.port)
  await send('stranger', stranger, 255, row.port)
  await send('near', there, row.passing, row.port)
  await until(() => heard.length > 0)
  expect(heard).toEqual(['near'])
})

test('the kernel drops what comes from too far: IPv6', async () => {
  const [heard, six]: [string[], Ip] = [[], '::1' as Ip]
  const ours = open({ peer: six, source: six }, heard)
  await send('from 254', six, 254)
  ours.send(Buffer.from('near'))
  await until(() => heard.length > 0)
  expect(heard).toEqual(['near'])
})

test('each peer has a socket of its own at one port', async () => {
  const [ours, theirs]: [string[], string[]] = [[], []]
  open({}, ours)
  open({ peer: stranger }, theirs)
  await send('a', there, 255)
  await send('b', stranger, 255)
  await until(() => ours.length + theirs.length === 2)
  expect([ours, theirs]).toEqual([['a'], ['b']])
})

test('a peer without BFD is no failure of the sockets', async () => {
  const one = open({})
  expect([1, 2, 3].map(() => one.send(Buffer.from('ping')))).toEqual(['', '', ''])
})

test.each([
  { what: 'a source that is not here', given: { source: '192.0.2.1' as Ip }, why: 'EADDRNOTAVAIL' },
  { what: 'no such VRF', given: { device: 'no-such-vrf' }, why: 'ENODEV' },
])('$what: $why', ({ given, why }) => {
  expect(() => open(given)).toThrow(why)
})

test('a port that another program has to itself', async () => {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(3784, here, resolve))
  expect(() => open({})).toThrow('port 3784: EADDRINUSE')
  socket.close()
})
