// Do the two clouds of examples/multi-rhoso get their own ranges from MetalLB's objects alone? With
// the rendered pools and admission policies, and no Tenant in the API.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { berth } from '../build/terminal.ts'
import { type Cluster, type Running, runController, shownBy, startCluster } from './controllers.ts'
import { kubeconfigFor } from './harness.ts'
import { isSince } from './kubeVersion.ts'
import { until } from './waits.ts'

const isHere = inject('kube') !== undefined && isSince(36)
const example = 'examples/multi-rhoso'
let cluster: Cluster
let running: Running

function kubectl(args: readonly string[], input = ''): string {
  const file = join(cluster.kube.folder, 'clouds.kubeconfig')
  writeFileSync(file, kubeconfigFor(cluster.kube, 'admin'))
  const env = { ...process.env, KUBECONFIG: file }
  const ran = spawnSync(inject('kubectl'), [...args], { encoding: 'utf8', input, env })
  if (ran.status !== 0) throw new Error(`kubectl ${args.join(' ')}: ${ran.stderr}`)
  return ran.stdout
}
const addressesIn = async (namespace: string): Promise<Record<string, string>> => {
  const { items } = await cluster.services(namespace).list()
  return Object.fromEntries(items.map((one) => [one.metadata.name, shownBy(one).join(',')]))
}

describe.skipIf(!isHere)('two clouds without Tenants', () => {
  beforeAll(async () => {
    cluster = await startCluster()
    running = runController(cluster.kube)
  })
  afterAll(async () => {
    await running?.stop()
    await cluster?.stop()
  })

  test('[R4.28] the same Services get an address of their own cloud', async () => {
    const { exit, out, err } = await berth(['tenant', 'render', '-f', `${example}/tenants.yaml`])
    expect(exit, err).toBe(0)
    kubectl(['apply', '-f', '-'], out)
    const services = readFileSync(`${example}/services.yaml`, 'utf8')
    const probe = services.split('---')[0]?.replace('keystone-internal', 'probe') ?? ''
    await until('the policies are in force', async () => {
      const dry = ['apply', '-n', 'openstack2', '--dry-run=server', '-o', 'yaml', '-f', '-']
      return kubectl(dry, probe).includes('openstack2-internalapi') ? true : undefined
    })
    await until('those of the first too', async () => {
      const dry = ['apply', '-n', 'openstack', '--dry-run=server', '-o', 'yaml', '-f', '-']
      return kubectl(dry, probe).includes('openstack-internalapi') ? true : undefined
    })
    for (const namespace of ['openstack', 'openstack2']) {
      kubectl(['apply', '-n', namespace, '-f', `${example}/services.yaml`])
    }
    const second = {
      'keystone-internal': '172.27.0.80',
      'glance-default-internal': '172.27.0.80',
      rabbitmq: '172.27.0.85',
      'rabbitmq-cell1': '172.27.0.86',
      'swift-internal': '172.29.0.80',
      'dnsmasq-dns': '192.168.122.100',
    }
    await until('both are served', async () => {
      const all = [await addressesIn('openstack'), await addressesIn('openstack2')]
      return all.flatMap((one) => Object.values(one)).includes('') ? undefined : true
    })
    expect(await addressesIn('openstack2')).toEqual(second)
    expect(await addressesIn('openstack')).toMatchObject({
      ...{ 'keystone-internal': '172.17.0.80', 'glance-default-internal': '172.17.0.80' },
      ...{ rabbitmq: '172.17.0.85', 'swift-internal': '172.18.0.80' },
    })
    expect(kubectl(['get', 'tenants', '-o', 'name'])).toBe('')
  })
})
