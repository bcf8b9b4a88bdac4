// Proves that only changes that matter for announcing are reported.
import { expect, test } from 'vitest'
import { ip, l2 } from '../../../../test/build/announcing.ts'
import { hostLink } from '../../../../test/build/hostLink.ts'
import type { Mac } from '../../../core/net/mac.ts'
import type { HostLink } from '../../../edge/host/packet/hostLink.ts'
import { AnnouncingLinks } from './announcingLinks.ts'

const [eth0, eth1] = [hostLink(2, 'eth0'), hostLink(3, 'eth1')]

test.each<{ what: string; links: readonly HostLink[]; isNews: boolean }>([
  { what: 'unchanged', links: [eth0, eth1], isNews: false },
  { what: 'in another order', links: [eth1, eth0], isNews: false },
  { what: "a Pod's interface", links: [eth0, eth1, hostLink(9, 'cali1')], isNews: false },
  {
    what: 'a new bridge port',
    links: [eth0, eth1, hostLink(9, 'x', { hasMaster: true })],
    isNews: false,
  },
  { what: 'one removed', links: [eth0], isNews: true },
  { what: 'down', links: [eth0, { ...eth1, isUp: false }], isNews: true },
  { what: 'no carrier', links: [eth0, { ...eth1, hasCarrier: false }], isNews: true },
  {
    what: 'another MAC',
    links: [eth0, { ...eth1, mac: '02:00:00:00:00:02' as Mac }],
    isNews: true,
  },
  {
    what: 'an address',
    links: [eth0, { ...eth1, addresses: [{ address: ip('192.0.2.9'), prefixLength: 24 }] }],
    isNews: true,
  },
])('$what: $isNews', ({ links, isNews }) => {
  const announcing = new AnnouncingLinks(/^cali/)
  expect(announcing.all).toBe(undefined)
  expect(announcing.read([eth0, eth1])).toBe(true)
  expect(announcing.read(links)).toBe(isNews)
})

test('[R8.2] an interface without a socket counts as down', () => {
  const announcing = new AnnouncingLinks(/^cali/)
  const up = () => announcing.usable.filter(({ isUp }) => isUp).map(({ name }) => name)
  expect(announcing.areOpen).toBe(false)
  announcing.read([eth0, eth1])
  announcing.open(['eth0', 'eth1'], [])
  expect([announcing.areOpen, up()]).toEqual([true, ['eth0', 'eth1']])
  announcing.open(['eth1'], ['eth0'])
  expect([announcing.areOpen, up()]).toEqual([true, ['eth1']])
  announcing.open([], ['eth0', 'eth1'])
  expect([announcing.areOpen, up()]).toEqual([false, []])
  announcing.open([], [])
  expect(announcing.areOpen, 'none of them needs one').toBe(true)
  expect(announcing.all).toEqual([eth0, eth1])
})

test('an empty list counts as read, once', () => {
  const announcing = new AnnouncingLinks(/^cali/)
  expect([announcing.read([]), announcing.all, announcing.read([])]).toEqual([true, [], false])
})

test.each<{ lists: readonly (readonly string[])[]; used: readonly string[] }>([
  { lists: [], used: [] },
  { lists: [['eth1']], used: ['eth1'] },
  { lists: [['eth1'], ['eth0', 'late0']], used: ['eth0', 'eth1'] },
  { lists: [['eth1'], []], used: ['eth0', 'eth1'] },
])('[M5.4] advertisements for $lists use $used', ({ lists, used }) => {
  const announcing = new AnnouncingLinks(/^cali/)
  announcing.read([eth0, eth1])
  const advertisements = lists.map((interfaces) => l2('lan', { interfaces }))
  expect(announcing.useFor(advertisements)).toBe(lists.length > 0)
  expect(announcing.useFor(advertisements)).toBe(false)
  const found = announcing.usable.filter(({ isUsed }) => isUsed).map(({ name }) => name)
  expect(found).toEqual(used)
})
