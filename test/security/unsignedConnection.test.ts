// A connection without a signature, made while a BGPPeer gets its password. The attacker can send from the
// address of a router, where speakers listen (--bgp-listen). Afterwards: it was closed without a word, as
// every one that the kernel did not check. Before: it waited to be accepted until the password was known, and
// became the session of the router.
import { type AddressInfo, createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { after } from '../../src/app/speaker/after.ts'
import { BgpPeers } from '../../src/app/speaker/bgp/bgpPeers.ts'
import { Incoming } from '../../src/app/speaker/bgp/incoming.ts'
import type { PeerPlan } from '../../src/app/speaker/bgp/peerPlan.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import { encodeOpen } from '../../src/core/wire/bgp/open.ts'
import { dialTcp, takeTcp } from '../../src/edge/host/tcp/dialTcp.ts'
import { dropTcp, listenTcp } from '../../src/edge/host/tcp/listenTcp.ts'

const key = Buffer.from('secret')
const plan: PeerPlan = {
  name: 'tor',
  options: {
    ...{ localAsn: 64512, peerAsn: 64513, families: ['IPv4'], holdSeconds: 90 },
    ...{ keepaliveSeconds: undefined, retrySeconds: undefined, restartSeconds: undefined },
    isPassive: true,
  },
  ...{ address: '127.0.0.1' as Ip, port: 1, source: undefined, routerId: '10.0.0.9' as Ip },
  ...{ ttl: 255, isOneHop: true, vrf: '', link: '', password: 'secret', secret: 'key' },
}
const open = encodeOpen({
  ...{ asn: 64513, holdSeconds: 90, routerId: '10.0.0.1' as Ip },
  capabilities: {
    ...{ families: ['IPv4'], asn: 64513, canRefresh: true },
    ...{ canRefreshEnhanced: true, canExtend: false, restart: undefined },
  },
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** From a thread of its own, so that nothing of ours can accept it meanwhile. */
const stranger = `
const { connect } = require('node:net')
const { parentPort, workerData: { port, open, said } } = require('node:worker_threads')
const socket = connect({ host: '127.0.0.1', port }, () => {
  socket.write(open, () => {
    Atomics.store(new Int32Array(said), 0, 1)
    Atomics.notify(new Int32Array(said), 0)
  })
})
let heard = 0
socket.on('data', (bytes) => { heard += bytes.length })
socket.on('error', () => undefined)
socket.on('close', () => parentPort.postMessage(heard))
`

test('[R8.20] who connected before the password was known is not let in without it', async () => {
  const port = await freePort()
  const peers = new BgpPeers(() => ({
    ...{ style: 'frr', node: 'node-1', nowMs: () => performance.now(), random: () => 0 },
    ...{ timestamp: () => '', dial: dialTcp, ownAddresses: () => [], log: () => undefined },
    keyOf: async () => key,
  }))
  peers.begin()
  const incoming = new Incoming({
    ...{ port, listen: listenTcp, take: takeTcp, drop: dropTcp, after },
    sessions: () => peers.sessions,
    keyOf: async () => key,
  })
  onTestFinished(() => incoming.stop())
  await incoming.look()
  expect(incoming.trouble).toBe('')
  peers.run([plan])
  const said = new SharedArrayBuffer(4)
  const worker = new Worker(stranger, { eval: true, workerData: { port, open, said } })
  onTestFinished(async () => {
    await worker.terminate()
  })
  const heard = new Promise<number>((resolve) => worker.once('message', resolve))
  expect(Atomics.wait(new Int32Array(said), 0, 0, 30_000)).not.toBe('timed-out')
  await incoming.look()
  expect(incoming.keyTroubleOf(plan.address)).toBe('')
  expect(await heard).toBe(0)
  expect(peers.sessionOf('tor')?.session.state).toBe('Active')
})
