// Which pods answer? dnsmasq with the options of its DNSMasq, and beside it a container of ours
// that writes the hosts: dnsmasq reads them as they come, without a restart (R13.4).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import { recordAt } from '../../model/json.ts'
import { managed } from '../../model/made.ts'
import type { DnsMasq, Topology } from '../../model/names/dns.ts'
import { madeFromDns, serverNameLabel } from './madeFromDns.ts'
import { serverLabels, serverName, serverPort } from './serverService.ts'

export type Images = { readonly dnsmasq: string; readonly berth: string }

const configFolder = '/etc/dnsmasq.d'
const hostsFolder = `${configFolder}/hosts`

type Pods = {
  readonly server: DnsMasq
  readonly images: Images
  /** Of the options: a new one replaces the pods. */
  readonly hash: string
  readonly topology: Topology | undefined
}

export function serverDeployment(pods: Pods): JsonObject {
  const { server } = pods
  return madeFromDns(server, {
    apiVersion: apiVersionOf(apiGroups.apps),
    kind: 'Deployment',
    name: serverName(server),
    labels: { ...serverLabels, ...managed },
    spec: {
      replicas: server.replicas,
      selector: { matchLabels: serverLabels },
      // The old one answers until the new one does.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: {
        metadata: { labels: { ...serverLabels, [serverNameLabel]: server.name } },
        spec: podOf(pods),
      },
    },
  })
}

function podOf(pods: Pods): JsonObject {
  const { server, topology } = pods
  return {
    serviceAccountName: serverName(server),
    terminationGracePeriodSeconds: 10,
    // The container of the hosts tells dnsmasq to read them all again where many have changed.
    shareProcessNamespace: true,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    ...(Object.keys(server.nodeSelector).length === 0 ? {} : { nodeSelector: server.nodeSelector }),
    ...placement(topology),
    volumes: [
      {
        name: 'config',
        configMap: { name: server.name, items: [{ key: server.name, path: 'config.cfg' }] },
      },
      { name: 'hosts', emptyDir: {} },
    ],
    initContainers: [
      { ...dnsmasq(pods, ['--test']), name: 'init' },
      { ...hosts(pods, ['--once']), name: 'hosts-init' },
    ],
    containers: [
      { ...dnsmasq(pods, []), name: 'dnsmasq-dns', ...probes },
      { ...hosts(pods, []), name: 'hosts' },
    ],
  }
}

const locked = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
}
const from = (fieldPath: string) => ({ fieldRef: { fieldPath } })

const dnsmasq = ({ server, images, hash }: Pods, more: readonly string[]): JsonObject => ({
  image: server.image === '' ? images.dnsmasq : server.image,
  command: ['dnsmasq'],
  args: [...argumentsOf, ...more],
  env: [
    { name: 'POD_IP', valueFrom: from('status.podIP') },
    { name: 'CONFIG_HASH', value: hash },
  ],
  securityContext: locked,
  volumeMounts: [
    { name: 'config', mountPath: `${configFolder}/config.cfg`, subPath: 'config.cfg' },
    { name: 'hosts', mountPath: hostsFolder },
  ],
})

const argumentsOf: readonly string[] = [
  '--interface=*',
  `--conf-dir=${configFolder}`,
  `--hostsdir=${hostsFolder}`,
  '--keep-in-foreground',
  '--log-queries',
  '--log-facility=-',
  '--bind-interfaces',
  '--listen-address=$(POD_IP)',
  `--port=${serverPort}`,
  '--pid-file=',
  '--no-hosts',
  '--no-resolv',
  '--domain-needed',
  '--bogus-priv',
]

const hosts = ({ server, images }: Pods, more: readonly string[]): JsonObject => ({
  image: images.berth,
  command: ['node', 'dist/main.js', 'dns-hosts'],
  args: ['--folder', hostsFolder, '--label', server.selects.toLowerCase(), ...more],
  env: [{ name: 'POD_NAMESPACE', valueFrom: from('metadata.namespace') }],
  securityContext: locked,
  volumeMounts: [{ name: 'hosts', mountPath: hostsFolder }],
})

const probe = (seconds: number): JsonObject => ({
  tcpSocket: { port: serverPort },
  initialDelaySeconds: seconds,
  periodSeconds: seconds,
  timeoutSeconds: 5,
})
const probes = { livenessProbe: probe(3), readinessProbe: probe(5) }

/** On different nodes if that is possible, unless a Topology says otherwise. */
function placement(topology: Topology | undefined): JsonObject {
  if (topology === undefined) return { affinity: apart }
  const { topologySpreadConstraints: constraints, affinity } = topology.spec
  const labelSelector = { matchLabels: serverLabels }
  const spread = Array.isArray(constraints) ? constraints : []
  return {
    ...(affinity === undefined ? {} : { affinity: recordAt(topology.spec, 'affinity') }),
    ...(spread.length === 0
      ? {}
      : { topologySpreadConstraints: spread.map((one) => ({ labelSelector, ...one })) }),
  }
}

const apart = {
  podAntiAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      {
        weight: 100,
        podAffinityTerm: {
          labelSelector: {
            matchExpressions: [{ key: 'service', operator: 'In', values: ['dnsmasq'] }],
          },
          topologyKey: 'kubernetes.io/hostname',
        },
      },
    ],
  },
}
