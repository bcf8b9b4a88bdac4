import { expect, test } from 'vitest'
import { type Prefix, parsePrefix } from '../../core/net/range.ts'
import { routesTo } from './hostRoutes.ts'

// Copied from a machine.
const four = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	010200C0	0003	0	0	100	00000000	0	0	0
eth1	006433C6	017100CB	0003	0	0	0	00FFFFFF	0	0	0
eth1	0A6433C6	017100CB	0003	0	0	0	FFFFFFFF	0	0	0
eth1	000011AC	00000000	0001	0	0	0	0000FFFF	0	0	0
`
const six = `20010db8000000000000000000000000 20 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth1
20010db8000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth1
`
const read = (file: string) => (file.endsWith('/route') ? four : six)

function prefix(text: string): Prefix {
  const parsed = parsePrefix(text)
  if (!parsed.ok) throw new Error(parsed.why)
  return parsed.value
}

test.each([
  ['198.51.100.0/24', [{ destination: '198.51.100.0/24', via: '203.0.113.1', interface: 'eth1' }]],
  [
    '198.51.100.10/32',
    [{ destination: '198.51.100.10/32', via: '203.0.113.1', interface: 'eth1' }],
  ],
  ['0.0.0.0/0', [{ destination: '0.0.0.0/0', via: '192.0.2.1', interface: 'eth0' }]],
  ['2001:db8::/32', [{ destination: '2001:db8::/32', via: 'fe80::1', interface: 'eth1' }]],
  // Another length, a network of the host's own, and one that it does not know.
  ['198.51.100.0/25', []],
  ['172.17.0.0/16', []],
  ['2001:db8::/64', []],
  ['::/0', []],
])('[R6.14] the routers towards %s', (text, routes) => {
  expect(routesTo([prefix(text)], read)).toEqual(routes)
})

test('the main table of this machine can be read', () => {
  expect(() => routesTo([prefix('0.0.0.0/0'), prefix('::/0')])).not.toThrow()
})
