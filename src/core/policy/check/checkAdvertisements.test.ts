import { expect, test } from 'vitest'
import { bgp, community, l2, labelled, worldOf } from '../../../../test/build/announcing.ts'
import type { BgpAdvertisement, L2Advertisement } from '../../model/announcing.ts'
import { check } from './check.ts'
import { checkCommunity, checkL2Advertisement } from './checkAdvertisements.ts'

const twice = [labelled({ a: 'b' }), labelled({ a: 'b' })]
const world = worldOf(community('there', { bar: '64512:1234' }))

const checked = (view: BgpAdvertisement) =>
  check(world, { view, before: undefined, bgpMode: 'native' })

const layer2: readonly [Partial<L2Advertisement>, string][] = [
  [{ pools: ['p', 'p'] }, 'spec.ipAddressPools[1]'],
  [{ poolSelectors: twice }, 'spec.ipAddressPoolSelectors[1]'],
  [{ nodeSelectors: twice }, 'spec.nodeSelectors[1]'],
  [{ serviceSelectors: twice }, 'spec.serviceSelectors[1]'],
  [
    { preferred: [{ weight: 1, preference: labelled({ '!': '' }) }] },
    'spec.preferredNodeSelectors[0].preference.matchLabels',
  ],
]
test.each(layer2)('[M8.1 rule 19] %j is refused', (given, path) => {
  expect(checkL2Advertisement(l2('a', given)).map((error) => error.path)).toEqual([path])
})

const selected = { serviceSelectors: [labelled({ app: 'web' })] }
const byBgp: readonly [string, Partial<BgpAdvertisement>, string][] = [
  ['M8.1 rule 20', { pools: ['p', 'p'] }, 'spec.ipAddressPools[1]'],
  ['M8.1 rule 20', { communities: ['1:2', '1:2'] }, 'spec.communities[1]'],
  ['M8.1 rule 20', { peers: ['a', 'a'] }, 'spec.peers[1]'],
  ['M8.1 rule 20', { nodeSelectors: twice }, 'spec.nodeSelectors[1]'],
  ['M8.1 rule 21', { ...selected, aggregationLength: 24 }, 'spec.aggregationLength'],
  ['M8.1 rule 21', { ...selected, aggregationLengthV6: 64 }, 'spec.aggregationLengthV6'],
  ['M8.1 rule 22', { aggregationLength: 33 }, 'spec.aggregationLength'],
  ['M8.1 rule 22', { aggregationLengthV6: 129 }, 'spec.aggregationLengthV6'],
  ['M1.3', { localPref: -1 }, 'spec.localPref'],
  ['M1.3', { localPref: 2_147_483_648 }, 'spec.localPref'],
  ['M8.1 rule 23', { communities: ['99999999:1'] }, 'spec.communities[0]'],
  ['M8.1 rule 23', { communities: ['1:2', '1:x'] }, 'spec.communities[1]'],
  ['M8.1 rule 23', { communities: ['larg:1:2:3'] }, 'spec.communities[0]'],
  ['M8.1 rule 23', { communities: ['large:1:4294967296:3'] }, 'spec.communities[0]'],
]
test.each(byBgp)('[%s] %j is refused', (_, given, path) => {
  expect(checked(bgp('a', given)).map((error) => error.path)).toEqual([path])
})

test.each<[string, Partial<BgpAdvertisement>]>([
  ['M8.1 rule 21', { ...selected, aggregationLength: 32, aggregationLengthV6: 128 }],
  ['M8.1 rule 23', { communities: ['bar', '0:65535', 'large:1:2:4294967295'] }],
  ['M8.1 rule 23', { communities: ['nowhere', '1234', '1:2:3'] }],
  ['M1.3', { pools: ['ghost'], peers: ['ghost'] }],
  ['M1.3', { localPref: 2_147_483_647 }],
])('[%s] %j is admitted', (_, given) => {
  expect(checked(bgp('a', given))).toEqual([])
})

test.each([
  [{ bar: '1:2' }, 'spec.communities[0].name', 'Community/metallb-system/there'],
  [{ foo: '1:2', baz: '1234' }, 'spec.communities[1].value', 'neither a:b nor large:a:b:c'],
  [{ foo: '65536:1' }, 'spec.communities[0].value', '"65536" is not 0 to 65535'],
])('[M8.1 rule 14] aliases %j are refused', (aliases, path, why) => {
  const [error, ...rest] = checkCommunity(world, community('new', aliases))
  expect(error?.path).toBe(path)
  expect(error?.message).toContain(why)
  expect(rest).toEqual([])
})

test('[M8.1 rule 14] an alias twice in one object is refused, an object may keep its own', () => {
  const once = community('there', { bar: '1:2' })
  expect(checkCommunity(world, once)).toEqual([])
  const repeated = { ...once, aliases: [...once.aliases, ...once.aliases] }
  expect(checkCommunity(world, repeated).map(({ path }) => path)).toEqual([
    'spec.communities[1].name',
  ])
})
