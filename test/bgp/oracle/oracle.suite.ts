// Do GoBGP and we read the same in the same bytes? A few thousand messages each way; `make soak` has
// more.
import { describe, expect, inject, test } from 'vitest'
import type { Ip } from '../../../src/core/net/ip.ts'
import { encodeOpen } from '../../../src/core/wire/bgp/open.ts'
import { checkRead, checkWritten } from './checks.ts'
import { ask, findOracle } from './gobgp.ts'

const oracle = inject('hasRouters') ? findOracle() : { why: 'no routers' }
const path = 'path' in oracle ? oracle.path : ''

describe.skipIf(path === '')('GoBGP', () => {
  test('reads every UPDATE that we write', () => checkWritten({ path, seed: 18, count: 3_000 }))

  test('writes no UPDATE that we read otherwise', () => checkRead({ path, seed: 18, count: 3_000 }))

  test('reads our OPEN', () => {
    const bytes = encodeOpen({
      ...{ asn: 4_200_000_001, holdSeconds: 90, routerId: '10.0.0.9' as Ip },
      capabilities: {
        ...{ families: ['IPv4', 'IPv6'], asn: 4_200_000_001, canRefresh: true },
        ...{ canRefreshEnhanced: true, canExtend: true, canHopBySix: true },
        restart: {
          ...{ isRestarting: true, survivesNotice: true, seconds: 120 },
          forwards: ['IPv4', 'IPv6'],
        },
      },
    })
    const [answer = ''] = ask(path, [`read ${Buffer.from(bytes).toString('hex')}`])
    expect(JSON.parse(answer)).toEqual({
      ...{ asn: 4_200_000_001, hold: 90, id: '10.0.0.9', families: ['IPv4', 'IPv6'] },
      codes: [1, 1, 2, 5, 6, 64, 65, 70],
      restart: { seconds: 120, flags: 0b1100, forwards: ['IPv4', 'IPv6'] },
    })
  })
})
