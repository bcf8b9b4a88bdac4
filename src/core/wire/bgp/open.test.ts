import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromHex } from '../../../../test/build/hex.ts'
import type { Ip } from '../../net/ip.ts'
import { headerBytes } from './header.ts'
import { decodeOpen, encodeOpen, type Open } from './open.ts'

// What routers sent to a node of the lab: the bodies, behind length and type.
const frr8 =
  '04fc0100b40a0a00015402060104000100010206010400020001020280000202020002024600' +
  '020641040000fc0102020600020a450800010101000201010206490402766d0002044002c0780210470e' +
  '0001018000000000020180000000'
const bird2 = '04fc0100f00a0a00011e021c01040001000101040002000102004002007841040000fc0146004700'
/** Written by hand: a router from before there were capabilities. */
const plain = '04fdeb00b40a00000100'

const both = {
  families: ['IPv4', 'IPv6'],
  asn: 64513,
  canRefresh: true,
  canRefreshEnhanced: true,
  canExtend: false,
} as const

const known = { isRestarting: true, survivesNotice: true, seconds: 120, forwards: [] }

test.each([
  {
    router: 'FRR 8.4.4',
    hex: frr8,
    asn: 64513,
    holdSeconds: 180,
    capabilities: {
      ...both,
      canExtend: true,
      restart: known,
      staleSeconds: 0,
      others: [69, 73, 128],
    },
  },
  {
    router: 'BIRD 2.0.12',
    hex: bird2,
    asn: 64513,
    holdSeconds: 240,
    capabilities: {
      ...{ ...both, staleSeconds: 0, others: [] },
      restart: { ...known, isRestarting: false, survivesNotice: false },
    },
  },
  {
    router: 'one that offers nothing',
    hex: plain,
    asn: 65003,
    holdSeconds: 180,
    capabilities: {
      ...{ families: undefined, asn: undefined, others: [] },
      ...{ canRefresh: false, canRefreshEnhanced: false, canExtend: false, restart: undefined },
    },
  },
])('the OPEN of $router', ({ hex, asn, holdSeconds, capabilities }) => {
  expect(decodeOpen(fromHex(hex))).toMatchObject({
    ok: true,
    value: { asn, holdSeconds, capabilities },
  })
})

test.each([
  { what: 'version 3', hex: plain.replace(/^04/, '03'), code: '2/1' },
  { what: 'AS 0', hex: '04000000b40a00000100', code: '2/2' },
  { what: 'identifier 0', hex: '04fdeb00b40000000000', code: '2/3' },
  { what: 'hold time 1', hex: '04fdeb00010a00000100', code: '2/6' },
  { what: 'hold time 2', hex: '04fdeb00020a00000100', code: '2/6' },
  { what: 'a parameter that is not known', hex: '04fdeb00b40a000001030101ff', code: '2/4' },
  { what: 'parameters longer than the message', hex: '04fdeb00b40a000001090206', code: '2/0' },
  { what: 'bytes behind the parameters', hex: `${plain}00`, code: '2/0' },
  { what: 'a capability that is cut', hex: '04fdeb00b40a0000010402024104', code: '2/0' },
])('$what is refused', ({ hex, code }) => {
  const read = decodeOpen(fromHex(hex))
  expect(read.ok ? 'ok' : `${read.notice.code}/${read.notice.subcode}`).toBe(code)
})

test('parameters may be longer than one octet says (RFC 9072)', () => {
  const long = '04fdeb00b40a000001ff ff0009 02 0006 4104 00010000'.replaceAll(' ', '')
  expect(decodeOpen(fromHex(long))).toMatchObject({ ok: true, value: { asn: 65536 } })
})

test.each([frr8, bird2, plain])('every truncation is refused: %s', (hex) => {
  const whole = fromHex(hex)
  for (let length = 0; length < whole.length; length++) {
    expect(decodeOpen(whole.slice(0, length)).ok).toBe(false)
  }
})

const anyOpen = fc.record({
  asn: fc.integer({ min: 1, max: 0xffffffff }),
  holdSeconds: fc.constantFrom(0, 3, 90, 65535),
  routerId: fc.constantFrom('10.0.0.1', '255.1.2.3').map((text) => text as Ip),
  families: fc.subarray(['IPv4', 'IPv6'] as const),
  flags: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()),
  stale: fc.option(fc.nat({ max: 0xff_ffff }), { nil: undefined }),
  restart: fc.option(
    fc.record({
      isRestarting: fc.boolean(),
      survivesNotice: fc.boolean(),
      seconds: fc.integer({ min: 0, max: 0xfff }),
      forwards: fc.subarray(['IPv4', 'IPv6'] as const),
    }),
    { nil: undefined },
  ),
})

test('what is offered is what is read', () => {
  fc.assert(
    fc.property(anyOpen, ({ asn, holdSeconds, routerId, families, flags, restart, stale }) => {
      const [canRefresh, canRefreshEnhanced, canExtend, hopsBySix] = flags
      const bySix = hopsBySix ? { canHopBySix: true as const } : {}
      const can = { canRefresh, canRefreshEnhanced, canExtend, ...bySix }
      const isKept = restart !== undefined && stale !== undefined && families.length > 0
      const kept = isKept ? { staleSeconds: stale } : {}
      const spoken = families.length === 0 ? undefined : families
      const capabilities = { families: spoken, asn, ...can, restart, ...kept }
      const open = { asn, holdSeconds, routerId, capabilities }
      const value: Open = { ...open, capabilities: { ...capabilities, others: [] } }
      const body = encodeOpen(open).subarray(headerBytes)
      expect(decodeOpen(body)).toEqual({ ok: true, value })
    }),
  )
})

test('who offers only families that are not ours does not offer IPv4', () => {
  // Multiprotocol with AFI 25 and SAFI 65, L2VPN VPLS.
  const read = decodeOpen(fromHex('04fdeb00b40a00000108 0206 0104 00190041'.replaceAll(' ', '')))
  expect(read).toMatchObject({ ok: true, value: { capabilities: { families: [] } } })
})

test('no bytes throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      decodeOpen(bytes)
      decodeOpen(Uint8Array.of(4, 0, 1, 0, 90, 1, 1, 1, 1, ...bytes))
    }),
  )
})
