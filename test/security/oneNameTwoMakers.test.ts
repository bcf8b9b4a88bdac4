// A DNSMasq and a DNSData of one name, and a ConfigMap of that name that neither of them made. The attacker
// may write these in its namespace. Afterwards: each is told once why it cannot have the ConfigMap, and
// nothing is decided again.
// Before: each refusal replaced the other and had both decided again, without end and without a pause, and
// plan, lint and test ended with an error.
import { expect, test } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'

const apiVersion = 'network.openstack.org/v1beta1'
const metadata = { name: 'dns', namespace: 'alpha' }
const gate = gatesOf(await readCrds())('native')

test('[R13.1, R13.3] two that want one ConfigMap come to rest, each with its own reason', () => {
  const cluster = new Cluster(gate, settings)
  cluster.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { dns: 'mine' } })
  cluster.apply({
    ...{ apiVersion, kind: 'DNSData', metadata },
    spec: { hosts: [{ ip: '10.0.0.7', hostnames: ['a.example.com'] }] },
  })
  cluster.apply({
    ...{ apiVersion, kind: 'DNSMasq', metadata },
    spec: { options: [{ key: 'server', values: ['192.0.2.53'] }], replicas: 1 },
  })
  cluster.settle()
  const said = (kind: string) => JSON.stringify(cluster.get(`${kind}/alpha/dns`)?.['status'])
  expect(said('DNSData')).toContain('was not made from DNSData/dns')
  expect(said('DNSMasq')).toContain('was not made from DNSMasq/dns')
  expect(cluster.get('ConfigMap/alpha/dns')?.['data']).toEqual({ dns: 'mine' })
})
