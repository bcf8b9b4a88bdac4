// Router advertisements without end, from ever new addresses. The attacker is on the link of a BGPPeer
// without an address, behind the router. Afterwards: the router stays, and an advertisement costs no look at
// the interfaces of the node. Before: each one had all interfaces read, which took what sessions need.
import { expect, test } from 'vitest'
import { LinkNeighbours } from '../../src/app/speaker/bgp/linkNeighbours.ts'
import type { Ip } from '../../src/core/net/ip.ts'
import type { Mac } from '../../src/core/net/mac.ts'
import { encodeAdvertisement } from '../../src/core/wire/routerAdvertisement.ts'

const mac = '02:00:00:00:00:07' as Mac
const advertised = (address: string) => encodeAdvertisement({ mac, address: address as Ip })

test('[R8.18] ten thousand strangers on the link do not take the place of the router', () => {
  let hear: (frame: Uint8Array) => void = () => undefined
  let looks = 0
  const neighbours = new LinkNeighbours({
    open(_, { received }) {
      hear = received
      return { index: 2, mac, send: () => true, close: () => undefined }
    },
    ownAddresses() {
      looks++
      return [{ interface: 'eth1', address: 'fe80::7' as Ip, prefixLength: 64 }]
    },
    nowMs: () => 0,
    every: () => () => undefined,
    changed: () => undefined,
  })
  neighbours.run(new Set(['eth1']))
  hear(advertised('fe80::1'))
  const before = looks
  for (let at = 0; at < 10_000; at++) hear(advertised(`fe80::2:${at.toString(16)}`))
  expect(neighbours.addressOf('eth1')).toBe('fe80::1')
  expect(looks - before).toBe(0)
})
