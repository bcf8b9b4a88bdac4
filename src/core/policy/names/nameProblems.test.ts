import { expect, test } from 'vitest'
import type { DnsData } from '../../model/names/dns.ts'
import { World } from '../../model/world.ts'
import { nameProblems } from './nameProblems.ts'

const data = (name: string, ips: readonly string[]): DnsData => ({
  ...{ kind: 'DNSData', key: `n/${name}`, name, namespace: 'n', uid: name, createdAt: '' },
  ...{ generation: 1, isGoing: false, finalizers: [], selects: 'dnsdata', madeFrom: '' },
  hosts: ips.map((ip) => ({ ip, hostnames: ['web.'] })),
  status: { conditions: [], hash: '', observedGeneration: 0 },
})

test('[R13.8] a name with many addresses is told in a sentence', () => {
  const world = new World({ ownNamespace: 'metallb-system', loadBalancerClass: '' })
  const many = Array.from({ length: 9 }, (_, at) => `192.0.2.${at + 1}`)
  for (const view of [data('a', many), data('b', ['192.0.2.1']), data('c', many)]) {
    world.apply({ type: 'upsert', view })
  }
  const message =
    'web is 192.0.2.1 here and 192.0.2.1, 192.0.2.2, 192.0.2.3, 6 others in DNSData/n/a'
  expect(nameProblems(world)).toMatchObject([
    { code: 'name-claimed-twice', object: 'DNSData/n/b', message },
  ])
})
