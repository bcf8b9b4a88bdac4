// Does `berth tenant render` say what MetalLB needs, and refuse what it cannot say?
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { berth, folderOf } from '../../../../test/build/terminal.ts'

const tenant = (name: string, second: number, more = ''): string => `---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: ${name}}
spec:
  namespaces: {names: [${name}]}
  requestedAddresses: Translate
${more}  networks:
  - name: internalapi
    cidrs: [172.${second}.0.0/24]
    translateFrom: [172.17.0.0/24]
    loadBalancer: [172.${second}.0.80-172.${second}.0.90]
`
const plane = (services: string): string => `---
apiVersion: core.openstack.org/v1beta1
kind: OpenStackControlPlane
metadata: {name: controlplane}
spec:
  secret: osp-secret
  storageClass: local
${services}`
const annotated = (pool: string, address: string, key = ''): string =>
  `{metadata: {annotations: {metallb.universe.tf/address-pool: ${pool}, ` +
  `metallb.universe.tf/loadBalancerIPs: "${address}"` +
  `${key === '' ? '' : `, metallb.universe.tf/allow-shared-ip: ${key}`}}}, spec: {type: LoadBalancer}}`
const keystone = (service: string): string =>
  `  keystone: {template: {override: {service: {internal: ${service}}}}}\n`
const render = (files: Record<string, string>, ...args: readonly string[]) => {
  const folder = folderOf(files)
  return berth(['tenant', 'render', '-f', folder, ...args])
}

test('[R4.28] by default nothing of OpenStack is changed', async () => {
  const { exit, out, err } = await render({ 'tenant.yaml': tenant('os2', 27) })
  expect(exit, err).toBe(0)
  const kinds = [...out.matchAll(/^kind: (.*)$/gm)].map(([, kind]) => kind)
  expect(kinds).toEqual([
    'Namespace',
    'IPAddressPool',
    'L2Advertisement',
    'MutatingAdmissionPolicy',
    'MutatingAdmissionPolicyBinding',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
  ])
  expect(out).not.toContain('ownerReferences')
  expect(out).not.toContain('managed-by')
  expect(err).toContain('kubectl annotate service -n os2 --all --overwrite berth.dev/touched=once')
  expect(err).toContain('Services that share an address lose it until all of them are touched')
})

test('[R4.28] more addresses than a policy can list are refused', async () => {
  const wide = tenant('os2', 27).replace('/24]\n    loadBalancer', '/16]\n    loadBalancer')
  const more = wide
    .replace('172.27.0.0/24', '172.27.0.0/16')
    .replace('172.17.0.0/24', '172.17.0.0/16')
    .replace('172.27.0.80-172.27.0.90', '172.27.0.80-172.27.4.80')
  const { exit, out, err } = await render({ 'tenant.yaml': more })
  expect([exit, out]).toEqual([1, ''])
  expect(err).toContain(
    'Tenant/os2: translation-does-not-fit: a policy lists every address that it translates, at ' +
      'most 1000, and the loadBalancer ranges have 1025: narrow them',
  )
})

test('[R4.28] plan and lint say that they do not play the policies, and the Tenants are planned', async () => {
  const service = `---
apiVersion: v1
kind: Service
metadata:
  name: keystone
  namespace: os2
  annotations: {metallb.universe.tf/address-pool: internalapi, metallb.universe.tf/loadBalancerIPs: 172.17.0.85}
spec: {type: LoadBalancer, ports: [{port: 5000}]}
`
  const { out: rendered, err } = await render({ 'tenant.yaml': tenant('os2', 27) })
  expect(err).toContain("'berth plan --for metallb' of the same Tenants shows which Services move")
  const folder = folderOf({ 'rendered.yaml': rendered, 'service.yaml': service })
  const said = 'rendered for Tenant os2 are not evaluated: Services are shown as if these'
  expect((await berth(['plan', '-f', folder])).err).toContain(said)
  const linted = await berth(['lint', '-f', folder])
  expect(linted.out).toContain('policy-not-played')
  const own = folderOf({ 'tenant.yaml': tenant('os2', 27), 'service.yaml': service })
  const planned = await berth(['plan', '-f', own])
  expect(planned.out).toContain('+ os2/keystone  172.27.0.85  from os2-internalapi')
})

const selecting = (name: string, second: number, selector: string): string =>
  tenant(name, second).replace(`names: [${name}]`, `selector: ${selector}`)

test('[R4.28] a selector is touched and taken away by labels, without what others list', async () => {
  const labels = '{matchLabels: {cloud: a}, matchExpressions: [{key: old, operator: DoesNotExist}]}'
  const files = { 'a.yaml': selecting('os1', 37, labels), 'b.yaml': tenant('os2', 27) }
  const { err } = await render(files)
  const where =
    "  kubectl get namespace -l 'cloud=a,!old,kubernetes.io/metadata.name notin (os2)' -o name | " +
    'cut -d/ -f2 | xargs -I{} kubectl annotate service -n {} --all '
  expect(err).toContain(`${where}--overwrite berth.dev/touched=once\n`)
  expect(err).toContain(`${where}metallb.io/address-pool-`)
  expect(err).not.toContain('have a selector')
})

test('[R4.2] a namespace that two selectors match is refused where it is known, and told else', async () => {
  const files = { 'a.yaml': selecting('os1', 37, '{}'), 'b.yaml': selecting('os2', 27, '{}') }
  const both = await render(files)
  expect(both.exit).toBe(0)
  expect(both.err).toContain('2 Tenants have a selector: os1, os2.')
  const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: web}\n'
  const { exit, out, err } = await render({ ...files, 'c.yaml': namespace })
  expect([exit, out]).toEqual([1, ''])
  expect(err).toContain('berth: namespace web is selected by os1 and os2, so it would have the')
})

test('a Service that another tenant lists is left to it', async () => {
  const services = '  services: [{namespace: os2, name: shared}]\n'
  const files = { 'a.yaml': tenant('os1', 37, services), 'b.yaml': tenant('os2', 27) }
  const { out } = await render(files)
  expect(out).toContain('(request.namespace + "/" + object.metadata.name) in ["os2/shared"])')
})

test('[R4.29] a patch changes pool, address and key together, and RabbitMQ gets no key', async () => {
  const services =
    keystone(annotated('internalapi', '172.17.0.80', 'internalapi')) +
    `  rabbitmq: {templates: {rabbitmq: {override: {service: ${annotated('internalapi', '172.17.0.85')}}}}}\n` +
    `  horizon: {enabled: false, template: {override: {service: ${annotated('internalapi', '172.17.0.1')}}}}\n`
  const files = { 'tenant.yaml': tenant('os2', 27), 'plane.yaml': plane(services) }
  const { exit, out, err } = await render(files, '--by', 'patch')
  expect(exit, err).toBe(0)
  const at = '/spec/keystone/template/override/service/internal/metadata/annotations'
  const rabbit = '/spec/rabbitmq/templates/rabbitmq/override/service/metadata/annotations'
  const key = (name: string): string => `metallb.universe.tf~1${name}`
  expect(JSON.parse(out)).toEqual([
    { op: 'replace', path: `${at}/${key('address-pool')}`, value: 'os2-internalapi' },
    { op: 'replace', path: `${at}/${key('loadBalancerIPs')}`, value: '172.27.0.80' },
    { op: 'replace', path: `${at}/${key('allow-shared-ip')}`, value: 'os2/internalapi' },
    { op: 'replace', path: `${rabbit}/${key('address-pool')}`, value: 'os2-internalapi' },
    { op: 'replace', path: `${rabbit}/${key('loadBalancerIPs')}`, value: '172.27.0.85' },
  ])
  expect(err).toContain('kubectl patch openstackcontrolplane controlplane -n os2 --type json')
})

test('[R4.29] what is right already needs nothing, and --check exits 2 on what is not', async () => {
  const right = plane(keystone(annotated('os2-internalapi', '172.27.0.80', 'os2/internalapi')))
  const stale = plane(keystone(annotated('os2-internalapi', '172.17.0.80', 'os2/internalapi')))
  const of = (text: string) => ({ 'tenant.yaml': tenant('os2', 27), 'plane.yaml': text })
  expect(await render(of(right), '--by', 'patch', '--check')).toMatchObject({
    exit: 0,
    out: 'Nothing to do: every Service asks for what belongs to its tenant.\n',
  })
  expect(await render(of(right), '--by', 'patch')).toMatchObject({ exit: 0, out: '' })
  expect(await render(of(stale), '--by', 'overlay', '--check')).toMatchObject({
    exit: 2,
    out:
      'os2/keystone-internal: spec.keystone.template.override.service.internal.metadata.annotations:' +
      ' metallb.universe.tf/loadBalancerIPs: 172.17.0.80 -> 172.27.0.80\n',
  })
})

test.each([
  ['a pool that is not there', annotated('lan', '172.17.0.80'), 'has no pool for "lan"'],
  ['an address that leads nowhere', annotated('internalapi', '172.17.0.91'), 'becomes 172.27.0.91'],
  ['no address', annotated('internalapi', 'x'), 'address-invalid'],
])('[R4.29] refused with field and reason: %s', async (_, service, reason) => {
  const files = { 'tenant.yaml': tenant('os2', 27), 'plane.yaml': plane(keystone(service)) }
  const { exit, out, err } = await render(files, '--by', 'overlay')
  expect([exit, out]).toEqual([1, ''])
  expect(err).toContain('spec.keystone.template.override.service.internal.metadata.annotations: ')
  expect(err).toContain(reason)
})

test('[R4.29] without a control plane it says what to run first', async () => {
  const { exit, err } = await render({ 'tenant.yaml': tenant('os2', 27) }, '--by', 'overlay')
  expect(exit).toBe(1)
  expect(err).toContain('there is no OpenStackControlPlane in these files yet. Deploy OpenStack')
})

test('[R4.29] the logging Service of a third namespace follows if the tenant lists it', async () => {
  const logging =
    '  telemetry: {template: {logging: {enabled: true, annotations: ' +
    '{metallb.universe.tf/address-pool: internalapi}}}}\n'
  const services = '  services: [{namespace: openshift-logging, name: openstack-logging}]\n'
  const files = (more: string) => ({ 'a.yaml': tenant('os2', 27, more), 'b.yaml': plane(logging) })
  const listed = await render(files(services), '--by', 'patch')
  expect(JSON.parse(listed.out)).toEqual([
    {
      op: 'replace',
      path: '/spec/telemetry/template/logging/annotations/metallb.universe.tf~1address-pool',
      value: 'os2-internalapi',
    },
  ])
  const { err } = await render(files(''), '--by', 'patch')
  expect(err).toContain('Service openshift-logging/openstack-logging belongs to no tenant')
})

test('[R4.29] a control plane whose name leads out of the folder is refused', async () => {
  const stale = plane(keystone(annotated('internalapi', '172.17.0.80')))
  for (const metadata of ['{name: x/../../evil}', '{name: ok, namespace: ../../evil}']) {
    const evil = stale.replace('{name: controlplane}', metadata)
    const files = { 'tenant.yaml': tenant('os2', 27), 'plane.yaml': evil }
    const folder = folderOf({ 'a/mark': '' })
    const { exit, out, err } = await render(files, '--by', 'patch', '--output-dir', `${folder}/a/b`)
    expect([exit, out]).toEqual([1, ''])
    expect(err).toMatch(/metadata\.name(space)?: "\S+evil" is not a valid name in Kubernetes/)
    expect(readdirSync(folder)).toEqual(['a'])
  }
})

test("[R4.29] without a tenant's Service it is not said that all is well", async () => {
  const services =
    keystone(annotated('os2-internalapi', '172.27.0.80', 'os2/internalapi')) +
    '  telemetry: {template: {logging: {enabled: true, annotations: ' +
    '{metallb.universe.tf/address-pool: internalapi}}}}\n'
  const planeIn = (namespace: string) => ({
    'tenant.yaml': tenant('os2', 27),
    'plane.yaml': plane(services).replace('}', `, namespace: ${namespace}}`),
  })
  for (const by of ['patch', 'overlay']) {
    const nobodys = await render(planeIn('elsewhere'), '--by', by, '--check')
    expect(nobodys).toMatchObject({ exit: 1, out: '' })
    expect(nobodys.err).toContain('no Service of a control plane belongs to a tenant')
    expect(await render(planeIn('os2'), '--by', by, '--check')).toMatchObject({
      exit: 0,
      out: 'Nothing to do: every Service of a tenant asks for what belongs to it; others are left.\n',
    })
  }
})

test('[R4.28] --check names in a folder what is missing, different or no longer wanted', async () => {
  const folder = folderOf({})
  const [before, out] = [join(folder, 'before.yaml'), join(folder, 'out')]
  const [first, second] = [tenant('os1', 37), tenant('os2', 27)]
  const check = (file: string) =>
    berth(['tenant', 'render', '-f', file, '--check', '--output-dir', out])
  writeFileSync(before, first + second)
  expect(await check(before)).toMatchObject({ exit: 1, out: '' })
  await berth(['tenant', 'render', '-f', before, '--output-dir', out])
  expect(await check(before)).toMatchObject({
    exit: 0,
    out: 'Nothing to do: every object is there as rendered.\n',
  })
  const after = join(folder, 'after.yaml')
  const renamed = second.replace('name: internalapi', 'name: storage')
  writeFileSync(after, renamed)
  const { exit, out: said, err } = await check(after)
  expect([exit, said.split('\n').sort()]).toEqual([
    2,
    [
      '',
      'IPAddressPool/metallb-system/os2-internalapi: no longer wanted',
      'IPAddressPool/metallb-system/os2-storage: missing',
      'L2Advertisement/metallb-system/internalapi-os2: no longer wanted',
      'L2Advertisement/metallb-system/storage-os2: missing',
      'MutatingAdmissionPolicy/berth-tenant-os2: differs',
      'Namespace/os1: no longer wanted',
      'ValidatingAdmissionPolicy/berth-tenant-os2: differs',
    ],
  ])
  expect(err).toContain('Rendered for Tenant os1, which is not in these files: IPAddressPool/')
})
