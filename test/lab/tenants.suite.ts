// Do two tenants share nothing but the nodes? Each has a wire of its own (a bridge, which stands for
// its VLAN) and the same Services; a client on one wire reaches nothing of the other.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { labNamed } from './namespaces.ts'
import { apply, type Written } from './objects.ts'

const lab = labNamed('tenants')
type Cloud = {
  readonly name: string
  readonly vlan: number
  readonly net: string
  readonly client: string
}
const red: Cloud = { name: 'red', vlan: 20, net: '172.17.0', client: 'client-1' }
const blue: Cloud = { name: 'blue', vlan: 21, net: '172.27.0', client: 'client-2' }
const clouds = [red, blue]

/** What the switches, the nodes and nmstate do elsewhere: `lan0.20` and `lan0.21` on every node. */
function plugIn({ name, vlan, net, client }: Cloud): void {
  const ok = (machine: string, ...command: readonly string[]): void => {
    const { status, err } = lab.in(machine, ...command)
    if (status !== 0) throw new Error(`${machine}: ${command.join(' ')}: ${err}`)
  }
  const namespace = (machine: string): string => `berth-lab-${lab.name}-${machine}`
  ok('fabric', 'ip', 'link', 'add', `br-${name}`, 'type', 'bridge')
  ok('fabric', 'ip', 'link', 'set', `br-${name}`, 'up')
  const hosts = { 'node-1': 11, 'node-2': 12, [client]: 201 }
  for (const [machine, host] of Object.entries(hosts)) {
    const [plug, link] = [`${machine}-${name}`, machine === client ? 'wire' : `lan0.${vlan}`]
    const peer = ['peer', 'name', link, 'netns', namespace(machine)]
    ok('fabric', 'ip', 'link', 'add', plug, 'type', 'veth', ...peer)
    ok('fabric', 'ip', 'link', 'set', plug, 'master', `br-${name}`, 'up')
    ok(machine, 'ip', 'link', 'set', link, 'up')
    ok(machine, 'ip', 'address', 'add', `${net}.${host}/24`, 'dev', link)
  }
  // A client is on the wire of its tenant and nowhere else.
  ok(client, 'ip', 'link', 'set', 'eth0', 'down')
}

const tenant = ({ name, vlan, net }: Cloud): Written => ({
  path: `/apis/berth.dev/v1alpha1/tenants/${name}`,
  body: {
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'Tenant',
    metadata: { name },
    spec: {
      namespaces: { names: [name] },
      requestedAddresses: 'Translate',
      networks: [
        {
          name: 'internalapi',
          cidrs: [`${net}.0/24`],
          vlan,
          interface: 'lan0',
          translateFrom: ['172.17.0.0/24'],
          loadBalancer: [`${net}.80-${net}.90`],
        },
      ],
    },
  },
})
const namespace = ({ name }: Cloud): Written => ({
  path: `/api/v1/namespaces/${name}`,
  body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
})
/** The same for both, as an operator writes it. */
const keystone = ({ name }: Cloud): Written => ({
  path: `/api/v1/namespaces/${name}/services/keystone-internal`,
  body: {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'keystone-internal',
      namespace: name,
      annotations: {
        'metallb.universe.tf/address-pool': 'internalapi',
        'metallb.universe.tf/loadBalancerIPs': '172.17.0.80',
      },
    },
    spec: {
      type: 'LoadBalancer',
      selector: { app: 'echo' },
      allocateLoadBalancerNodePorts: false,
      ports: [{ name: 'http', port: 5000, targetPort: 8080 }],
    },
  },
})

const reaches = (client: string, address: string): boolean =>
  /^node-\d$/m.test(lab.in(client, 'curl', '-s', '-m', '2', `http://${address}:5000/`).out)
const answersOn = (client: string, address: string): boolean =>
  lab.in(client, 'arping', '-c', '2', '-w', '1', '-I', 'wire', address).status === 0
const vipOf = ({ net }: Cloud): string => `${net}.80`

describe.skipIf(inject('lab') === '')('two tenants on the same nodes', () => {
  beforeAll(() => {
    lab.berth('down')
    const up = lab.berth('up', '--nodes', '2', '--clients', '2')
    if (up.status !== 0) throw new Error(up.err)
    for (const cloud of clouds) plugIn(cloud)
    for (const of of [namespace, tenant, keystone]) apply(lab, clouds.map(of))
  })
  afterAll(() => void lab.berth('down'))

  test.each([
    [red, '172.17.0.80'],
    [blue, '172.27.0.80'],
  ])('[R4.15] $name answers at an address of its own, on its own wire', async (cloud, address) => {
    await until(
      `${cloud.client} reaches ${address}`,
      () => reaches(cloud.client, address) || undefined,
    )
    expect(answersOn(cloud.client, address)).toBe(true)
  })

  test.each([
    [red, blue],
    [blue, red],
  ])('[R4.15] a client of $name finds nobody for the address of the other', (own, other) => {
    // It looks for it on the only wire that it has, as one who wants in would.
    lab.in(own.client, 'ip', 'route', 'replace', `${vipOf(other)}/32`, 'dev', 'wire')
    expect(answersOn(own.client, vipOf(other))).toBe(false)
    expect(reaches(own.client, vipOf(other))).toBe(false)
    expect(reaches(other.client, vipOf(other))).toBe(true)
    expect(reaches(own.client, vipOf(own))).toBe(true)
  })

  test('[P3] still so when the speaker of a node dies: the other answers, on one wire', async () => {
    lab.berth('fail', 'speaker', 'node-1')
    for (const cloud of clouds) {
      await until(
        `${vipOf(cloud)} is reached`,
        () => reaches(cloud.client, vipOf(cloud)) || undefined,
      )
    }
    expect(answersOn(red.client, vipOf(blue))).toBe(false)
    expect(answersOn(blue.client, vipOf(red))).toBe(false)
    lab.berth('heal')
  })
})
