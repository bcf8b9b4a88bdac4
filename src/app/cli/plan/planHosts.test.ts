// Proves that plan, status and explain address also tell of hosts and names.
import { expect, test } from 'vitest'
import { berth, folderOf, nowhere } from '../../../../test/build/terminal.ts'
import { statusOf } from '../../../core/policy/status/clusterStatus.ts'
import { load, newSession } from '../load.ts'
import { statusText } from '../status/statusText.ts'

const netConfig = (namespace: string, more = '') => `---
apiVersion: network.openstack.org/v1beta1
kind: NetConfig
metadata: { name: netconfig, namespace: ${namespace}, annotations: { ${more} } }
spec:
  networks:
    - name: InternalApi
      subnets:
        - name: subnet1
          cidr: 172.17.0.0/24
          allocationRanges: [{ start: 172.17.0.100, end: 172.17.0.101 }]
`
const ipSet = (namespace: string, name: string) => `---
apiVersion: network.openstack.org/v1beta1
kind: IPSet
metadata: { name: ${name}, namespace: ${namespace} }
spec: { networks: [{ name: InternalApi, subnetName: subnet1 }] }
`
const names = (ip: string) => `---
apiVersion: network.openstack.org/v1beta1
kind: DNSData
metadata: { name: computes, namespace: openstack }
spec: { hosts: [{ ip: ${ip}, hostnames: [a.openstack.svc] }] }
`
const reserved = (namespace: string, name: string, address: string) => `---
apiVersion: network.openstack.org/v1beta1
kind: Reservation
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  ipSetRef: {}
  reservation: { InternalApi: { network: InternalApi, subnet: subnet1, address: ${address} } }
`
const before = netConfig('openstack') + ipSet('openstack', 'a') + names('172.17.0.100')

test('[P8] a plan tells which hosts and names gain, lose and wait for what', async () => {
  const [there, wanted] = [
    folderOf({ 'a.yaml': before }),
    folderOf({
      'a.yaml': before + ipSet('openstack', 'b') + ipSet('openstack', 'c') + names('172.17.0.101'),
    }),
  ]
  const same = await berth(['plan', '-f', there, '--against', there])
  expect(same.exit).toBe(0)
  expect(same.out).not.toMatch(/^(Hosts|Names)$/m)
  const { exit, out } = await berth(['plan', '-f', wanted, '--against', there])
  expect(exit).toBe(2)
  expect(out).toMatch(/^Hosts\n {2}\+ openstack\/b {2}InternalApi 172\.17\.0\.101\n/m)
  expect(out).toMatch(/^ {2}! openstack\/c {2}waits\n {6}.*range-full/m)
  expect(out).toMatch(/^ {2}~ a\.openstack\.svc {2}172\.17\.0\.100 -> 172\.17\.0\.101 {2}in open/m)
  expect(out).toContain('2 of 3 hosts changed; 1 name changed; ')
  const pruned = await berth(['plan', '-f', there, '--against', wanted, '--prune', '-o', 'json'])
  expect(JSON.parse(pruned.out)).toMatchObject({
    hosts: [
      { host: 'openstack/a', action: 'keep' },
      { host: 'openstack/b', action: 'lose', before: ['InternalApi 172.17.0.101'], after: [] },
    ],
    names: [{ name: 'a.openstack.svc', after: ['172.17.0.100'] }],
  })
})

test('[P8, R12.4] an address has every holder on every wire', async () => {
  const sticky = 'berth.dev/sticky: InternalApi=172.17.0.60-172.17.0.69'
  const all =
    netConfig('openstack', sticky) +
    ipSet('openstack', 'a') +
    netConfig('openstack2') +
    ipSet('openstack2', 'b') +
    reserved('openstack2', 'old', '172.17.0.100')
  const files = ['-f', folderOf({ 'a.yaml': all })]
  const { exit, out } = await berth(['explain', 'address', '172.17.0.100', ...files])
  expect(exit).toBe(0)
  expect(out).toMatch(/ {2}namespace\/openstack +IPSet openstack\/a on InternalApi, reserved\n/)
  expect(out).toMatch(
    / {2}namespace\/openstack2 +IPSet openstack2\/old on InternalApi, its IPSet is/,
  )
  const free = await berth(['explain', 'address', '172.17.0.61', ...files])
  expect(free.out).toContain('Address 172.17.0.61 is free, in no pool')
  expect(free.out).toContain('free in openstack/InternalApi/subnet1, in its sticky range, for pods')
  expect(free.out).toContain('free in openstack2/InternalApi/subnet1, outside its ranges')
  const last = await berth(['explain', 'address', '172.17.0.255', ...files])
  expect(last.out).not.toContain('free in openstack/')
  expect(last.out).toContain('not given in openstack/InternalApi/subnet1: 172.17.0.255 is a gate')
})

test('[P8] the status counts hosts, and tells who waits for what', async () => {
  const session = await newSession(nowhere)
  const many = before + ipSet('openstack', 'b') + ipSet('openstack', 'c')
  await load(session, { files: [folderOf({ 'a.yaml': many })], kustomized: [] })
  session.cluster.settle()
  const { world } = session.cluster
  const status = statusOf(world, session.cluster.speakers())
  const empty = { announcers: [], bgp: [], attention: [], parts: [] } as const
  const lint = { conflicts: [], summary: { errors: 0, warnings: 0 } }
  const shown = { ...empty, version: '1', leader: 'nobody', namespace: 'lb', nowMs: 0 } as const
  const text = statusText({ ...shown, lint, status }, false)
  expect(text).toMatch(/^Hosts {2}2 ready, 1 waiting\n {2}! IPSet openstack\/c\n {6}.*range-full/m)
})
