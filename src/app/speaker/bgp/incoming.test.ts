// Proves who may come in, over real sockets on loopback: nothing that comes keeps others out.
import { readdirSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Ip } from '../../../core/net/ip.ts'
import { encodeKeepalive, encodeMessage } from '../../../core/wire/bgp/header.ts'
import { encodeOpen } from '../../../core/wire/bgp/open.ts'
import { dialTcp, takeTcp } from '../../../edge/host/tcp/dialTcp.ts'
import { dropTcp, listenTcp } from '../../../edge/host/tcp/listenTcp.ts'
import { after } from '../after.ts'
import { BgpPeers } from './bgpPeers.ts'
import { Incoming } from './incoming.ts'
import type { PeerPlan } from './peerPlan.ts'

const plan = (given: Partial<PeerPlan> = {}): PeerPlan => ({
  name: 'tor',
  options: {
    ...{ localAsn: 64512, peerAsn: 64513, families: ['IPv4'], holdSeconds: 90 },
    ...{ keepaliveSeconds: undefined, retrySeconds: undefined, restartSeconds: undefined },
    isPassive: true,
  },
  ...{ address: '127.0.0.1' as Ip, port: 1, source: undefined, routerId: '10.0.0.9' as Ip },
  ...{ ttl: 255, isOneHop: true, vrf: '', link: '', password: 'none', secret: '' },
  ...given,
})

let incoming: Incoming
let peers: BgpPeers
let port = 0
const clients: Socket[] = []
const nobody = 'no password'

beforeEach(async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  port = (server.address() as AddressInfo).port
  await new Promise((resolve) => server.close(resolve))
  peers = new BgpPeers(() => ({
    ...{ style: 'frr', node: 'node-1', nowMs: () => performance.now(), random: () => 0 },
    ...{ timestamp: () => '', dial: dialTcp, ownAddresses: () => [], log: () => undefined },
    keyOf: async () => undefined,
  }))
  peers.begin()
  incoming = new Incoming({
    ...{ port, listen: listenTcp, take: takeTcp, drop: dropTcp, after },
    sessions: () => peers.sessions,
    keyOf: async () => {
      throw new Error(nobody)
    },
  })
  await incoming.look()
})
afterEach(async () => {
  incoming.stop()
  for (const client of clients.splice(0)) client.destroy()
})

const openFrom = (asn: number): Uint8Array => {
  const restart = { isRestarting: false, survivesNotice: true, seconds: 120 }
  return encodeOpen({
    ...{ asn, holdSeconds: 90, routerId: '10.0.0.1' as Ip },
    capabilities: {
      ...{ families: ['IPv4'], asn, canRefresh: true, canRefreshEnhanced: true },
      ...{ canExtend: false, restart: { ...restart, forwards: ['IPv4'] } },
    },
  })
}
const open = openFrom(64513)

type Client = { readonly socket: Socket; readonly heard: Promise<string> }

/** What came until the end, in hexadecimal behind the marker. */
function client(from = '127.0.0.1'): Client {
  const socket = connect({ host: '127.0.0.1', port, localAddress: from })
  clients.push(socket)
  const chunks: Buffer[] = []
  socket.on('data', (bytes) => chunks.push(bytes))
  socket.on('error', () => undefined)
  const heard = new Promise<string>((resolve) => {
    socket.on('close', () => resolve(Buffer.concat(chunks).subarray(16).toString('hex')))
  })
  return { socket, heard }
}

const state = () => peers.sessionOf('tor')?.session.state
const until = async (wanted: string): Promise<void> => {
  while (state() !== wanted) await new Promise((resolve) => setTimeout(resolve, 5))
}
/** NOTIFICATION: length 21 and type 3, then code and subcode. */
const notified = (code: string) => `001503${code}`

test('[R8.20] a session comes up, also byte by byte', async () => {
  peers.run([plan()])
  const { socket } = client()
  socket.setNoDelay(true)
  for (const byte of open) {
    socket.write(Uint8Array.of(byte))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until('OpenConfirm')
  socket.write(encodeKeepalive())
  await until('Established')
  expect(peers.sessionOf('tor')?.wasAccepted).toBe(true)
})

test('[R8.20] who is no peer is turned away without a word', async () => {
  peers.run([plan()])
  expect(await client('127.0.0.2').heard).toBe('')
})

test('[R8.20] a peer whose password is not known yet does not come in without one', async () => {
  peers.run([plan({ password: 'secret', secret: 'key' })])
  await incoming.look()
  expect(await client().heard).toBe('')
})

test.each([
  ['garbage', new Uint8Array(64), '0101'],
  ['no OPEN', encodeKeepalive(), '0501'],
  ['an OPEN of version 3', encodeMessage('OPEN', Uint8Array.of(3, 0, 1, 0, 90, 1, 1, 1, 1, 0)), ''],
])('[R8.20] %s is answered, and the peer is waited for as before', async (_, bytes, code) => {
  peers.run([plan()])
  const { socket, heard } = client()
  socket.write(bytes)
  expect(await heard).toContain(code === '' ? '0201' : notified(code))
  expect(state()).toBe('Active')
  const again = client()
  again.socket.write(open)
  await until('OpenConfirm')
})

test('[R8.20] who says nothing is let go when it comes again', async () => {
  peers.run([plan()])
  const silent = client()
  await new Promise((resolve) => silent.socket.once('connect', resolve))
  client().socket.write(open)
  await until('OpenConfirm')
  expect(await silent.heard).toBe(notified('0607'))
})

test('[R8.20] while a session is up, another connection is refused', async () => {
  peers.run([plan()])
  const first = client()
  first.socket.write(open)
  await until('OpenConfirm')
  first.socket.write(encodeKeepalive())
  await until('Established')
  const second = client()
  second.socket.write(open)
  expect(await second.heard).toBe(notified('0607'))
  expect(state()).toBe('Established')
})

test('[R8.20] another router at the address of the peer does not end the session', async () => {
  const { options, ...rest } = plan()
  peers.run([{ ...rest, options: { ...options, restartSeconds: 120 } }])
  const first = client()
  first.socket.write(open)
  await until('OpenConfirm')
  first.socket.write(encodeKeepalive())
  await until('Established')
  const stranger = client()
  stranger.socket.write(openFrom(64999))
  expect(await stranger.heard).toBe(notified('0202'))
  expect(state()).toBe('Established')
  expect(first.socket.destroyed).toBe(false)
})

test('[R8.20] one whose TTL the kernel refuses is let go, and nothing else ends', async () => {
  peers.run([plan({ ttl: 256 })])
  const before = readdirSync('/proc/self/fd').length
  expect(await client().heard).toBe('')
  await expect.poll(() => readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before)
  peers.run([plan()])
  client().socket.write(open)
  await until('OpenConfirm')
})

test('[R8.20] as many from the address of the peer itself leave nothing behind either', async () => {
  peers.run([plan()])
  for (let at = 0; at < 20; at++) {
    const all = Array.from({ length: 50 }, () => client())
    // All but the last are let go; that one is by the next.
    await Promise.all(all.slice(0, -1).map(({ heard }) => heard))
  }
  client().socket.write(open)
  await until('OpenConfirm')
})

test('[R8.20] a thousand connections leave nothing behind', async () => {
  peers.run([plan()])
  for (let at = 0; at < 20; at++) {
    await Promise.all(Array.from({ length: 50 }, () => client('127.0.0.3').heard))
  }
  client().socket.write(open)
  await until('OpenConfirm')
})

/** Who has which key on the listener, and how often one was set. */
async function keyed(keyOf: (plan: PeerPlan) => string, refusal = () => '') {
  incoming.stop()
  const [keys, sets]: [Map<string, string>, string[]] = [new Map(), []]
  incoming = new Incoming({
    ...{ port, take: takeTcp, drop: dropTcp, after },
    listen: (...place) => {
      const listener = listenTcp(...place)
      return {
        close: () => listener.close(),
        setKey(peer, key) {
          sets.push(peer)
          const why = refusal() || listener.setKey(peer, key)
          if (why === '') keys.set(peer, String(key))
          return why
        },
      }
    },
    sessions: () => peers.sessions,
    keyOf: async (of) => Buffer.from(keyOf(of)),
  })
  await incoming.look()
  return { keys, sets }
}
const signed = { password: 'secret', secret: 'key' } as const

test('[R8.20] a password is set on the listener once, and again when it changes', async () => {
  let password = 'one'
  const { keys, sets } = await keyed(() => password)
  peers.run([plan(signed)])
  for (let looks = 0; looks < 5; looks++) await incoming.look()
  expect(sets).toEqual(['127.0.0.1'])
  password = 'two'
  for (let looks = 0; looks < 5; looks++) await incoming.look()
  expect(sets).toEqual(['127.0.0.1', '127.0.0.1'])
  expect(keys.get('127.0.0.1')).toBe('two')
})

test('[R8.20] a peer in a VRF has no password on the listener', async () => {
  const { keys } = await keyed(({ name }) => name)
  const [here, inVrf] = [plan(signed), plan({ ...signed, name: 'tor-red', vrf: 'red' })]
  const elsewhere = plan({ ...inVrf, name: 'far', address: '127.0.0.9' as Ip })
  peers.run([here, inVrf, elsewhere])
  await incoming.look()
  expect([...keys]).toEqual([['127.0.0.1', 'tor']])
})

test('[R8.20] a password that the kernel does not take is told until it does', async () => {
  let refusal = 'ENOMEM'
  await keyed(
    () => 'one',
    () => refusal,
  )
  peers.run([plan(signed)])
  await incoming.look()
  expect(incoming.keyTroubleOf('127.0.0.1' as Ip)).toBe('TCP MD5: ENOMEM')
  expect(incoming.trouble).toBe('')
  refusal = ''
  await incoming.look()
  expect(incoming.keyTroubleOf('127.0.0.1' as Ip)).toBe('')
})
