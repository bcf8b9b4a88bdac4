// What does a cluster with MetalLB's objects look like to Berth? Conversion, check, shadow and the
// switch by hand; test/migrate walks it with running programs.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runShadow } from '../../src/app/controller/runShadow.ts'
import { systemClock } from '../../src/edge/host/clock.ts'
import { type ApiRequest, newApi } from '../../src/edge/kube/api/client.ts'
import { pool, service } from '../build/terminal.ts'
import { contract } from './cluster.ts'
import { connectionFor } from './harness.ts'
import { definitionsEstablished } from './helm/programs.ts'
import { isSince } from './kubeVersion.ts'
import { type OwnKube, type Ran, startOwnKube } from './ownKube.ts'
import { type Program, startProgram } from './program.ts'
import { until } from './waits.ts'

/** Ports of the machine are not ours to take in a test. */
const quietly = ['--port=0', '--health-probe-port=0', '--webhook-mode=disabled']

let kube: OwnKube
let folder = ''
let controller: Program | undefined
const next = (command: string): Ran => {
  const ran = isSince(30) ? command : command.replace('/beside-', '/without-policies/beside-')
  return kube.shell(`cd '${folder}'; ${ran}`)
}
const ok = (command: string): string => {
  const { exit, out, err } = next(command)
  expect([exit, err]).toEqual([0, expect.any(String)])
  return out
}
const fixesIn = (out: string): string[] =>
  [...out.matchAll(/^ {2}fix: (.*)$/gm)].map(([, fix = '']) => fix)
const codesIn = (out: string): string[] =>
  [...out.matchAll(/^(?:error|warning) (\S+) /gm)].map(([, code = '']) => code)

const config = `
apiVersion: v1
kind: ConfigMap
metadata: {name: config, namespace: metallb-system}
data:
  config: |
    address-pools:
    - {name: Old_Pool, protocol: layer2, addresses: [10.0.5.0/30]}
`
const workload = (kind: string, component: string): object => {
  const labels = { app: 'metallb', component }
  const containers = [{ name: component, image: 'metallb' }]
  const template = { metadata: { labels }, spec: { containers } }
  const metadata = { name: component, namespace: 'metallb-system', labels }
  const spec = { selector: { matchLabels: labels }, template }
  return { apiVersion: 'apps/v1', kind, metadata, spec }
}
const webhooks = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'metallb-webhook-configuration' },
  webhooks: [
    {
      name: 'ipaddresspoolvalidationwebhook.metallb.io',
      clientConfig: { service: { name: 'metallb-webhook-service', namespace: 'metallb-system' } },
      rules: [
        {
          apiGroups: ['metallb.io'],
          apiVersions: ['v1beta1'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['ipaddresspools'],
        },
      ],
      failurePolicy: 'Fail',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
}
const peer = `---
apiVersion: metallb.io/v1beta2
kind: BGPPeer
metadata: {name: tor, namespace: metallb-system}
spec: {myASN: 64512, peerASN: 64513, peerAddress: 10.0.0.254}
`
const given = (ip: string) => JSON.stringify({ status: { loadBalancer: { ingress: [{ ip }] } } })
const reserved = `---
apiVersion: berth.dev/v1alpha1
kind: Address
metadata: {name: 10.0.0.9}
spec: {address: 10.0.0.9}
`

/** As the chart installs them: a release whose record holds a definition. */
function ownedByHelm(): void {
  const manifest =
    '---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n' +
    'metadata: {name: ipaddresspools.metallb.io}\nspec: {group: metallb.io}\n'
  const packed = gzipSync(JSON.stringify({ name: 'metallb', manifest })).toString('base64')
  const labels = { owner: 'helm', name: 'metallb', version: '1', status: 'deployed' }
  const record = {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: { name: 'sh.helm.release.v1.metallb.v1', namespace: 'metallb-system', labels },
    stringData: { release: packed },
  }
  kube.kubectl(['apply', '-f', '-'], JSON.stringify(record))
  const conversion = {
    spec: {
      conversion: { webhook: { clientConfig: { service: { name: 'metallb-webhook-service' } } } },
    },
  }
  const peers = 'bgppeers.metallb.io'
  kube.kubectl(['patch', 'crd', peers, '--type=merge', '-p', JSON.stringify(conversion)])
  const stored = JSON.stringify({ status: { storedVersions: ['v1beta1', 'v1beta2'] } })
  kube.kubectl(['patch', 'crd', peers, '--subresource=status', '--type=merge', '-p', stored])
}

/** What stands in for the pods of the Deployment, which nothing here runs. */
function startController(): Program {
  const args = [
    resolve('src/main.ts'),
    'controller',
    '--kubeconfig',
    kube.kubeconfig('admin'),
    ...quietly,
  ]
  return startProgram({ name: 'berth-controller', path: process.execPath, args, folder })
}
const services = (): string =>
  kube.kubectl([
    'get',
    'services',
    '-n',
    'default',
    '-o',
    'jsonpath={range .items[?(@.spec.type=="LoadBalancer")]}{.metadata.name} ' +
      '{.status.loadBalancer.ingress[*].ip} {.status.conditions[*].reason}{"\\n"}{end}',
  ])

contract('a cluster with MetalLB', () => {
  beforeAll(async () => {
    kube = await startOwnKube()
    folder = mkdtempSync(join(tmpdir(), 'berth-migrate-'))
    for (const name of ['berth', 'deploy']) symlinkSync(resolve(name), join(folder, name))
    kube.kubectl(['apply', '--server-side', '-f', 'deploy/crds'])
    await definitionsEstablished((...args) => kube.kubectl(args))
    kube.kubectl(['create', 'namespace', 'metallb-system'])
  })
  afterAll(async () => {
    await controller?.stop()
    await kube?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('[M8.2] the ConfigMap becomes resources that the API server takes', () => {
    kube.kubectl(['apply', '-f', '-'], config)
    ok('kubectl -n metallb-system get configmap config -o yaml > config.yaml')
    const { exit, err } = next('./berth migrate configmap config.yaml > resources.yaml')
    expect([exit, err]).toEqual([0, expect.stringContaining('pool Old_Pool is now old-pool')])
    const out = ok('kubectl apply -f resources.yaml')
    expect(out).toContain('ipaddresspool.metallb.io/old-pool created')
    expect(out).toContain('l2advertisement.metallb.io/l2advertisement1 created')
  })

  test('check finds what is in the way, and its commands clear it', () => {
    const made = [pool('lan', '10.0.0.1-10.0.0.9'), peer, service('web'), service('api'), reserved]
    kube.kubectl(['apply', '-f', '-'], made.join(''))
    for (const [name, ip] of [
      ['web', '10.0.0.5'],
      ['api', '10.0.0.3'],
    ] as const) {
      kube.kubectl(['patch', 'service', name, '--subresource=status', '-p', given(ip)])
    }
    ownedByHelm()
    const metallb = [
      workload('Deployment', 'controller'),
      workload('DaemonSet', 'speaker'),
      webhooks,
    ]
    for (const object of metallb) kube.kubectl(['apply', '-f', '-'], JSON.stringify(object))
    const { exit, out } = next('./berth migrate check')
    expect(exit).toBe(2)
    expect(codesIn(out)).toEqual([
      'crds-owned-by-helm',
      'peers-stored-as-v1beta1',
      'conversion-by-metallb',
      'metallb-controller-runs',
      'webhook-of-metallb',
      'metallb-speaker-runs',
      'removal-takes-pools',
    ])
    const fixes = fixesIn(out)
    const now = fixes.filter((fix) => /^(kubectl (get|patch)|berth migrate step keep)/.test(fix))
    for (const fix of now) expect(kube.shell(fix), fix).toMatchObject({ exit: 0 })
    const after = kube.shell('berth migrate check -o json')
    expect(JSON.parse(after.out).findings.map(({ code }: { code: string }) => code)).toEqual([
      'conversion-by-metallb',
      'metallb-controller-runs',
      'webhook-of-metallb',
      'metallb-speaker-runs',
      'removal-takes-pools',
    ])
  })

  test('the cluster as Berth sees it', () => {
    expect(ok('./berth status')).toContain('Services  2 served, 0 waiting')
    const { exit, out } = next('./berth lint --live')
    expect([exit, out]).toEqual([0, expect.stringContaining('0 errors')])
  })

  test('a shadow decides as MetalLB did, tells where not, and writes nothing', async () => {
    const log: object[] = []
    const requests: ApiRequest[] = []
    const api = newApi(connectionFor(kube, 'admin'))
    const call = (request: ApiRequest) => {
      requests.push(request)
      return api.call(request)
    }
    const stop = new AbortController()
    const settings = { ownNamespace: 'metallb-system', loadBalancerClass: '' }
    const telling = { log: (entry: object) => log.push(entry), random: Math.random }
    const parts = { api: { ...api, call }, settings, clock: systemClock, ...telling }
    const ended = runShadow(parts, stop.signal)
    const said = (entry: object) =>
      until(JSON.stringify(entry), () =>
        log.find((one) => expect.objectContaining(entry).asymmetricMatch(one)),
      )
    await said({ message: 'compared', services: 2, differing: 0 })
    kube.kubectl(['annotate', 'service', 'api', 'metallb.io/loadBalancerIPs=10.0.0.7'])
    await said({
      message: 'differs',
      service: 'default/api',
      written: ['10.0.0.3'],
      decided: ['10.0.0.7'],
    })
    kube.kubectl(['annotate', 'service', 'api', 'metallb.io/loadBalancerIPs-'])
    await until('it agrees again', () => {
      const last: object | undefined = log.at(-1)
      return expect.objectContaining({ differing: 0 }).asymmetricMatch(last) ? true : undefined
    })
    stop.abort()
    await ended
    api.close()
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
    expect(services()).toBe('api 10.0.0.3 \nweb 10.0.0.5 \n')
  })

  test('the switch: every address stays', async () => {
    ok('kubectl -n metallb-system scale deployment controller --replicas=0')
    ok('kubectl delete validatingwebhookconfiguration metallb-webhook-configuration')
    ok('./berth crds | kubectl apply --server-side --force-conflicts -f -')
    const { exit } = next('kubectl apply -k deploy/kustomize/beside-metallb')
    expect(exit).toBe(0)
    controller = startController()
    await until('both are adopted', () => services().match(/Addressed/g)?.[1])
    expect(services()).toBe('api 10.0.0.3 Addressed\nweb 10.0.0.5 Addressed\n')
    const status = ok('./berth status')
    expect(status).toMatch(/^berth \S+, leader \S+, renewed \d+s ago$/m)
    expect(status).toContain('Services  2 served, 0 waiting')
    expect(ok('kubectl get addresses')).toMatch(/10\.0\.0\.3[\s\S]*10\.0\.0\.5/)
    expect(ok('kubectl get services -A')).toContain('10.0.0.5')
  })
})
