// Does what we ship install, and suffice? Chart and kustomize on a real Kubernetes API, by the commands
// of the guides, and the controller under the account and the rights that come with them.
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { publishBundle } from '../../src/app/controller/webhookBundle.ts'
import { agreedCertificate } from '../../src/app/controller/webhookSecret.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { writtenCredentials } from '../../src/edge/kube/api/credentials.ts'
import { loadBalancer, refusal } from './cluster.ts'
import { connectionFor, findEngine, type Kube, startKube } from './harness.ts'
import { findHelm } from './helm/helm.ts'
import {
  adminKubeconfig,
  definitionsEstablished,
  programAt,
  type Run,
  startController,
} from './helm/programs.ts'
import { isSince } from './kubeVersion.ts'
import { until } from './waits.ts'

const [engine, found] = [findEngine(), findHelm()]
const why = 'why' in engine ? engine.why : 'why' in found ? `helm: ${found.why}` : undefined
const isHere = inject('kube') !== undefined && why === undefined
const [chart, kustomize] = ['deploy/helm/berth', 'deploy/kustomize']
const namespace = 'metallb-system'
const account = `system:serviceaccount:${namespace}:berth-controller`

let kube: Kube
let kubectl: Run
let helm: Run

beforeAll(async () => {
  if ('why' in engine || 'why' in found || !isHere) return
  // One of its own: it is about what is there after an installation, and after it is gone.
  kube = await startKube(engine.folder, { controllers: ['serviceaccount-controller'] })
  const kubeconfig = adminKubeconfig(kube)
  kubectl = programAt(inject('kubectl'), kube.folder, kubeconfig)
  helm = programAt(found.path, kube.folder, kubeconfig)
})
afterAll(async () => {
  await kube?.stop()
  process.stdout.write(`install: ${why === undefined ? 'ran' : `not run: ${why}`}\n`)
  const isAsked = process.env['BERTH_REQUIRE_ALL'] === '1'
  if (isAsked && !isHere) throw new Error('BERTH_REQUIRE_ALL=1 asks for every suite')
})

/** The one command of a guide that has these words, as it stands there. */
function guided(guide: string, words: string): string {
  const text = readFileSync(`docs/guides/${guide}.md`, 'utf8').replaceAll(/ \\\n\s*/g, ' ')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines = '']) => lines)
  const lines = blocks.flatMap((block) => block.split('\n'))
  const [line = '', ...others] = lines.filter((one) => `${one}\n`.includes(words))
  expect([line === '', others], words).toEqual([false, []])
  const [program, ...args] = line.replace(/\s+#.*/, '').split(' ')
  return (program === 'helm' ? helm : kubectl)(...args)
}

/** As the account that was shipped, with a token as a pod gets it. */
function apiOfAccount(): { readonly api: Api; readonly token: string } {
  const token = kubectl('create', 'token', 'berth-controller', '-n', namespace).trim()
  const credentials = writtenCredentials({ token: { text: token } })
  return { api: newApi({ ...connectionFor(kube, 'nobody'), credentials }), token }
}

async function addressOf(service: string): Promise<string> {
  const ip = '-o=jsonpath={.status.loadBalancer.ingress[0].ip}'
  const asked = ['service', service, '-n', 'shop', ip]
  return until(`${service} has an address`, () => kubectl('get', ...asked) || undefined)
}

type Serving = { readonly pool: string; readonly range: string; readonly ip: string }

/** No webhook is served meanwhile: a pool can be made all the same. */
async function servedUnderShippedRights({ pool, range, ip }: Serving): Promise<void> {
  const { api, token } = apiOfAccount()
  api.close()
  const uid = randomUUID()
  const controller = startController(kube, { token, namespace, uid })
  const metadata = { name: pool, namespace }
  const [apiVersion, kind, spec] = ['metallb.io/v1beta1', 'IPAddressPool', { addresses: [range] }]
  try {
    make({ apiVersion, kind, metadata, spec })
    make(loadBalancer(pool), '-n', 'shop')
    expect(await addressOf(pool)).toBe(ip)
    const counted = ['ipaddresspool', pool, '-n', namespace, '-o=jsonpath={.status.assignedIPv4}']
    await until('how full the pool is', () => kubectl('get', ...counted) || undefined)
    const state = ['configurationstate', 'controller', '-n', namespace]
    const result = '-o=jsonpath={.status.result}'
    expect(await until('the result', () => kubectl('get', ...state, result) || undefined)).toBe(
      'Valid',
    )
    const owners = '-o=jsonpath={.metadata.ownerReferences[*].uid}'
    await until('its pod owns it', () => kubectl('get', ...state, owners) === uid || undefined)
    await tenantServed()
    const events = ['events', '-n', 'shop', '-o=name']
    await until('the event', () => kubectl('get', ...events) || undefined)
  } finally {
    await controller.stop('SIGTERM')
  }
  expect(controller.lastWords()).not.toMatch(/forbidden/i)
}

/** A tenant's pool comes with it and goes with it. */
async function tenantServed(): Promise<void> {
  const networks = [{ name: 'api', cidrs: ['172.27.0.0/24'], loadBalancer: ['172.27.0.80/29'] }]
  const metadata = { name: 'team' }
  const spec = { namespaces: { names: ['team'] }, networks }
  make({ apiVersion: 'berth.dev/v1alpha1', kind: 'Tenant', metadata, spec })
  const pools = () => kubectl('get', 'ipaddresspools', '-n', namespace, '-o=name').split('\n')
  const isThere = () => pools().includes('ipaddresspool.metallb.io/team-api')
  await until("the tenant's pool", () => isThere() || undefined)
  const status = ['tenant', 'team', '-o=jsonpath={.status.conditions}']
  await until("the tenant's status", () => kubectl('get', ...status) || undefined)
  kubectl('delete', 'tenant', 'team')
  await until("that the tenant's pool is gone", () => !isThere() || undefined)
}

function make(object: object, ...args: readonly string[]): string {
  const file = join(kube.folder, 'object.json')
  writeFileSync(file, JSON.stringify(object))
  return kubectl('create', '-o=name', '-f', file, ...args).trim()
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** With the rights of the account, what its webhooks need is put where it belongs. */
async function certified(): Promise<object> {
  const { api } = apiOfAccount()
  const names = [`berth-webhook-service.${namespace}.svc`]
  const { cert, ca } = await agreedCertificate({ api, namespace, names, now: () => new Date() })
  await publishBundle({ api, names, bundle: ca })
  api.close()
  const known = { served: base64(cert), webhooks: new Set([base64(ca)]), conversion: base64(ca) }
  expect(trust()).toEqual(known)
  return known
}

/** What is served, and whom the API server trusts. */
function trust(): object {
  const get = (what: string, path: string) =>
    kubectl('get', ...what.split(' '), `-o=jsonpath=${path}`)
  const configuration = 'validatingwebhookconfiguration berth-webhook-configuration'
  const bundles = get(configuration, '{.webhooks[*].clientConfig.caBundle}')
  const conversion = '{.spec.conversion.webhook.clientConfig.caBundle}'
  return {
    served: get(`secret berth-webhook-cert -n ${namespace}`, '{.data.tls\\.crt}'),
    webhooks: new Set(bundles.split(' ')),
    conversion: get('crd bgppeers.metallb.io', conversion),
  }
}

const inOurs = (group: string, plural: string, name: string): string =>
  `/apis/${group}/namespaces/${namespace}/${plural}/${name}`
const lease = (name: string): string => inOurs('coordination.k8s.io/v1', 'leases', name)
const profile = inOurs('metallb.io/v1beta1', 'bfdprofiles', 'x')
const secret = (name: string): string => `/api/v1/namespaces/${namespace}/secrets/${name}`
const webhook = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/metallb'
const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/x.metallb.io'
const [othersSecret, web] = ['secrets/x', 'services/helm'].map(
  (path) => `/api/v1/namespaces/shop/${path}`,
)

describe.skipIf(!isHere)('installing', () => {
  test('helm installs the chart, and every definition is accepted', async () => {
    const said = guided('install', 'helm install berth')
    expect(said).toContain('STATUS: deployed')
    expect(said).toContain('is installed in metallb-system, from YOUR-REGISTRY/berth:')
    // Helm makes a namespace without labels: the notes say how to let the speakers in.
    const [command = ''] = /kubectl (label namespace .*)/.exec(said) ?? []
    kubectl(...command.split(' ').slice(1))
    const asked = ['get', 'namespace', namespace, '-o=jsonpath={.metadata.labels}']
    expect(kubectl(...asked)).toContain('"pod-security.kubernetes.io/enforce":"privileged"')
    await definitionsEstablished(kubectl)
    const definitions = kubectl('get', 'crd', '-o=name').trim().split('\n')
    expect(definitions).toHaveLength(readdirSync('deploy/crds').length)
  })

  test('the pod passes where pod security is restricted', () => {
    const enforced = 'pod-security.kubernetes.io/enforce=restricted'
    kubectl('label', 'namespace', namespace, '--overwrite', enforced)
    const template = '{.spec.template}'
    const json = kubectl(
      'get',
      'deployment',
      'berth-controller',
      '-n',
      namespace,
      `-o=jsonpath=${template}`,
    )
    const { metadata, spec } = JSON.parse(json) as { metadata: object; spec: object }
    const named = { ...metadata, name: 'try', namespace }
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: named, spec }
    const made = make(pod, '--dry-run=server')
    expect(made).toBe('pod/try')
  })

  test('under the shipped rights a Service gets its address, and nothing is refused', async () => {
    kubectl('create', 'namespace', 'shop')
    const range = '192.0.2.10-192.0.2.10'
    await servedUnderShippedRights({ pool: 'helm', range, ip: '192.0.2.10' })
  })

  test('the certificate finds its way, and an upgrade leaves it where it is', async () => {
    const known = await certified()
    helm('upgrade', 'berth', chart, '-n', namespace, '--set', 'controller.replicas=3')
    expect(trust()).toEqual(known)
  })

  const backend = (): string => {
    const args = '{.spec.template.spec.containers[*].args}'
    return kubectl('get', 'daemonset', 'berth-speaker', '-n', namespace, `-o=jsonpath=${args}`)
  }

  test('the sessions are left to frr-k8s as the guide to BGP says, and one value else stays', () => {
    expect(backend()).not.toContain('frr-k8s')
    guided('bgp', 'helm upgrade berth')
    expect(backend()).toContain('--bgp-backend=frr-k8s')
    const replicas = ['deployment', 'berth-controller', '-n', namespace]
    expect(kubectl('get', ...replicas, '-o=jsonpath={.spec.replicas}')).toBe('3')
  })

  test.each([
    { what: "read a Secret in a user's namespace", method: 'GET', path: othersSecret },
    { what: 'read a Secret that is not its own', method: 'GET', path: secret('x') },
    { what: 'list Secrets', method: 'GET', path: secret('') },
    { what: 'delete a Service', method: 'DELETE', path: web },
    { what: 'edit a Service', method: 'PATCH', path: web },
    { what: 'read another Lease', method: 'GET', path: lease('other') },
    { what: 'edit a Tenant', method: 'PATCH', path: '/apis/berth.dev/v1alpha1/tenants/x' },
    { what: 'edit a BFDProfile', method: 'PATCH', path: profile },
    { what: 'edit another webhook', method: 'PATCH', path: webhook },
    { what: 'edit another definition', method: 'PATCH', path: definition },
    { what: 'list DaemonSets', method: 'GET', path: '/apis/apps/v1/daemonsets' },
    { what: 'stop MetalLB', method: 'PATCH', path: inOurs('apps/v1', 'deployments', 'controller') },
    { what: 'list pods of the cluster', method: 'GET', path: '/api/v1/pods' },
  ] as const)('the account may not $what', async ({ method, path = '' }) => {
    const { api } = apiOfAccount()
    const body = method === 'PATCH' ? {} : undefined
    const contentType = 'application/merge-patch+json'
    const refused = await refusal(api.call({ method, path, body, contentType }))
    api.close()
    expect(refused.code).toBe(403)
    expect(refused.message).toContain(account)
  })

  test('when the release is gone, definitions, pools and addresses are still there', () => {
    helm('uninstall', 'berth', '-n', namespace)
    const left = kubectl('get', 'crd,ipaddresspools,addresses', '-A', '-o=name').trim().split('\n')
    expect(left).toContain('ipaddresspool.metallb.io/helm')
    expect(left).toContain('address.berth.dev/192.0.2.10')
    expect(kubectl('get', 'deployments', '-n', namespace, '-o=name')).toBe('')
  })

  test('kustomize installs over what is left, and a Service gets its address', async () => {
    const install = () =>
      isSince(30)
        ? guided('install', 'kubectl apply -k deploy/kustomize\n')
        : kubectl('apply', '-k', `${kustomize}/without-policies`)
    install()
    const known = await certified()
    install()
    expect(trust()).toEqual(known)
    const range = '198.51.100.7-198.51.100.9'
    await servedUnderShippedRights({ pool: 'kustomize', range, ip: '198.51.100.7' })
  })

  test.skipIf(!isSince(30))('kustomize leaves the sessions to frr-k8s too', () => {
    expect(backend()).not.toContain('frr-k8s')
    guided('bgp', 'kubectl apply -k')
    expect(backend()).toContain('--bgp-backend=frr-k8s')
  })

  test('deleting the program alone leaves everything else', () => {
    kubectl('delete', '-k', `${kustomize}/controller`)
    expect(kubectl('get', 'addresses', '-o=name').trim().split('\n')).toHaveLength(2)
  })
})
