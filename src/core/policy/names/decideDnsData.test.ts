import { expect, test } from 'vitest'
import type { DnsData } from '../../model/names/dns.ts'
import { World } from '../../model/world.ts'
import { dnsData } from './decideDnsData.ts'

const data: DnsData = {
  ...{ kind: 'DNSData', key: 'n/dns', name: 'dns', namespace: 'n', uid: 'u', createdAt: '' },
  ...{ generation: 1, isGoing: false, finalizers: [], selects: 'dnsdata', madeFrom: '' },
  hosts: [{ ip: 'no address', hostnames: ['web.'] }],
  status: { conditions: [], hash: '', observedGeneration: 0 },
}

test('[R13.1] while its ConfigMap is another one it is tried again, and no event repeats', () => {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  world.apply({ type: 'upsert', view: data })
  const of = { kind: 'ConfigMap', name: 'dns', namespace: 'n' }
  world.apply({ type: 'refused', of, maker: 'DNSData/dns', why: 'it is another one' })
  const decided = dnsData.decide(world, 'n/dns', '2026-01-01T00:00:00Z')
  const { againInS, againWithinS, events = [] } = decided
  expect([againInS, againWithinS, events]).toEqual([1, 30, []])
})
