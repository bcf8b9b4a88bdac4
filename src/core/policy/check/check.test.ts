import { expect, test } from 'vitest'
import { addressRecord } from '../../../../test/build/addressRecord.ts'
import { bfdProfile, peer, pool, worldOf } from '../../../../test/build/announcing.ts'
import type { BfdProfile } from '../../model/announcing.ts'
import { check, checkDelete } from './check.ts'

const address = (name: string, text: string) => addressRecord(text, { name, isOurs: false })
const create = { before: undefined, bgpMode: 'native' } as const

test.each([
  ['172.17.0.80', '172.17.0.80', []],
  ['fd00-bbbb-0-0-0-0-0-80', 'fd00:bbbb::80', []],
  ['172.17.0.80', '172.17.0.81', ['metadata.name']],
  ['fd00-bbbb--80', 'fd00:bbbb::80', ['metadata.name']],
  ['fd00-bbbb-0000-0000-0000-0000-0000-0080', 'fd00:bbbb::80', ['metadata.name']],
])('[R3.8] Address %s of %s: %j', (name, text, paths) => {
  const errors = check(worldOf(), { view: address(name, text), ...create })
  expect(errors.map(({ path }) => path)).toEqual(paths)
})

const bounds: readonly [Partial<BfdProfile>, readonly string[]][] = [
  [{ receiveInterval: 10, transmitInterval: 60_000, echoInterval: 10 }, []],
  [{ detectMultiplier: 2, minimumTtl: 1 }, []],
  [{ detectMultiplier: 255, minimumTtl: 254 }, []],
  [{ receiveInterval: 9 }, ['spec.receiveInterval']],
  [{ transmitInterval: 60_001 }, ['spec.transmitInterval']],
  [{ echoInterval: 9 }, ['spec.echoInterval']],
  [{ detectMultiplier: 1 }, ['spec.detectMultiplier']],
  [{ minimumTtl: 255 }, ['spec.minimumTtl']],
]
test.each(bounds)('[M8.1 rule 2] %j: %j', (given, paths) => {
  const errors = check(worldOf(), { view: { ...bfdProfile('x'), ...given }, ...create })
  expect(errors.map(({ path }) => path)).toEqual(paths)
})

test('[M8.1 rule 35] a BFD profile that peers use is not deleted', () => {
  const world = worldOf(
    peer('tor-b', { bfdProfile: 'used' }),
    peer('tor-a', { bfdProfile: 'used' }),
  )
  expect(checkDelete(world, bfdProfile('used'))).toEqual([
    {
      path: '',
      message: expect.stringContaining(
        'in use by BGPPeer/metallb-system/tor-a, BGPPeer/metallb-system/tor-b',
      ),
    },
  ])
  expect(checkDelete(world, bfdProfile('spare'))).toEqual([])
  expect(checkDelete(world, pool('p', []))).toEqual([])
})

test('[P6] what was wrong before does not stand in the way of another change', () => {
  const before = pool('b', ['10.0.0.0/16'])
  const world = worldOf(pool('a', ['10.0.0.0/8', '192.0.2.0/24']), before)
  const relabelled = { ...before, labels: { zone: 'one' } }
  expect(check(world, { view: relabelled, before, bgpMode: 'native' })).toEqual([])
  const grown = pool('b', ['10.0.0.0/16', '192.0.2.0/28'])
  const errors = check(world, { view: grown, before, bgpMode: 'native' })
  expect(errors.map(({ path }) => path)).toEqual(['spec.addresses[1]'])
})
