// Proves what a router at the other end of the wire is told, and when.

import { expect, test } from 'vitest'
import { prefixTexts } from '../../../../test/build/bgpMessages.ts'
import { fromHex } from '../../../../test/build/hex.ts'
import type { Peer } from '../../../core/model/announcing.ts'
import type { Ip } from '../../../core/net/ip.ts'
import type { Route } from '../../../core/session/bgp/routes.ts'
import { encodeKeepalive, headerBytes } from '../../../core/wire/bgp/header.ts'
import { decodeNotification, shutdownNotice } from '../../../core/wire/bgp/notification.ts'
import { encodeOpen } from '../../../core/wire/bgp/open.ts'
import { decodeUpdate } from '../../../core/wire/bgp/update.ts'
import type { TcpHandlers, TcpTarget } from '../../../edge/host/tcp/dialTcp.ts'
import type { BfdSeen } from '../bfd/bfdSessions.ts'
import { bgpMetrics } from './bgpMetrics.ts'
import { BgpPeers } from './bgpPeers.ts'
import { bgpProblems } from './bgpProblems.ts'
import type { PeerPlan } from './peerPlan.ts'

const plan = (name: string, given: Partial<PeerPlan> = {}): PeerPlan => ({
  name,
  options: {
    ...{ localAsn: 64512, peerAsn: 64513, families: ['IPv4'] },
    ...{ holdSeconds: 90, keepaliveSeconds: undefined, retrySeconds: undefined },
    restartSeconds: undefined,
  },
  address: '192.0.2.1' as Ip,
  port: 179,
  source: undefined,
  routerId: undefined,
  ttl: 1,
  isOneHop: true,
  vrf: '',
  link: '',
  password: 'none',
  secret: '',
  ...given,
})
const own = [{ interface: 'eth0', address: '192.0.2.9' as Ip, prefixLength: 24 }]
const route = (prefix: string): Route => ({ prefix, localPref: undefined, communities: [] })

/** One end of a wire, with the router's hands on the other. */
class Wire {
  readonly said: string[] = []
  readonly target: TcpTarget
  readonly #handlers: TcpHandlers
  hasRoom = true

  constructor(target: TcpTarget, handlers: TcpHandlers) {
    this.target = target
    this.#handlers = handlers
  }

  write(bytes: Uint8Array): boolean {
    // Several messages may come at once.
    for (let rest = bytes; rest.length > 0; ) {
      const length = (rest[16] ?? 0) * 256 + (rest[17] ?? 0)
      this.said.push(textOf(rest.subarray(0, length)))
      rest = rest.subarray(length)
    }
    return this.hasRoom
  }

  rekey(key: Uint8Array): string {
    this.said.push(`rekeyed ${Buffer.from(key)}`)
    return ''
  }

  async hangUp(): Promise<void> {
    this.said.push('closed')
  }

  destroy(): void {
    this.said.push('destroyed')
  }

  answer(): void {
    this.#handlers.connected('192.0.2.9' as Ip)
    const capabilities = {
      ...{ families: ['IPv4'] as const, asn: 64513 },
      ...{ canRefresh: true, canRefreshEnhanced: false, canExtend: false },
      restart: { isRestarting: false, survivesNotice: true, seconds: 120, forwards: [] },
    }
    const routerId = '192.0.2.1' as Ip
    this.hear(encodeOpen({ asn: 64513, holdSeconds: 90, routerId, capabilities }))
    this.hear(encodeKeepalive())
  }

  hear(bytes: Uint8Array): void {
    this.#handlers.received(bytes)
  }

  end(why: string): void {
    this.#handlers.ended(why)
  }

  drain(): void {
    this.hasRoom = true
    this.#handlers.drained()
  }
}

function textOf(bytes: Uint8Array): string {
  const body = bytes.subarray(headerBytes)
  if (bytes[18] === 3) {
    const { code, subcode } = decodeNotification(body)
    return `NOTIFICATION ${code}/${subcode}`
  }
  if (bytes[18] !== 2) return bytes[18] === 1 ? 'OPEN' : 'KEEPALIVE'
  const read = decodeUpdate(body, { asSize: 4, isInternal: false })
  if (!read.ok) return 'bad'
  const { announced, withdrawn } = read.value
  const all = [
    ...prefixTexts(announced).map((one) => `+${one}`),
    ...prefixTexts(withdrawn).map((one) => `-${one}`),
  ]
  return all.join(' ') || 'end'
}

function newPeers(key?: () => Promise<Uint8Array | undefined>) {
  const wires: Wire[] = []
  const log: string[] = []
  const peers = new BgpPeers(() => ({
    style: 'frr',
    node: 'node-1',
    nowMs: () => performance.now(),
    random: () => 0.5,
    timestamp: () => '2026-01-01T00:00:00Z',
    ownAddresses: () => own,
    keyOf: key ?? (async () => undefined),
    log: (_, message) => void log.push(message),
    dial(target, handlers) {
      const wire = new Wire(target, handlers)
      wires.push(wire)
      return wire
    },
  }))
  return { peers, wires, log }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))
const opening = ['OPEN', 'KEEPALIVE']

async function running(...plans: readonly PeerPlan[]) {
  const made = newPeers()
  made.peers.run(plans)
  await soon()
  for (const wire of made.wires) wire.answer()
  return made
}

test('[R8.7] nothing, nor the end, is told before every Service was decided', async () => {
  const { peers, wires } = await running(plan('a'))
  peers.change('a', 'shop/web', [], [route('198.51.100.1/32')])
  peers.flush()
  expect(wires[0]?.said).toEqual(opening)
  peers.begin()
  expect(wires[0]?.said).toEqual([...opening, '+198.51.100.1/32', 'end'])
  await peers.stop(shutdownNotice(''))
})

test('[R8.9] a change touches the session that it is about, and no other', async () => {
  const { peers, wires } = await running(plan('a'), plan('b'))
  peers.begin()
  peers.run([plan('a'), plan('b', { ttl: 255 })])
  await soon()
  // The third is dialled anew.
  expect(wires.map(({ said }) => said.at(-1))).toEqual(['end', 'closed', undefined])
  peers.run([plan('b', { ttl: 255 })])
  expect(wires[0]?.said.slice(-2)).toEqual(['NOTIFICATION 6/3', 'closed'])
  expect(wires[1]?.said.slice(-2)).toEqual(['NOTIFICATION 6/6', 'closed'])
  await peers.stop(shutdownNotice(''))
})

test('[R8.9] before it ends, everything is withdrawn and the peer told', async () => {
  const { peers, wires } = await running(plan('a'))
  peers.change('a', 'shop/web', [], [route('198.51.100.1/32')])
  peers.begin()
  await peers.stop(shutdownNotice('bye'))
  expect(wires[0]?.said.slice(-3)).toEqual(['-198.51.100.1/32', 'NOTIFICATION 6/2', 'closed'])
})

test('[R8.12] where the router keeps routes, nothing is withdrawn and nothing said', async () => {
  const options = { ...plan('a').options, restartSeconds: 120 }
  const { peers, wires } = await running(plan('a', { options }), plan('b'))
  for (const peer of ['a', 'b']) peers.change(peer, 'x/y', [], [route('198.51.100.1/32')])
  peers.begin()
  await peers.pause(shutdownNotice('bye'))
  expect(wires[0]?.said).toEqual([...opening, '+198.51.100.1/32', 'end', 'closed'])
  expect(wires[1]?.said.slice(-3)).toEqual(['-198.51.100.1/32', 'NOTIFICATION 6/2', 'closed'])
})

test('[R8.9] passwords are asked for once while the API does not answer', async () => {
  let asked = 0
  const never = new Promise<undefined>(() => undefined)
  const { peers, wires } = newPeers(() => (++asked === 1 ? Promise.resolve(undefined) : never))
  peers.run([plan('a', { password: 'secret' })])
  await soon()
  wires[0]?.answer()
  for (let times = 0; times < 3; times++) void peers.rekey()
  expect(asked).toBe(2)
})

test('[R8.9] another password is set on the live session, once', async () => {
  let password = 'old'
  const { peers, wires } = newPeers(async () => Buffer.from(password))
  const named = (secret: string) => plan('a', { password: 'secret', secret })
  peers.run([named('router')])
  await soon()
  wires[0]?.answer()
  await peers.rekey()
  password = 'new'
  await peers.rekey()
  await peers.rekey()
  expect(wires[0]?.said).toEqual([...opening, 'rekeyed new'])
  password = 'newer'
  peers.run([named('other')])
  await soon()
  expect(wires.map(({ said }) => said)).toEqual([[...opening, 'rekeyed new', 'rekeyed newer']])
  await peers.stop(shutdownNotice(''))
})

test('a peer that does not read gets nothing more until it does', async () => {
  const { peers, wires } = await running(plan('a'))
  const [wire] = wires
  if (wire === undefined) throw new Error('nobody was dialled')
  wire.hasRoom = false
  peers.begin()
  const before = wire.said.length
  for (const last of [1, 2, 3]) {
    peers.change('a', `shop/${last}`, [], [route(`198.51.100.${last}/32`)])
    peers.flush()
  }
  expect(wire.said).toHaveLength(before)
  wire.drain()
  expect(wire.said.at(-1)).toBe('+198.51.100.1/32 +198.51.100.2/32 +198.51.100.3/32')
  await peers.stop(shutdownNotice(''))
})

test('a password that cannot be read is why there is no session, and nobody is dialled', async () => {
  const { peers, wires } = newPeers(async () => {
    throw new Error('Secret router is not there')
  })
  peers.run([plan('a', { password: 'secret', secret: 'router' })])
  await soon()
  expect(wires).toEqual([])
  expect(peers.sessionOf('a')?.session.lastError).toBe('no password: Secret router is not there')
  await peers.stop(shutdownNotice(''))
})

test.each([
  ['a Secret that comes late', undefined],
  ['another password in it', 'wrong'],
])('[R8.9] %s is tried at once, what failed after the pause', async (_, before) => {
  let password = before
  const { peers, wires } = newPeers(async () => {
    if (password === undefined) throw new Error('Secret router is not there')
    return Buffer.from(password)
  })
  peers.run([plan('a', { password: 'secret', secret: 'router' })])
  await soon()
  wires[0]?.end('no answer')
  const tried = wires.length
  for (const next of [before, 'right']) {
    expect(wires).toHaveLength(tried)
    password = next
    await peers.rekey()
    await soon()
  }
  expect(wires.slice(tried).map(({ target }) => String(target.key))).toEqual(['right'])
  await peers.stop(shutdownNotice(''))
})

test('[M7.1] figures are by address and port', async () => {
  const { peers } = await running(plan('a', { address: '2001:db8::1' as Ip }))
  const text = bgpMetrics(peers.sessions).map(({ name, samples }) => {
    const [sample] = samples
    return `${name} ${sample?.labels?.['peer']} ${sample?.value}`
  })
  expect(text).toContain('metallb_bgp_session_up [2001:db8::1]:179 1')
  expect(text).toContain('metallb_bgp_opens_received [2001:db8::1]:179 1')
  await peers.stop(shutdownNotice(''))
})

test('UPDATEs with errors are counted, and a line a minute speaks of them', async () => {
  const { peers, wires, log } = await running(plan('a'))
  // Without ORIGIN.
  const update = fromHex(
    `${'ff'.repeat(16)}0026 02 0000 000a 400200 40030400000001 20c0000201`.replaceAll(' ', ''),
  )
  for (let at = 0; at < 1_000; at++) wires[0]?.hear(update)
  expect(peers.sessionOf('a')?.session.state).toBe('Established')
  const [metric] = bgpMetrics(peers.sessions).filter(({ name }) => name.startsWith('berth_'))
  expect([metric?.name, metric?.samples[0]?.value]).toEqual([
    'berth_bgp_malformed_updates_total',
    1_000,
  ])
  expect(log.filter((line) => line.includes('with errors'))).toEqual([
    expect.stringMatching(/^1 UPDATE with errors, as ORIGIN is missing/),
  ])
  await peers.stop(shutdownNotice(''))
})

const peerView: Peer = {
  kind: 'BGPPeer',
  ...{ name: 'a', namespace: 'metallb-system', createdAt: '' },
  ...{ myASN: 64512, peerASN: 64513, dynamicASN: '', localASN: 0, peerAddress: '192.0.2.1' },
  ...{ interface: '', sourceAddress: '', peerPort: 179, routerID: '', nodeSelectors: [] },
  ...{ holdMs: undefined, keepaliveMs: undefined, connectMs: undefined, hasPassword: false },
  ...{ passwordSecret: '', bfdProfile: '', enableGracefulRestart: undefined, vrf: '' },
  ...{ ebgpMultiHop: false, disableMP: false, dualStackAddressFamily: false },
}

test.each([
  { what: 'nothing', given: {}, codes: [] },
  {
    what: 'a peer behind a router',
    given: { address: '203.0.113.1' as Ip },
    codes: ['peer-not-connected'],
  },
  {
    what: 'a source of another node',
    given: { source: '192.0.2.8' as Ip },
    codes: ['source-address-missing'],
  },
])('problems: $what', async ({ given, codes }) => {
  const { peers } = await running(plan('a', given))
  expect(problemsOf(peers).map(({ code }) => code)).toEqual(codes)
  await peers.stop(shutdownNotice(''))
})

test('[R8.8] a family that the router does not offer is a problem', async () => {
  const options = { ...plan('a').options, families: ['IPv4', 'IPv6'] as const }
  const { peers } = await running(plan('a', { options }))
  expect(problemsOf(peers)).toEqual([
    {
      ...{ object: 'BGPPeer/metallb-system/a', code: 'family-not-agreed' },
      message: '192.0.2.1: the router takes no IPv6 routes, so none are sent',
    },
  ])
  await peers.stop(shutdownNotice(''))
})

const problemsOf = (peers: BgpPeers, bfd?: BfdSeen, wantsEcho = false) =>
  bgpProblems({
    peers: [{ peer: peerView, plan: plan('a'), lacking: [] }],
    troubleOn: () => '',
    sessionOf: (name) => peers.sessionOf(name),
    bfdOf: () => bfd,
    wantsEcho: () => wantsEcho,
    own,
    listening: { node: 'Node/node-1', trouble: undefined, keyTroubleOf: () => '' },
  })
const bfdPlan: BfdSeen['plan'] = {
  key: 'tor',
  target: {
    ...{ peer: '192.0.2.1' as Ip, source: undefined, device: '' },
    ...{ hops: 'single', leastTtl: 255 },
  },
  timers: {
    ...{ txMicros: 300_000, rxMicros: 300_000, multiplier: 3, isPassive: false },
    echoMicros: 0,
  },
  echo: undefined,
}
const bfdView: BfdSeen['view'] = {
  ...{ key: 'tor', state: 'Down', remote: undefined, trouble: '' },
  ...{ transmitMs: 1000, detectMs: 0 },
  counts: { received: 0, sent: 1, echoed: 0, echoes: 0, ups: 0, downs: 0 },
}

test('[R8.11] a router without BFD keeps its session, and the problem says so', async () => {
  const { peers, wires } = await running(plan('a'))
  const seen = { plan: bfdPlan, view: bfdView }
  expect(problemsOf(peers, { ...seen, isMissing: false })).toEqual([])
  expect(problemsOf(peers, { ...seen, isMissing: true })).toEqual([
    {
      object: 'BGPPeer/metallb-system/a',
      code: 'bfd-session-down',
      message: "192.0.2.1: the session runs without BFD: ours is Down, the router's not heard",
    },
  ])
  expect(wires[0]?.said).toEqual(opening)
  const up = { ...seen, isMissing: false }
  expect(problemsOf(peers, up, true).map(({ code }) => code)).toEqual(['peer-not-supported'])
  const echo = { interface: 'eth0', address: '192.0.2.9' as Ip }
  expect(problemsOf(peers, { ...up, plan: { ...bfdPlan, echo } }, true)).toEqual([])
  await peers.stop(shutdownNotice(''))
})

test('[R8.11] what BFD finds broken ends at once, and the others stay', async () => {
  const { peers, wires } = await running(plan('a'), plan('b'))
  peers.sessionOf('a')?.bfdDown('nothing heard for 150 ms')
  expect(wires[0]?.said.slice(-2)).toEqual(['NOTIFICATION 6/10', 'closed'])
  expect(wires[1]?.said).toEqual(opening)
  expect(peers.sessionOf('a')?.session.lastError).toBe(
    'we ended it: Cease/BFD Down (6/10): nothing heard for 150 ms',
  )
  await peers.stop(shutdownNotice(''))
})
