// Do chart and kustomize make what they should? The same objects by both ways, from the same values.
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { newMetrics } from '../../src/app/controller/metrics.ts'
import { World } from '../../src/core/model/world.ts'
import { Requests } from '../../src/edge/kube/serve/requests.ts'
import { findHelm } from './helm/helm.ts'
import { type Manifest, manifestsIn, programAt } from './helm/programs.ts'

const found = findHelm()
const isHere = inject('kubectl') !== '' && 'path' in found
const [chart, kustomize] = ['deploy/helm/berth', 'deploy/kustomize']
const namespace = 'metallb-system'
const supported = ['1.29.0', '1.36.0']
const folder = mkdtempSync(join(tmpdir(), 'berth-rendering-'))
const kubectl = programAt(inject('kubectl'), folder)
const helm = programAt('path' in found ? found.path : '', folder)

afterAll(() => {
  rmSync(folder, { recursive: true })
  process.stdout.write(`rendering: ${isHere ? 'ran' : `not run: ${'why' in found && found.why}`}\n`)
  const isAsked = process.env['BERTH_REQUIRE_ALL'] === '1'
  if (isAsked && !isHere) throw new Error('BERTH_REQUIRE_ALL=1 asks for every suite')
})

const render = (version: string, ...args: readonly string[]): Manifest[] =>
  manifestsIn(helm('template', 'berth', chart, '-n', namespace, '--kube-version', version, ...args))

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

describe.skipIf(!isHere)('rendering', () => {
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

  test('the Namespace is rendered when asked for, as by kustomize, and an uninstallation keeps it', () => {
    const namespaces = (all: readonly Manifest[]) => all.filter(({ kind }) => kind === 'Namespace')
    expect(namespaces(render('1.36.0'))).toEqual([])
    const [made] = namespaces(render('1.36.0', '--set', 'namespace.create=true'))
    const [ofKustomize] = namespaces(manifestsIn(kubectl('kustomize', kustomize)))
    expect(made?.metadata).toEqual({
      ...ofKustomize?.metadata,
      annotations: { 'helm.sh/resource-policy': 'keep' },
    })
  })

  test.each([
    { has: true, asked: 'auto', made: 1 },
    { has: false, asked: 'auto', made: 0 },
    { has: false, asked: 'true', made: 1 },
    { has: true, asked: 'false', made: 0 },
  ])(
    'where OpenShift is $has and constraints are asked for with $asked',
    ({ has, asked, made }) => {
      const args = ['--set', `openshift.securityContextConstraints=${asked}`]
      const api = has ? ['--api-versions', 'security.openshift.io/v1'] : []
      const rendered = render('1.36.0', ...args, ...api)
      const isOne = ({ kind }: Manifest) => kind === 'SecurityContextConstraints'
      expect(rendered.filter(isOne)).toHaveLength(made)
    },
  )

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

  test('the overlay of the guide to OpenStack names the image everywhere, and refuses', () => {
    const guide = readFileSync('docs/guides/openstack.md', 'utf8')
    const [, overlay = ''] = /```yml\n(# kustomization\.yaml\n.*?)```/s.exec(guide) ?? []
    const deploy = relative(realpathSync(folder), 'deploy')
    writeFileSync(join(folder, 'kustomization.yaml'), overlay.replace('../deploy', deploy))
    const rendered = manifestsIn(kubectl('kustomize', folder))
    const [image, args] = [
      'YOUR-REGISTRY/berth:0.1.0',
      ['--openstack=auto', '--dns-hosts-image=YOUR-REGISTRY/berth:0.1.0'],
    ]
    expect(rendered.find(({ kind }) => kind === 'Deployment')).toMatchObject({
      spec: { template: { spec: { containers: [{ image, args }] } } },
    })
    const name = 'berth-openstack-webhook-configuration'
    const webhooks = rendered.find(
      ({ kind, metadata }) => /^Validating.*Webhook/.test(kind) && metadata.name === name,
    ) as unknown as { readonly webhooks: readonly { name: string; failurePolicy: string }[] }
    const strict = webhooks.webhooks.filter(({ failurePolicy }) => failurePolicy === 'Fail')
    expect(strict.map((one) => one.name.replace(/validationwebhook.*/, ''))).toEqual([
      'netconfig',
      'ipset',
    ])
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
