import { expect, test } from 'vitest'
import type { Ip } from '../../../core/net/ip.ts'
import { newSession } from '../../../core/session/bgp/session.ts'
import { decode } from '../../../edge/kube/decode/decode.ts'
import { bgpProblems } from './bgpProblems.ts'
import { planOf } from './peerPlan.ts'

function peerNamed(name: string) {
  const read = decode({
    ...{ apiVersion: 'metallb.io/v1beta2', kind: 'BGPPeer' },
    metadata: { namespace: 'metallb-system', name },
    spec: { myASN: 64512, peerASN: 64513, peerAddress: '192.0.2.1', ebgpMultiHop: true },
  })
  if (read.kind !== 'view' || read.view.kind !== 'BGPPeer') throw new Error('it is a BGPPeer')
  return read.view
}

type Troubles = {
  readonly trouble?: string
  readonly keyTrouble?: string
  readonly tooLong?: readonly string[]
}

function problemsOf({ trouble = '', keyTrouble = '', tooLong = [] }: Troubles) {
  const peer = peerNamed('tor')
  const plan = planOf(peer)
  if (plan === undefined) throw new Error('it has an address')
  const session = { ...newSession(plan.options), state: 'Established' as const }
  return bgpProblems({
    peers: [{ peer, plan, lacking: [] }],
    sessionOf: () => ({ plan, session, nextHops: {}, tooLong }),
    ...{ troubleOn: () => '', bfdOf: () => undefined, wantsEcho: () => false, own: [] },
    listening: {
      ...{ node: 'Node/node-1', trouble },
      keyTroubleOf: (ip) => (ip === ('192.0.2.1' as Ip) ? keyTrouble : ''),
    },
  }).filter(({ code }) => code !== 'family-not-agreed')
}

test('[R8.20] a port that cannot be had is a problem of the node', () => {
  expect(problemsOf({ trouble: 'port 179: EADDRINUSE' })).toEqual([
    {
      object: 'Node/node-1',
      code: 'bgp-port-taken',
      message:
        'port 179: EADDRINUSE: routers cannot connect to this node; it still connects to them',
    },
  ])
})

test('[R8.20] a password that the kernel does not take is a problem of its peer', () => {
  expect(problemsOf({ keyTrouble: 'TCP MD5: ENOMEM' })).toEqual([
    {
      object: 'BGPPeer/metallb-system/tor',
      code: 'bgp-key-not-set',
      message:
        '192.0.2.1: TCP MD5: ENOMEM: the router cannot connect to this node; it still connects to the router',
    },
  ])
})

test.each([
  { count: 1, named: '10.0.0.0/32' },
  {
    count: 6,
    named: '10.0.0.0/32, 10.0.0.1/32, 10.0.0.2/32, 10.0.0.3/32, 10.0.0.4/32 and 1 more prefix',
  },
])('$count prefixes that no message has room for are a problem of the peer', ({ count, named }) => {
  const tooLong = Array.from({ length: count }, (_, at) => `10.0.0.${at}/32`)
  expect(problemsOf({ tooLong })).toEqual([
    {
      object: 'BGPPeer/metallb-system/tor',
      code: 'route-too-long',
      message: `192.0.2.1: no UPDATE has room for the communities of ${named}: not announced`,
    },
  ])
})

test.each([
  {
    what: '[R8.17] a node without the label',
    peer: { peer: peerNamed('a'), plan: undefined, lacking: ['node-1 has no label rack/tor'] },
    told: ['peer-value-missing node-1 has no label rack/tor'],
  },
  {
    what: '[R8.18] nobody heard on the interface',
    peer: {
      peer: { ...peerNamed('a'), peerAddress: '', interface: 'eth1' },
      plan: undefined,
      lacking: [],
    },
    told: [
      'bgp-session-down no router advertisement was received on eth1 (eth1 is down), so the router is unknown',
    ],
  },
])('$what is a problem', ({ peer, told }) => {
  const nothing = { sessionOf: () => undefined, bfdOf: () => undefined, wantsEcho: () => false }
  const listening = { node: 'Node/node-1', trouble: undefined, keyTroubleOf: () => '' }
  const troubleOn = (name: string) => `${name} is down`
  const found = bgpProblems({ ...nothing, peers: [peer], troubleOn, own: [], listening })
  expect(found.map(({ code, message }) => `${code} ${message}`)).toEqual(told)
})
