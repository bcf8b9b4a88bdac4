import { expect, test } from 'vitest'
import type { Ip } from '../../net/ip.ts'
import type { Link } from '../../net/link.ts'
import type { Mac } from '../../net/mac.ts'
import { announcesOn, portsAmong } from './port.ts'

const mac = '02:00:00:00:00:01' as Mac
const good: Link = {
  index: 2,
  name: 'eth0',
  mac,
  isUp: true,
  hasCarrier: true,
  hasMaster: false,
  isNoArp: false,
  canBroadcast: true,
  linkLocal: 'fe80::1' as Ip,
}
const excluded = /^veth.*|^lo$/

type Case = { what: string; link: Partial<Link>; answers: string }
const cases: Case[] = [
  { what: 'an ordinary interface', link: {}, answers: 'IPv4 IPv6' },
  { what: 'excluded by its name', link: { name: 'veth1' }, answers: '' },
  {
    what: 'a name that the expression matches only in part',
    link: { name: 'my-veth' },
    answers: 'IPv4 IPv6',
  },
  { what: 'down', link: { isUp: false }, answers: '' },
  { what: 'without a carrier', link: { hasCarrier: false }, answers: '' },
  { what: 'port of a bridge', link: { hasMaster: true }, answers: '' },
  { what: 'NOARP', link: { isNoArp: true }, answers: '' },
  { what: 'without broadcast', link: { canBroadcast: false }, answers: 'IPv6' },
  { what: 'without a link-local address', link: { linkLocal: undefined }, answers: 'IPv4' },
  { what: 'without both', link: { linkLocal: undefined, canBroadcast: false }, answers: '' },
  { what: 'without a MAC', link: { mac: '00:00:00:00:00:00' as Mac }, answers: '' },
]

test.each(cases)('[M5.4] $what: $answers', ({ link, answers }) => {
  const [port] = portsAmong([{ ...good, ...link }], excluded)
  expect(port?.families.join(' ') ?? '').toBe(answers)
})

test('[M5.4] a stateful regular expression (flag g) excludes every time', () => {
  const links = [1, 2, 3].map((index) => ({ ...good, index, name: `veth${index}` }))
  expect(portsAmong(links, /veth/g)).toEqual([])
})

test.each([
  ['all', 'eth0', true],
  [['eth0', 'eth1'], 'eth1', true],
  [['eth0'], 'eth1', false],
  [[], 'eth0', false],
] as const)('[M5.4] announced on %s: on %s %s', (interfaces, name, expected) => {
  const [port] = portsAmong([{ ...good, name }], excluded)
  if (port === undefined) throw new Error('no port')
  const announcement = { address: '192.0.2.1' as Ip, interfaces, start: 'burst' } as const
  expect(announcesOn(announcement, port)).toBe(expected)
})
