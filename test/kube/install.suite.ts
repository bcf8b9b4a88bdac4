// Does what we ship install, and suffice? Chart and kustomize on real Kubernetes, and the
// controller under the account and the rights that come with them.
import { randomUUID } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newMetrics } from '../../src/app/controller/metrics.ts'
import { publishBundle } from '../../src/app/controller/webhookBundle.ts'
import { agreedCertificate } from '../../src/app/controller/webhookSecret.ts'
import { World } from '../../src/core/model/world.ts'
import { type Api, newApi } from '../../src/edge/kube/api/client.ts'
import { writtenCredentials } from '../../src/edge/kube/api/credentials.ts'
import { Requests } from '../../src/edge/kube/serve/requests.ts'
import { loadBalancer, refusal } from './cluster.ts'
import { connectionFor, findEngine, type Kube, startKube } from './harness.ts'
import { findHelm } from './helm/helm.ts'
import {
  adminKubeconfig,
  definitionsEstablished,
  type Manifest,
  manifestsIn,
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
const supported = ['1.29.0', '1.36.0']

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

const isDefinition = ({ kind }: Manifest): boolean => kind === 'CustomResourceDefinition'

/** Without what differs on purpose: labels, and that helm keeps definitions. */
function sorted(manifests: readonly Manifest[]): object[] {
  const bare = manifests.map(({ metadata: { name, namespace = '' }, ...object }) => ({
    ...object,
    metadata: { name, namespace },
  }))
  const id = ({ kind, metadata: { name } }: Manifest) => `${kind}/${name}`
  return bare.sort((one, other) => (id(one) < id(other) ? -1 : 1))
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

describe.skipIf(!isHere)('rendering', () => {
  const render = (version: string, ...args: readonly string[]): Manifest[] =>
    manifestsIn(
      helm('template', 'berth', chart, '-n', namespace, '--kube-version', version, ...args),
    )

  test.each(supported)('on Kubernetes %s the chart has nothing that helm warns of', (version) => {
    const said = helm('lint', '--strict', '--kube-version', version, chart)
    expect(said).toContain('1 chart(s) linted, 0 chart(s) failed')
  })

  test('before 1.29 the chart refuses', () => {
    expect(() => render('1.28.9')).toThrow('chart requires kubeVersion: >=1.29.0-0')
  })

  test.each([
    { version: '1.29.0', folder: `${kustomize}/without-policies` },
    { version: '1.36.0', folder: kustomize },
  ])('for $version chart and kustomize make the same objects', ({ version, folder }) => {
    const ofKustomize = manifestsIn(kubectl('kustomize', folder))
    const isNamespace = ({ kind }: Manifest) => kind === 'Namespace'
    expect(sorted(render(version))).toEqual(sorted(ofKustomize.filter((one) => !isNamespace(one))))
  })

  test('beside MetalLB its definitions are left alone by both', () => {
    const namesOf = (all: readonly Manifest[]) =>
      all.filter(isDefinition).map(({ metadata }) => metadata.name)
    const ours = readdirSync('deploy/crds').filter((file) => file.startsWith('berth'))
    const names = ours.map((file) => file.replace(/^berth\.dev_(.*)\.yaml$/, '$1.berth.dev'))
    const rendered = namesOf(render('1.36.0', '--set', 'crds.metallb=false'))
    expect(rendered.sort()).toEqual(names)
    const beside = namesOf(manifestsIn(kubectl('kustomize', `${kustomize}/beside-metallb`)))
    expect(beside.sort()).toEqual(names)
  })

  test('in another namespace nothing is left that names the usual one', () => {
    const yaml = helm('template', 'berth', chart, '-n', 'elsewhere', '--kube-version', '1.36.0')
    expect(yaml).toContain('system:serviceaccount:elsewhere:berth-controller')
    const mentions = yaml.split('\n').filter((line) => line.includes(namespace))
    expect(mentions.filter((line) => !/description|\s{6,}[A-Z]/.test(line))).toEqual([])
  })

  test('values reach the objects', () => {
    const set = 'controller.replicas=3,loadBalancerClass=example.com/lb,controller.image.tag=9'
    const deployment = render('1.36.0', '--set', set).find(({ kind }) => kind === 'Deployment')
    expect(deployment).toMatchObject({
      spec: {
        replicas: 3,
        template: {
          spec: { containers: [{ image: 'berth:9', args: ['--lb-class=example.com/lb'] }] },
        },
      },
    })
  })

  test.each([
    { set: 'image.tag=20240101', image: 'berth:20240101' },
    { set: 'image.digest="sha256:ab"', image: 'berth@sha256:ab' },
    { set: 'image.digest="sha256:ab",controller.image.tag="9"', image: 'berth:9' },
  ])('with $set the image is $image', ({ set, image }) => {
    const deployment = render('1.36.0', '--set-json', set).find(({ kind }) => kind === 'Deployment')
    expect(deployment).toMatchObject({ spec: { template: { spec: { containers: [{ image }] } } } })
  })

  test('a tag whose end a number would lose is refused', () => {
    expect(() => render('1.36.0', '--set-json', 'image.tag=1.10')).toThrow('want integer or string')
  })

  test('of the speaker, values reach the pods, and without it nothing of it is there', () => {
    const set = 'speaker.members.mode=nodes,speaker.ignoreExcludeLB=true,speaker.members.port=7999'
    const excluded = 'speaker.excludeInterfaces={^eth9$}'
    const rendered = render('1.36.0', '--set', set, '--set', excluded)
    expect(rendered.find(({ kind }) => kind === 'DaemonSet')).toMatchObject({
      spec: {
        template: {
          spec: {
            containers: [
              {
                args: [
                  '--members=nodes',
                  '--members-port=7999',
                  '--ignore-exclude-lb',
                  '--excluded-interfaces=/etc/berth/excluded/excludel2.yaml',
                ],
              },
            ],
          },
        },
      },
    })
    expect(rendered.find(({ kind }) => kind === 'ConfigMap')).toMatchObject({
      data: { 'excludel2.yaml': 'announcedInterfacesToExclude:\n  - ^eth9$\n' },
    })
    const without = JSON.stringify(render('1.36.0', '--set', 'speaker.enabled=false'))
    expect(without).not.toContain('berth-speaker')
  })

  type Granted = {
    readonly kind: string
    readonly metadata: { readonly name: string }
    readonly spec: {
      readonly template: { readonly spec: { readonly containers: readonly object[] } }
    }
  }
  const speakerIn = (manifests: readonly Manifest[]) =>
    (manifests as unknown as readonly Granted[]).find(({ kind }) => kind === 'DaemonSet')?.spec
      .template.spec
  const isOfFrr = ({ metadata: { name } }: Manifest) => /frr/.test(name)

  test.each(['frr', 'frr-k8s'])('%s has its rights only where it is chosen, by both ways', (by) => {
    const ofChart = render('1.36.0', '--set', `speaker.bgpBackend=${by}`)
    const ofOverlay = manifestsIn(kubectl('kustomize', `${kustomize}/${by}`))
    const names = (all: readonly Manifest[]) =>
      all.filter(isOfFrr).map(({ kind, metadata: { name } }) => `${kind}/${name}`)
    expect(names(ofChart).toSorted()).toEqual(names(ofOverlay).toSorted())
    expect(names(ofChart)).not.toEqual([])
    expect(names(render('1.36.0'))).toEqual([])
    for (const one of [ofChart, ofOverlay]) {
      expect(speakerIn(one)?.containers[0]).toMatchObject({ args: [`--bgp-backend=${by}`] })
      expect(speakerIn(one)?.containers).toHaveLength(by === 'frr' ? 3 : 1)
    }
  })

  test('metrics are secured, with the rights for it, only where that is asked for', () => {
    const set = 'prometheus.secureMetrics=true'
    const ofChart = render('1.36.0', '--set', set)
    const ofOverlay = manifestsIn(kubectl('kustomize', `${kustomize}/secure-metrics`))
    const rights = (all: readonly Manifest[]) =>
      sorted(all.filter(({ metadata: { name } }) => name.startsWith('berth-metrics-re')))
    expect(rights(ofChart)).toEqual(rights(ofOverlay))
    expect(rights(ofChart)).toHaveLength(3)
    expect(rights(render('1.36.0'))).toEqual([])
    const env = expect.arrayContaining([{ name: 'BERTH_SECURE_METRICS', value: 'true' }])
    const workloads = (all: readonly Manifest[]) =>
      all.filter(({ kind }) => kind === 'Deployment' || kind === 'DaemonSet')
    for (const one of [...workloads(ofChart), ...workloads(ofOverlay)]) {
      expect(one).toMatchObject({ spec: { template: { spec: { containers: [{ env }] } } } })
    }
    expect(JSON.stringify(render('1.36.0'))).not.toContain('BERTH_SECURE_METRICS')
    const monitored = render('1.36.0', '--set', `${set},prometheus.serviceMonitor.enabled=true`)
    const isMonitor = ({ kind }: Manifest) => kind === 'ServiceMonitor'
    const overlay = manifestsIn(kubectl('kustomize', `${kustomize}/secure-metrics/prometheus`))
    expect(sorted(monitored.filter(isMonitor))).toEqual(sorted(overlay.filter(isMonitor)))
  })

  test('certificates for the metrics are mounted from the Secrets that are named', () => {
    const of = (part: string) => `tls.${part}MetricsTLSSecret=${part}-tls`
    const set = ['prometheus.secureMetrics=true', of('controller'), of('speaker')].join(',')
    const rendered = render('1.36.0', '--set', set)
    for (const [kind, secretName] of [
      ['Deployment', 'controller-tls'],
      ['DaemonSet', 'speaker-tls'],
    ]) {
      const folder = { name: 'BERTH_METRICS_CERT_DIR', value: '/etc/berth/metrics' }
      const mount = { name: 'metrics-certs', mountPath: '/etc/berth/metrics', readOnly: true }
      const env = expect.arrayContaining([folder])
      const volumes = expect.arrayContaining([{ name: 'metrics-certs', secret: { secretName } }])
      const volumeMounts = expect.arrayContaining([mount])
      expect(rendered.find((one) => one.kind === kind)).toMatchObject({
        spec: { template: { spec: { volumes, containers: [{ env, volumeMounts }] } } },
      })
    }
  })

  test('routers may connect only where that is asked for', () => {
    const ofChart = render('1.36.0', '--set', 'speaker.bgpListenPort=179')
    const ofOverlay = manifestsIn(kubectl('kustomize', `${kustomize}/bgp-listen`))
    const capabilities = { drop: ['ALL'], add: ['NET_RAW', 'NET_BIND_SERVICE'] }
    for (const one of [ofChart, ofOverlay]) {
      expect(speakerIn(one)?.containers).toMatchObject([
        { args: ['--bgp-listen=179'], securityContext: { capabilities } },
      ])
    }
    expect(speakerIn(render('1.36.0'))?.containers).toMatchObject([
      { securityContext: { capabilities: { drop: ['ALL'], add: ['NET_RAW'] } } },
    ])
  })

  test('without webhooks nobody is asked, and the metrics go to another port', () => {
    const set = 'controller.webhookMode=disabled,prometheus.metricsPort=9200'
    const rendered = render('1.36.0', '--set', set)
    const isAsked = ({ kind, metadata: { name } }: Manifest) =>
      /Webhook|Service$|Secret/.test(kind) && name !== 'berth-members'
    expect(rendered.filter(isAsked)).toEqual([])
    expect(rendered.find(({ kind }) => kind === 'Deployment')).toMatchObject({
      spec: {
        template: {
          spec: {
            containers: [
              {
                args: ['--webhook-mode=disabled', '--port=9200'],
                ports: [
                  { name: 'metrics', containerPort: 9200 },
                  { name: 'probes', containerPort: 17472 },
                ],
              },
            ],
          },
        },
      },
    })
  })

  test('what Prometheus needs is the same by chart and kustomize, and not there by default', () => {
    const isForPrometheus = ({ apiVersion, metadata: { name } }: Manifest) =>
      apiVersion.startsWith('monitoring') || /^berth-\w+-metrics$/.test(name)
    const asked = 'prometheus.serviceMonitor.enabled=true,prometheus.prometheusRule.enabled=true'
    const ofChart = render('1.36.0', '--set', asked).filter(isForPrometheus)
    expect(sorted(ofChart)).toEqual(
      sorted(manifestsIn(kubectl('kustomize', `${kustomize}/prometheus`))),
    )
    expect(ofChart).toHaveLength(4)
    expect(render('1.36.0').filter(isForPrometheus)).toEqual([])
  })

  test.each([
    {
      set: 'prometheus.podMonitor.enabled=true,prometheus.serviceMonitor.enabled=true',
      why: 'would read everything twice',
    },
    {
      set: 'prometheus.podMonitor.enabled=true,prometheus.secureMetrics=true',
      why: 'prometheus.secureMetrics needs prometheus.serviceMonitor',
    },
    {
      set: 'controller.webhookMode=off',
      why: "/controller/webhookMode': value must be one of 'enabled', 'disabled', 'onlywebhook'",
    },
    {
      set: 'speaker.members.mode=memberlist',
      why: "/speaker/members/mode': value must be one of 'pods', 'nodes'",
    },
    {
      set: 'speaker.bgpBackend=native',
      why: "/speaker/bgpBackend': value must be one of 'berth', 'frr', 'frr-k8s'",
    },
    {
      set: 'speaker.bgpBackend=frr,speaker.bgpListenPort=179',
      why: 'speaker.bgpListenPort is for speaker.bgpBackend berth',
    },
  ])('$set is refused', ({ set, why }) => {
    expect(() => render('1.36.0', '--set', set)).toThrow(why)
  })

  test('every metric that an alert names is one that we show', () => {
    const rules = render('1.36.0', '--set', 'prometheus.prometheusRule.enabled=true')
    const alerts = JSON.stringify(rules.find(({ kind }) => kind === 'PrometheusRule'))
    const shown = newMetrics({
      world: new World({ ownNamespace: namespace, loadBalancerClass: '' }),
      requests: new Requests(),
      isLeading: () => true,
      isIn: () => true,
      isWaiting: () => false,
      complaints: () => [],
      troubles: { parked: [], failures: new Map() },
    })().map(({ name }) => name)
    const ofSpeaker = ['berth_layer2_other_owners_total', 'metallb_bgp_session_up']
    const named = alerts.match(/\b(?:metallb|berth)_[a-z0-9_]+/g) ?? []
    expect(named.length).toBeGreaterThan(5)
    expect([...shown, ...ofSpeaker]).toEqual(expect.arrayContaining(named))
  })
})

describe.skipIf(!isHere)('installing', () => {
  test('helm installs the chart, and every definition is accepted', async () => {
    const said = helm('install', 'berth', chart, '-n', namespace, '--create-namespace')
    expect(said).toContain('STATUS: deployed')
    await definitionsEstablished(kubectl)
    const definitions = kubectl('get', 'crd', '-o=name').trim().split('\n')
    expect(definitions).toHaveLength(readdirSync('deploy/crds').length)
  })

  test('the pod passes where pod security is restricted', () => {
    const enforced = 'pod-security.kubernetes.io/enforce=restricted'
    kubectl('label', 'namespace', namespace, enforced)
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
    { what: 'list Deployments elsewhere', method: 'GET', path: '/apis/apps/v1/deployments' },
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
    const folder = isSince(30) ? kustomize : `${kustomize}/without-policies`
    kubectl('apply', '-k', folder)
    const known = await certified()
    kubectl('apply', '-k', folder)
    expect(trust()).toEqual(known)
    const range = '198.51.100.7-198.51.100.9'
    await servedUnderShippedRights({ pool: 'kustomize', range, ip: '198.51.100.7' })
  })

  test('deleting the program alone leaves everything else', () => {
    kubectl('delete', '-k', `${kustomize}/controller`)
    expect(kubectl('get', 'addresses', '-o=name').trim().split('\n')).toHaveLength(2)
  })
})
