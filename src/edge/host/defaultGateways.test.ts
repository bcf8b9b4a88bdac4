import { expect, test } from 'vitest'
import { defaultGateways } from './defaultGateways.ts'

// Copied from a machine.
const four = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth1	00000000	FE0A0A0A	0003	0	0	200	00000000	0	0	0
eth0	00000000	010200C0	0003	0	0	100	00000000	0	0	0
eth0	000200C0	00000000	0001	0	0	0	00FFFFFF	0	0	0
`
const six = `fd000000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000002 00000000 00000003     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo
`

test('[R8.17] the gateways of default routes, the preferred one first', () => {
  const read = (file: string) => (file.endsWith('/route') ? four : six)
  expect(defaultGateways(read)).toEqual([
    { address: '192.0.2.1', interface: 'eth0' },
    { address: '10.10.10.254', interface: 'eth1' },
    { address: 'fe80::1', interface: 'eth0' },
  ])
})

test('a kernel without a table has no gateways of it', () => {
  expect(defaultGateways(() => '')).toEqual([])
})
