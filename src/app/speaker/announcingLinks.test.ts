// Proves that only what concerns announcing is news.
import { expect, test } from 'vitest'
import { ip } from '../../../test/build/announcing.ts'
import type { Mac } from '../../core/net/mac.ts'
import type { HostLink } from '../../edge/host/packet/hostLink.ts'
import { AnnouncingLinks } from './announcingLinks.ts'

const link = (index: number, name: string, given: Partial<HostLink> = {}): HostLink => ({
  index,
  name,
  mac: '02:00:00:00:00:01' as Mac,
  isUp: true,
  hasCarrier: true,
  hasMaster: false,
  isNoArp: false,
  canBroadcast: true,
  linkLocal: undefined,
  addresses: [],
  ...given,
})
const [eth0, eth1] = [link(2, 'eth0'), link(3, 'eth1')]

test.each<{ what: string; links: readonly HostLink[]; isNews: boolean }>([
  { what: 'the same', links: [eth0, eth1], isNews: false },
  { what: 'in another order', links: [eth1, eth0], isNews: false },
  { what: "a Pod's interface", links: [eth0, eth1, link(9, 'cali1')], isNews: false },
  {
    what: 'a port of a bridge',
    links: [eth0, eth1, link(9, 'x', { hasMaster: true })],
    isNews: false,
  },
  { what: 'one less', links: [eth0], isNews: true },
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

test('none at all is read too, once', () => {
  const announcing = new AnnouncingLinks(/^cali/)
  expect([announcing.read([]), announcing.all, announcing.read([])]).toEqual([true, [], false])
})
