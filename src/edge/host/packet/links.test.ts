import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex } from '../../../../test/build/hex.ts'
import { LinkTable } from './linkTable.ts'
import { netlinkMessages } from './netlinkMessages.ts'

// A dump from Linux 6.18: 192.0.2.1/24 on 3, and link-local addresses on 2 and 3.
const addresses = fromHex(
  '500000001400020000000000c63f0000021880000300000008000100c000020108000200c00002010900030065746830' +
    '00000000080008008000000014000600ffffffffffffffffba542600ba54260050000000140002000000' +
    '0000c63f00000a4080fd0200000014000100fe8000000000000018af37fffec56aec14000600ffffffffffffffff' +
    'b9542600b9542600080008008000000005000b0003000000500000001400020000000000c63f00000a4080fd0300' +
    '000014000100fe80000000000000000000fffe00000114000600ffffffffffffffffb9542600b954260008000800' +
    '8000000005000b0003000000',
)

type Link = { type?: number; family?: number; index?: number; name?: string; flags?: number }
const [newLink, delLink, delAddress] = [16, 17, 21]

/** A message about a link; `more` holds further attributes. */
function linkMessage(
  link: Link = {},
  more: readonly (readonly [number, Uint8Array])[] = [],
): Uint8Array {
  const { type = newLink, family = 0, index = 3, name = 'eth0', flags = 0x11043 } = link
  const attributes = [
    [3, Buffer.from(`${name}\0`)] as const,
    [1, Uint8Array.of(2, 0, 0, 0, 0, 1)] as const,
    ...more,
  ].map(([kind, value]) => {
    const bytes = Buffer.alloc((4 + value.length + 3) & ~3)
    bytes.writeUInt16LE(4 + value.length, 0)
    bytes.writeUInt16LE(kind, 2)
    bytes.set(value, 4)
    return bytes
  })
  const head = Buffer.alloc(32)
  head.writeUInt16LE(type, 4)
  head.writeUInt8(family, 16)
  head.writeInt32LE(index, 20)
  head.writeUInt32LE(flags, 24)
  const message = Buffer.concat([head, ...attributes])
  message.writeUInt32LE(message.length, 0)
  return Uint8Array.from(message)
}

function tableOf(...datagrams: readonly Uint8Array[]): LinkTable {
  const table = new LinkTable()
  for (const bytes of datagrams) for (const message of netlinkMessages(bytes)) table.apply(message)
  return table
}

test('a link with its addresses', () => {
  expect(tableOf(linkMessage(), addresses).links()).toEqual([
    {
      index: 3,
      name: 'eth0',
      mac: '02:00:00:00:00:01',
      isUp: true,
      hasCarrier: true,
      hasMaster: false,
      isNoArp: false,
      canBroadcast: true,
      linkLocal: 'fe80::ff:fe00:1',
      addresses: [{ address: '192.0.2.1', prefixLength: 24 }],
    },
  ])
})

test('[R8.5] a link says what kind it is, and an address whether it has a lifetime', () => {
  const kind = Buffer.from([11, 0, 1, 0, ...Buffer.from('bridge\0')])
  const leased = Uint8Array.from(addresses)
  leased[18] = 0
  expect(tableOf(linkMessage({}, [[18, kind]]), leased).links()).toMatchObject([
    { type: 'bridge', addresses: [{ address: '192.0.2.1', isTemporary: true }] },
  ])
})

type Case = { what: string; link: Link; expected: object }
const cases: Case[] = [
  { what: 'down', link: { flags: 0x1002 }, expected: { isUp: false, hasCarrier: false } },
  {
    what: 'without a carrier',
    link: { flags: 0x1003 },
    expected: { isUp: true, hasCarrier: false },
  },
  { what: 'NOARP', link: { flags: 0x110c3 }, expected: { isNoArp: true } },
  { what: 'point to point', link: { flags: 0x11041 }, expected: { canBroadcast: false } },
  { what: 'another name', link: { name: 'lan0' }, expected: { name: 'lan0' } },
]

test.each(cases)('[M5.4] a link that changes: $what', ({ link, expected }) => {
  expect(tableOf(linkMessage(), linkMessage(link)).links()).toMatchObject([expected])
})

test('[M5.4] a bridge port, until it leaves the bridge', () => {
  const joined = linkMessage({}, [[10, Uint8Array.of(7, 0, 0, 0)]])
  expect(tableOf(joined).links()).toMatchObject([{ hasMaster: true }])
  // The bridge reports its ports in its own address family.
  const left = linkMessage({ type: delLink, family: 7 })
  expect(tableOf(joined, left, linkMessage()).links()).toMatchObject([{ hasMaster: false }])
})

test('a removed link takes its addresses along', () => {
  const gone = linkMessage({ type: delLink })
  expect(tableOf(linkMessage(), addresses, gone).links()).toEqual([])
  expect(tableOf(linkMessage(), addresses, gone, linkMessage()).links()).toMatchObject([
    { addresses: [], linkLocal: undefined },
  ])
})

test('a removed address', () => {
  const gone = addresses.slice(0, 80)
  gone[4] = delAddress
  expect(tableOf(linkMessage(), addresses, gone).links()).toMatchObject([{ addresses: [] }])
})

test('a new dump removes what it does not mention', () => {
  const table = tableOf(linkMessage(), linkMessage({ index: 4, name: 'eth1' }), addresses)
  table.startAnew()
  for (const message of netlinkMessages(linkMessage())) table.apply(message)
  expect(table.links()).toHaveLength(2)
  table.endAnew()
  expect(table.links()).toMatchObject([{ name: 'eth0', addresses: [] }])
})

test.each([
  ['the end', '140000000300020000000000c63f000000000000', ['done']],
  ['an error', '140000000200000000000000c63f0000ffffffff', ['incomplete']],
  ['interrupted by a change', '140000000300120000000000c63f000000000000', ['incomplete', 'done']],
  ['another message type', '140000001800000000000000c63f000000000000', []],
])('%s', (_, hex, kinds) => {
  expect([...netlinkMessages(fromHex(hex))].map(({ kind }) => kind)).toEqual(kinds)
})

test('[P5] no truncated or corrupted message throws', () => {
  const whole = fc.constantFrom(addresses, linkMessage())
  fc.assert(
    fc.property(whole, fc.nat(300), fc.nat(300), fc.nat(255), (bytes, end, at, octet) => {
      const changed = bytes.slice(0, end)
      if (at < changed.length) changed[at] = octet
      tableOf(changed).links()
    }),
  )
})
