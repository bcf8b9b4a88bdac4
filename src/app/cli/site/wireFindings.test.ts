import { expect, test } from 'vitest'
import type { Ip } from '../../../core/net/ip.ts'
import type { Mac } from '../../../core/net/mac.ts'
import { type WireSeen, wireFindings } from './wireFindings.ts'

const [node, other] = ['02:00:00:10:00:11' as Mac, '02:00:00:10:00:99' as Mac]
const [vip, gateway] = ['203.0.113.10' as Ip, '203.0.113.1' as Ip]
const [own, free] = ['10.0.0.5' as Ip, '10.0.0.9' as Ip]
const quiet: WireSeen = {
  vips: [vip],
  gateways: [gateway],
  external: new Map([[gateway, new Set([other])]]),
  internal: new Map([[own, new Set([node])]]),
  nodes: [{ macs: [node], addresses: [own] }],
  unasked: undefined,
}
const with_ = (map: WireSeen['external'], ip: Ip, ...macs: Mac[]) =>
  new Map([...map, [ip, new Set(macs)]])

test.each<{ what: string; change: Partial<WireSeen>; words: string[] }>([
  { what: 'nobody is in the way', change: {}, words: [] },
  {
    what: 'a node answers for the VIP already',
    change: { external: with_(quiet.external, vip, node) },
    words: [],
  },
  {
    what: 'a stranger has the VIP',
    change: { external: with_(quiet.external, vip, other) },
    words: ['vip-in-use!'],
  },
  { what: 'the gateway is silent', change: { external: new Map() }, words: ['no-gateway!'] },
  { what: 'there is no gateway to ask', change: { external: new Map(), gateways: [] }, words: [] },
  {
    what: "a stranger has a node's address",
    change: { internal: with_(quiet.internal, own, node, other) },
    words: ['node-address-taken!'],
  },
  {
    what: 'a stranger is there',
    change: { internal: with_(quiet.internal, free, other) },
    words: ['stranger'],
  },
  {
    what: 'not all of the internal network was asked',
    change: { unasked: { text: 'not in it', remedy: 'run it on a node' } },
    words: ['internal-not-asked'],
  },
  {
    what: 'one node does not report its MACs',
    change: {
      internal: with_(quiet.internal, free, other),
      nodes: [...quiet.nodes, { macs: [], addresses: [free] }],
    },
    words: [],
  },
  {
    what: 'nobody reports MACs',
    change: {
      internal: with_(quiet.internal, own, other),
      nodes: [{ macs: [], addresses: [own] }],
    },
    words: [],
  },
])('[R6.11] $what: $words', ({ change, words }) => {
  const found = wireFindings({ ...quiet, ...change })
  expect(found.map(({ word, isFatal }) => `${word}${isFatal ? '!' : ''}`)).toEqual(words)
})
