// What does the chart's `openstack.enabled` grant, and what not? Asked of a real API server without it,
// with it, and after it was taken back; and the controller serves with just that.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { connectionFor, findEngine, type Kube, startKube } from './harness.ts'
import { findHelm } from './helm/helm.ts'
import {
  adminKubeconfig,
  definitionsEstablished,
  programAt,
  type Run,
  startController,
} from './helm/programs.ts'
import { until } from './waits.ts'

const [engine, found] = [findEngine(), findHelm()]
const why = 'why' in engine ? engine.why : 'why' in found ? `helm: ${found.why}` : undefined
const isHere = inject('kube') !== undefined && why === undefined
const chart = 'deploy/helm/berth'
const namespace = 'metallb-system'
const account = `system:serviceaccount:${namespace}:berth-controller`
const operatorLease = 'c8c223a1.openstack.org'

/** VERBS RESOURCE[/SUBRESOURCE].GROUP [NAME] */
const granted = [
  'list,watch ippools.whereabouts.cni.cncf.io',
  'get,list,watch,create,patch ipsets.network.openstack.org',
  'patch ipsets/status.network.openstack.org',
  'get,create,patch reservations.network.openstack.org',
  'get,list,watch,create,patch,delete addressblocks.berth.dev',
  'get,list,watch,patch dnsmasqs.network.openstack.org',
  'get,list,watch,create,patch dnsdata.network.openstack.org',
  'patch dnsmasqs/status.network.openstack.org',
  'patch dnsdata/status.network.openstack.org',
  'get,list,watch,create,patch configmaps',
  'get,create,patch serviceaccounts',
  'patch services',
  'get,create,patch roles.rbac.authorization.k8s.io',
  'get,create,patch rolebindings.rbac.authorization.k8s.io',
  'get,create,patch deployments.apps',
  'list,watch pods',
  'get statefulsets.apps',
  'get,list,watch,patch bgpconfigurations.network.openstack.org',
  'list,watch topologies.topology.openstack.org',
  `list,watch leases.coordination.k8s.io ${operatorLease}`,
  'get,patch mutatingwebhookconfigurations.admissionregistration.k8s.io berth-openstack-webhook-configuration',
]
/** What is read anyway: it takes addresses out of the pools. */
const always = [
  'list,watch netconfigs.network.openstack.org',
  'list,watch reservations.network.openstack.org',
]
const never = [
  'delete,deletecollection,update ipsets.network.openstack.org',
  'delete,deletecollection,update reservations.network.openstack.org',
  'update,deletecollection netconfigs.network.openstack.org',
  'delete dnsmasqs.network.openstack.org',
  'create dnsmasqs.network.openstack.org',
  'delete dnsdata.network.openstack.org',
  'delete configmaps',
  'delete services',
  'get,list,watch,create,delete secrets',
  'create,patch,delete pods',
  'create pods/exec',
  'delete deployments.apps',
  'list,create,patch,delete statefulsets.apps',
  'get,create,patch daemonsets.apps',
  'escalate,bind clusterroles.rbac.authorization.k8s.io',
  'create clusterrolebindings.rbac.authorization.k8s.io',
  'list leases.coordination.k8s.io',
  `patch leases.coordination.k8s.io ${operatorLease}`,
  'impersonate users',
]

let kube: Kube
let api: Api
let kubectl: Run
let helm: Run

beforeAll(async () => {
  if ('why' in engine || 'why' in found || !isHere) return
  // One of its own: it is about what is there after an installation.
  kube = await startKube(engine.folder, { controllers: ['serviceaccount-controller'] })
  api = newApi(connectionFor(kube, 'admin'))
  const kubeconfig = adminKubeconfig(kube)
  kubectl = programAt(inject('kubectl'), kube.folder, kubeconfig)
  helm = programAt(found.path, kube.folder, kubeconfig)
})
afterAll(async () => {
  api?.close()
  await kube?.stop()
})

type Asked = { readonly text: string; readonly attributes: object }

function askedIn(line: string): readonly Asked[] {
  const [verbs = '', what = '', name = ''] = line.split(' ')
  const [of = '', ...group] = what.split('.')
  const [resource = '', subresource = ''] = of.split('/')
  return verbs.split(',').map((verb) => ({
    text: `${verb} ${what}${name === '' ? '' : ` ${name}`}`,
    attributes: {
      namespace: 'openstack',
      verb,
      group: group.join('.'),
      resource,
      subresource,
      name,
    },
  }))
}

async function mayDo({ attributes }: Asked): Promise<boolean> {
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
  const groups = [
    'system:serviceaccounts',
    `system:serviceaccounts:${namespace}`,
    'system:authenticated',
  ]
  const spec = { user: account, groups, resourceAttributes: attributes }
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec }
  const { status } = (await api.call({ method: 'POST', path, body })) as {
    status: { allowed: boolean }
  }
  return status.allowed
}

/** Of these lines, what the controller's account may do. */
async function allowedOf(lines: readonly string[]): Promise<readonly string[]> {
  const asked = lines.flatMap(askedIn)
  const allowed = await Promise.all(asked.map(mayDo))
  return asked.filter((_, at) => allowed[at] === true).map(({ text }) => text)
}

const allOf = (lines: readonly string[]): readonly string[] =>
  lines.flatMap(askedIn).map(({ text }) => text)

const containerArgs = (): string => {
  const args = '-o=jsonpath={.spec.template.spec.containers[0].args}'
  return kubectl('get', 'deployment', 'berth-controller', '-n', namespace, args)
}
const hooks = (): string =>
  kubectl('get', 'mutatingwebhookconfigurations,validatingwebhookconfigurations', '-o=name')
const definitions = (): string => kubectl('get', 'crd', '-o=name')

function make(object: object): void {
  const file = join(kube.folder, 'object.json')
  writeFileSync(file, JSON.stringify(object))
  kubectl('create', '-f', file)
}

const apiVersion = 'network.openstack.org/v1beta1'
const place = { namespace: 'openstack' }

/** A host and names, by the program under the account's token; no webhook is served. */
async function servedUnderShippedRights(): Promise<string> {
  kubectl('create', 'namespace', 'openstack')
  const ends = { start: '172.17.0.100', end: '172.17.0.250' }
  const subnets = [{ name: 'subnet1', cidr: '172.17.0.0/24', allocationRanges: [ends] }]
  const networks = [{ name: 'InternalApi', dnsDomain: 'internalapi.example.com', subnets }]
  const token = kubectl('create', 'token', 'berth-controller', '-n', namespace).trim()
  const run = { token, namespace, uid: randomUUID() }
  const controller = startController(kube, run, '--openstack=serve')
  try {
    const asked = [{ name: 'InternalApi', subnetName: 'subnet1' }]
    const hosts = [{ ip: '172.17.0.100', hostnames: ['one.example.com'] }]
    make({ apiVersion, kind: 'NetConfig', metadata: { name: 'n', ...place }, spec: { networks } })
    make({
      apiVersion,
      kind: 'IPSet',
      metadata: { name: 'one', ...place },
      spec: { networks: asked },
    })
    make({ apiVersion, kind: 'DNSData', metadata: { name: 'hosts', ...place }, spec: { hosts } })
    make({
      apiVersion,
      kind: 'DNSMasq',
      metadata: { name: 'dns', ...place },
      spec: { options: [] },
    })
    const address = '-o=jsonpath={.status.reservations[0].address}'
    const inPlace = ['-n', 'openstack', '--ignore-not-found']
    const given = () => kubectl('get', 'ipset', 'one', ...inPlace, address) || undefined
    expect(await until('the host has an address', given)).toBe('172.17.0.100')
    for (const made of ['configmap/hosts', 'configmap/dns', 'deployment/dnsmasq-dns']) {
      await until(made, () => kubectl('get', made, ...inPlace, '-o=name') || undefined)
    }
    await until(
      'the DNS server has rights of its own',
      () => kubectl('get', 'rolebindings', '-n', 'openstack', '-o=name') || undefined,
    )
  } finally {
    await controller.stop('SIGTERM')
  }
  return controller.log()
}

describe.skipIf(!isHere)('openstack.enabled', () => {
  test('without it nothing is granted, defined or asked before objects are made', async () => {
    helm('install', 'berth', chart, '-n', namespace, '--create-namespace')
    await definitionsEstablished(kubectl)
    expect(await allowedOf([...granted, ...never])).toEqual([])
    expect(await allowedOf(always)).toEqual(allOf(always))
    expect(containerArgs()).not.toContain('openstack')
    expect(hooks()).not.toContain('openstack')
    expect(definitions()).not.toContain('openstack')
  })

  test('with it the account may do what it needs, and no more', async () => {
    const set = ['openstack.enabled=true', 'openstack.crds=true'].flatMap((one) => ['--set', one])
    helm('upgrade', 'berth', chart, '-n', namespace, ...set)
    await definitionsEstablished(kubectl)
    expect(await allowedOf([...granted, ...always])).toEqual(allOf([...granted, ...always]))
    expect(await allowedOf(never)).toEqual([])
    expect(containerArgs()).toContain('--openstack=auto')
    expect(hooks().match(/berth-openstack-webhook-configuration/g)).toHaveLength(2)
    expect(definitions().match(/network\.openstack\.org/g)).toHaveLength(6)
  })

  test('under these rights a host gets its address and names are served, and nothing is refused', async () => {
    // Nobody answers for the webhooks here.
    for (const kind of ['mutating', 'validating']) {
      kubectl('delete', `${kind}webhookconfiguration`, 'berth-openstack-webhook-configuration')
    }
    expect(await servedUnderShippedRights()).not.toMatch(/forbidden|"level":"error"/i)
  })

  test('taken back, nothing is granted any more, and what was made stays', async () => {
    // Without any value, helm upgrade would keep those of before.
    const set = ['openstack.enabled=false', 'openstack.crds=true'].flatMap((one) => ['--set', one])
    helm('upgrade', 'berth', chart, '-n', namespace, ...set)
    expect(await allowedOf([...granted, ...never])).toEqual([])
    expect(containerArgs()).not.toContain('openstack')
    const kept = kubectl('get', 'ipsets,reservations', '-n', 'openstack', '-o=name')
    expect(kept).toContain('ipset.network.openstack.org/one')
    expect(kept).toContain('reservation.network.openstack.org/one')
  })
})
