import { expect, test } from 'vitest'
import type { Ip } from '../../../core/net/ip.ts'
import { KeptFacts } from './keptFacts.ts'

const via = (address: string, on = 'eth0') => ({ address: address as Ip, interface: on })
const own = (address: string, on = 'eth0') => ({ ...via(address, on), prefixLength: 24 })

const [one, other] = [via('192.0.2.1'), via('192.0.2.254')]
const backup = via('198.51.100.1', 'eth1')

function factsOf(gateways: readonly ReturnType<typeof via>[]) {
  const host = { ms: 0, gateways, addresses: [own('192.0.2.9')] }
  const facts = new KeptFacts(
    () => host.ms,
    () => host,
  )
  facts.now()
  return { host, facts }
}

test.each([
  {
    what: 'one that is gone for a moment counts',
    before: [one],
    after: [],
    ms: 29_999,
    now: [one],
  },
  { what: 'one that stays away does not', before: [one], after: [], ms: 30_000, now: [] },
  { what: 'another one counts at once', before: [one], after: [other], ms: 1, now: [other] },
  {
    ...{
      what: 'the spare one takes no place for a moment',
      before: [one, backup],
      after: [backup],
    },
    ...{ ms: 5_000, now: [one, backup] },
  },
  {
    ...{ what: 'the spare one takes it then', before: [one, backup], after: [backup] },
    ...{ ms: 30_000, now: [backup] },
  },
  {
    ...{
      what: 'a spare one that is gone stays the spare one',
      before: [one, backup],
      after: [one],
    },
    ...{ ms: 5_000, now: [one, backup] },
  },
  {
    ...{ what: 'of another family is another one', before: [one], after: [via('fe80::1')] },
    ...{ ms: 1, now: [one, via('fe80::1')] },
  },
])('[R8.17] default gateways: $what', ({ before, after, ms, now }) => {
  const { host, facts } = factsOf(before)
  // The first look in a minute.
  host.ms = 60_000
  host.gateways = after
  facts.now()
  host.ms += ms
  expect(facts.now().gateways).toEqual(now)
})

test('[R8.17] an address that is removed and added again was never gone', () => {
  const { host, facts } = factsOf([one])
  host.ms = 5_000
  host.addresses = []
  expect(facts.now().addresses).toEqual([own('192.0.2.9')])
  host.addresses = [own('192.0.2.9')]
  host.ms = 20_000
  facts.now()
  // From the look that misses it.
  host.ms = 65_000
  host.addresses = [own('192.0.2.10')]
  expect(facts.now().addresses).toEqual([own('192.0.2.9'), own('192.0.2.10')])
  host.ms = 94_999
  expect(facts.now().addresses).toEqual([own('192.0.2.9'), own('192.0.2.10')])
  host.ms = 95_000
  expect(facts.now().addresses).toEqual([own('192.0.2.10')])
})
