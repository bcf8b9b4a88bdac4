// What does lint make of files as people have them: kustomize folders, objects that come twice,
// control planes?
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf, lint } from '../../../../test/build/linting.ts'
import { good, pool } from '../../../../test/build/lintManifests.ts'
import { berth } from '../../../../test/build/terminal.ts'

const lan = pool('lan', '192.0.2.0/24')

test('an object that comes twice and says the same is no error', async () => {
  const { exit, findings } = await lint({ ...good, 'again.yaml': good['good.yaml'] })
  expect([exit, findings]).toEqual([0, []])
})

test('an object may need one that stands in a later file', async () => {
  const netConfig = `apiVersion: network.openstack.org/v1beta1
kind: NetConfig
metadata: {name: net, namespace: openstack}
spec:
  networks:
  - name: ctlplane
    dnsDomain: ctlplane.example
    mtu: 1500
    subnets:
    - name: one
      cidr: 192.0.2.0/24
      allocationRanges: [{start: 192.0.2.5, end: 192.0.2.20}]
`
  const host = `apiVersion: network.openstack.org/v1beta1
kind: IPSet
metadata: {name: compute-0, namespace: openstack}
spec: {networks: [{name: ctlplane, subnetName: one}]}
`
  const late = await lint({ 'a.yaml': host, 'b.yaml': netConfig })
  expect([late.exit, late.findings]).toEqual([0, []])
  const never = await lint({ 'a.yaml': host })
  expect(never.findings).toMatchObject([{ code: 'invalid', severity: 'error' }])
})

test('objects for local programs are passed over', async () => {
  const local = `apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: none, annotations: {config.kubernetes.io/local-config: "true"}}
`
  const { exit, findings } = await lint({ ...good, 'local.yaml': local })
  expect([exit, findings]).toEqual([0, []])
})

test.each(['kustomization.yaml', 'kustomization.yml', 'Kustomization'])(
  'a folder with %s is told to be unbuilt, with the command that builds it',
  async (name) => {
    const { exit, findings } = await lint({ ...good, [name]: 'resources: [good.yaml]\n' })
    expect(exit).toBe(0)
    expect(findings).toMatchObject([
      {
        code: 'kustomize-not-built',
        severity: 'warning',
        fix: expect.stringMatching(/^berth lint -k /),
      },
    ])
  },
)

const kubectlFolder = join(homedir(), '.cache', 'berth')
const kubectl = existsSync(kubectlFolder)
  ? readdirSync(kubectlFolder).find((name) => /^kubectl-\d[\d.]*$/.test(name))
  : undefined

test.skipIf(kubectl === undefined)(
  `-k builds the folder with kubectl${kubectl === undefined ? ' (not run: no kubectl here)' : ''}`,
  async () => {
    const kustomization = 'namespace: metallb-system\nnamePrefix: site-\nresources: [pool.yaml]\n'
    const folder = folderOf({
      'kustomization.yaml': kustomization,
      'pool.yaml': `${lan}  more: 1\n`,
    })
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    symlinkSync(join(kubectlFolder, kubectl ?? ''), join(bin, 'kubectl'))
    const { exit, out } = await berth(['lint', '-k', folder], { env: { PATH: bin } })
    expect(out).toMatch(/^IPAddressPool\/metallb-system\/site-lan .*\n {2}warning unknown-field /m)
    expect(exit).toBe(0)
    const empty = await berth(['lint', '-k', bin], { env: { PATH: bin } })
    expect(empty.out).toMatch(/kubectl kustomize \S+ failed: .*kustomization/s)
    expect(empty.exit).toBe(1)
  },
)

test('-k without kubectl says what is missing', async () => {
  const { exit, out } = await berth(['lint', '-k', folderOf({})], { env: { PATH: '/nowhere' } })
  expect(out).toContain('neither kubectl nor kustomize')
  expect(exit).toBe(1)
})

const controlPlane = (more = '') => `apiVersion: core.openstack.org/v1beta1
kind: OpenStackControlPlane
metadata: {name: cp, namespace: openstack}
spec:
  keystone:
    template:
      override:
        service:
          internal:
            metadata:
              annotations:
                metallb.universe.tf/address-pool: internalapi
            spec:
              type: LoadBalancer
${more}`

test('a control plane that names a pool which nobody makes is found, at its line', async () => {
  const { exit, findings } = await lint({ 'cp.yaml': controlPlane(), 'pool.yaml': lan })
  expect(findings).toMatchObject([
    {
      code: 'pool-not-found',
      object: 'OpenStackControlPlane/openstack/cp',
      field:
        'spec.keystone.template.override.service.internal.metadata' +
        '.annotations[metallb.universe.tf/address-pool]',
      line: 12,
      message: expect.stringContaining('openstack/keystone-internal: '),
    },
  ])
  expect(exit).toBe(2)
})

test('a Service that is there counts instead of the planned one', async () => {
  const service = `apiVersion: v1
kind: Service
metadata: {name: keystone-internal, namespace: openstack}
spec: {type: LoadBalancer, ports: [{port: 5000}]}
`
  const { findings } = await lint({ 'cp.yaml': controlPlane(), 's.yaml': service, ...good })
  expect(findings.filter(({ code }) => code === 'pool-not-found')).toEqual([])
})

test('fields that the CRD lacks are told, but not of what an API keeps', async () => {
  const more = '  heat: {template: {heatEngine: {override: {}}}}\n'
  const { findings } = await lint({ 'cp.yaml': controlPlane(more), ...good })
  const unknown = findings.filter(({ code }) => code === 'unknown-field')
  expect(unknown.map(({ field }) => field)).toEqual(['spec.heat.template.heatEngine.override'])
  const kept = controlPlane(more).replace('{name: cp,', '{name: cp, uid: u-1,')
  const later = await lint({ 'cp.yaml': kept, ...good })
  expect(later.findings.filter(({ code }) => code === 'unknown-field')).toEqual([])
})
