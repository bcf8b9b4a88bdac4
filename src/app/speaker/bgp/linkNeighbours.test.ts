import { expect, test } from 'vitest'
import type { Ip } from '../../../core/net/ip.ts'
import type { Mac } from '../../../core/net/mac.ts'
import { encodeAdvertisement } from '../../../core/wire/routerAdvertisement.ts'
import { LinkNeighbours } from './linkNeighbours.ts'

const mac = '02:00:00:00:00:07' as Mac
const [own, router, other] = ['fe80::7' as Ip, 'fe80::1' as Ip, 'fe80::2' as Ip]
const from = (address: Ip): Uint8Array => encodeAdvertisement({ mac, address })

function stand({ hasAddress = true, canOpen = true } = {}) {
  const seen = { now: 0, sent: [] as number[], closed: 0, changes: 0 }
  let look: () => void = () => undefined
  let hear: (frame: Uint8Array) => void = () => undefined
  const neighbours = new LinkNeighbours({
    open(name, { received }) {
      if (!canOpen) throw new Error(`${name} is not there`)
      hear = received
      return {
        ...{ index: 2, mac },
        send: (frame) => seen.sent.push(frame[54] ?? 0) > 0,
        close: () => void seen.closed++,
      }
    },
    ownAddresses: () => (hasAddress ? [{ interface: 'eth1', address: own, prefixLength: 64 }] : []),
    nowMs: () => seen.now,
    every: (_, act) => {
      look = act
      return () => {
        look = () => undefined
      }
    },
    changed: () => void seen.changes++,
  })
  neighbours.run(new Set(['eth1']))
  const pass = (ms: number) => {
    for (let left = ms; left > 0; left -= 1000) {
      seen.now += 1000
      look()
    }
  }
  return { neighbours, seen, pass, hear: (frame: Uint8Array) => hear(frame) }
}

test('[R8.18] advertises itself at once, asks for routers, and then every ten seconds', () => {
  const { seen, pass, hear } = stand()
  expect(seen.sent).toEqual([134, 133])
  hear(from(router))
  pass(2_000)
  expect(seen.sent).toEqual([134, 133, 134, 134])
  pass(10_000)
  expect(seen.sent.length).toBe(5)
})

test('[R8.18] the first router that is heard; ourselves we do not hear', () => {
  const { neighbours, seen, hear } = stand()
  hear(from(own))
  expect(neighbours.addressOf('eth1')).toBeUndefined()
  hear(from(router))
  hear(from(router))
  hear(from(other))
  expect(neighbours.addressOf('eth1')).toBe(router)
  expect(seen.changes).toBe(1)
})

test('[R8.18] another one takes its place once it has fallen silent', () => {
  const { neighbours, pass, hear } = stand()
  hear(from(router))
  pass(50_000)
  hear(from(other))
  expect(neighbours.addressOf('eth1')).toBe(other)
})

test('[R8.18] what keeps routers from being found is said', () => {
  expect(stand({ hasAddress: false }).neighbours.troubleOf('eth1')).toBe(
    'eth1 has no link-local address',
  )
  expect(stand({ canOpen: false }).neighbours.troubleOf('eth1')).toBe('eth1 is not there')
})

test('garbage is not heard, and an interface that nobody asks for is left', () => {
  const { neighbours, seen, hear, pass } = stand()
  hear(new Uint8Array(3))
  neighbours.run(new Set())
  expect(seen.closed).toBe(1)
  const before = seen.sent.length
  pass(20_000)
  expect(seen.sent.length).toBe(before)
})
