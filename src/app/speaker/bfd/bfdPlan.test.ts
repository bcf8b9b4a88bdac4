import { expect, test } from 'vitest'
import { bfdProfile, peer } from '../../../../test/build/announcing.ts'
import type { BfdProfile, Peer } from '../../../core/model/announcing.ts'
import type { Ip } from '../../../core/net/ip.ts'
import { planOf } from '../bgp/peerPlan.ts'
import { bfdPlanOf } from './bfdPlan.ts'

const far = { peerAddress: '203.0.113.1' } as const
const own = [
  { interface: 'eth0', address: '192.0.2.9' as Ip, prefixLength: 24 },
  { interface: 'eth0', address: '2001:db8::9' as Ip, prefixLength: 64 },
]
const inside = { myASN: 64512, peerASN: 64512 } as const

function asked(given: Partial<Peer>, profile: Partial<BfdProfile> = {}) {
  const spec = { myASN: 64512, peerASN: 64513, peerAddress: '192.0.2.1', ...given }
  const one = peer('tor', spec)
  const plan = planOf(one)
  if (plan === undefined) throw new Error('no plan')
  return bfdPlanOf({ peer: one, plan, profile: { ...bfdProfile('x'), ...profile }, own })
}

test('[M1.6] an empty profile has the defaults of FRR', () => {
  expect(asked({}).timers).toEqual({
    txMicros: 300_000,
    rxMicros: 300_000,
    multiplier: 3,
    isPassive: false,
    echoMicros: 0,
  })
})

test('[M1.6] every field of a profile', () => {
  const profile = { receiveInterval: 40, transmitInterval: 50, detectMultiplier: 7 }
  expect(asked({}, { ...profile, passiveMode: true }).timers).toEqual({
    txMicros: 50_000,
    rxMicros: 40_000,
    multiplier: 7,
    isPassive: true,
    echoMicros: 0,
  })
})

test.each([
  { what: 'on the link', spec: {}, echoMicros: 50_000, on: 'eth0 192.0.2.9' },
  { what: 'its own pace', spec: {}, echoInterval: 20, echoMicros: 20_000, on: 'eth0 192.0.2.9' },
  { what: 'IPv6', spec: { peerAddress: '2001:db8::1' }, echoMicros: 0, on: '' },
  { what: 'several hops', spec: { ebgpMultiHop: true }, echoMicros: 0, on: '' },
])('[M1.6] echoMode: $what', ({ spec, echoInterval, echoMicros, on }) => {
  const { timers, echo } = asked(spec, { echoMode: true, echoInterval })
  expect(timers.echoMicros).toBe(echoMicros)
  expect(echo ? `${echo.interface} ${echo.address}` : '').toBe(on)
})

test.each([
  { what: 'another AS', spec: {}, target: ['single', 255] },
  { what: 'another AS, minimumTtl', spec: {}, minimumTtl: 10, target: ['single', 255] },
  { what: 'another AS, ebgpMultiHop', spec: { ebgpMultiHop: true }, target: ['multiple', 254] },
  { what: 'our AS, on the link', spec: inside, target: ['single', 255] },
  { what: 'our AS, off it', spec: { ...inside, ...far }, target: ['multiple', 254] },
  {
    what: 'our AS, off it, minimumTtl',
    spec: { ...inside, ...far },
    minimumTtl: 200,
    target: ['multiple', 200],
  },
])('[M1.6] hops and least TTL: $what', ({ spec, minimumTtl, target }) => {
  const { hops, leastTtl } = asked(spec, { minimumTtl }).target
  expect([hops, leastTtl]).toEqual(target)
})

test('peers at one address share a session, those of two VRFs do not', () => {
  expect(asked({}).key).toBe(asked({ peerPort: 1179 }).key)
  expect(asked({}).key).not.toBe(asked({ vrf: 'red' }).key)
})
