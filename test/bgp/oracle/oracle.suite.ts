// Do GoBGP, ExaBGP and we read the same in the same bytes? A few thousand messages each way; `make soak`
// has more.
import { describe, expect, inject, test } from 'vitest'
import type { Ip } from '../../../src/core/net/ip.ts'
import { encodeOpen } from '../../../src/core/wire/bgp/open.ts'
import { checkRead, checkWritten } from './checks.ts'
import { exabgpCodec, sentByExabgp } from './exabgp.ts'
import { ask, findOracle } from './gobgp.ts'

const oracle = inject('hasRouters') ? findOracle() : { why: 'no routers' }
const path = 'path' in oracle ? oracle.path : ''
const command = [path]
const exabgp = inject('routers')['exabgp-4.2']

const ourOpen = encodeOpen({
  ...{ asn: 4_200_000_001, holdSeconds: 90, routerId: '10.0.0.9' as Ip },
  capabilities: {
    ...{ families: ['IPv4', 'IPv6'], asn: 4_200_000_001, canRefresh: true },
    ...{ canRefreshEnhanced: true, canExtend: true, canHopBySix: true },
    restart: {
      ...{ isRestarting: true, survivesNotice: true, seconds: 120 },
      forwards: ['IPv4', 'IPv6'],
    },
    staleSeconds: 86_400,
  },
})
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

describe.skipIf(path === '')('GoBGP', () => {
  test('reads every UPDATE that we write', () => checkWritten({ command, seed: 18, count: 3_000 }))

  test('writes no UPDATE that we read otherwise', () =>
    checkRead({ command, seed: 18, count: 3_000 }))

  test('reads our OPEN', () => {
    const [answer = ''] = ask(command, [`read ${hexOf(ourOpen)}`])
    expect(JSON.parse(answer)).toEqual({
      ...{ asn: 4_200_000_001, hold: 90, id: '10.0.0.9', families: ['IPv4', 'IPv6'] },
      codes: [1, 1, 2, 5, 6, 64, 65, 70, 71],
      restart: { seconds: 120, flags: 0b1100, forwards: ['IPv4', 'IPv6'] },
    })
  })
})

describe.skipIf(exabgp === undefined)('ExaBGP', () => {
  test('reads every UPDATE that we write', () =>
    checkWritten({ command: exabgpCodec, seed: 18, count: 3_000 }))

  test('writes no UPDATE that we read otherwise', () =>
    checkRead({ command: exabgpCodec, seed: 18, count: 3_000, seen: sentByExabgp }))

  test('reads our OPEN', () => {
    const [answer = ''] = ask(exabgpCodec, [`read ${hexOf(ourOpen)}`])
    expect(JSON.parse(answer)).toEqual({
      ...{ asn: 4_200_000_001, hold: 90, id: '10.0.0.9', codes: [1, 2, 5, 6, 64, 65, 70, 71] },
    })
  })
})
