import { expect, test } from 'vitest'
import { bgpSession } from '../../../../test/build/bgpSession.ts'
import { peersText, routesText } from './bgpText.ts'

const nowMs = Date.parse('2026-01-01T00:10:00Z')
const short = { isWide: false, nowMs }

test('sessions, one a line', () => {
  const sessions = [
    bgpSession(),
    bgpSession({ peer: 'spine', bgpStatus: 'Active', peerASN: 0, routesSent: 0, since: '' }),
  ]
  expect(peersText(sessions, short)).toBe(
    `NODE  PEER   AS     STATE        SINCE  SENT  RECEIVED  BFD
a     tor    64513  Established  10m    2     1         N/A
a     spine  -      Active       -      0     1         N/A
`,
  )
  expect(peersText([], short)).toBe('no node reports a BGP session\n')
})

test('wide: addresses, timers, and what went wrong', () => {
  const lastError = { message: 'the peer ended it: Cease (6/2)', endedBy: 'peer' }
  const [, line = ''] = peersText([bgpSession({ lastError })], { isWide: true, nowMs }).split('\n')
  expect(line).toContain('192.0.2.9  192.0.2.1:179')
  expect(line).toContain('the peer ended it: Cease (6/2)')
})

test('names of any length and any characters stay under 100 columns', () => {
  const long = 'x'.repeat(63)
  const route = {
    ...{ prefix: 'fd00:1111:2222:3333:4444:5555:6666:7777/128', node: long, peer: long },
    ...{ localPref: 7, communities: ['65000:1'], state: 'announced' as const },
    services: [`default/${long}` as const, 'shop/\u001b[2Jweb' as const],
  }
  const session = bgpSession({
    node: long,
    peer: long,
    peerASN: 4_294_967_295,
    routesSent: 100_000,
  })
  const text = routesText([route], short) + peersText([session], short)
  for (const line of text.split('\n')) expect(line.length).toBeLessThan(100)
  const wide = routesText([route], { isWide: true, nowMs })
  expect(wide).toContain(long)
  expect(wide).toContain('\\u001b[2Jweb')
  expect(wide).toContain('65000:1')
})
