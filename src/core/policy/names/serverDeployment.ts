// Which pods answer? dnsmasq with the options of its DNSMasq, and beside it a container of ours
// that writes the hosts: dnsmasq reads them as they come, without a restart (R13.4).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import { recordAt } from '../../model/json.ts'
import { managed } from '../../model/made.ts'
import type { DnsMasq, Topology } from '../../model/names/dns.ts'
import { hashOfData } from '../../model/names/objectHash.ts'
import { madeFromDns, serverNameLabel } from './madeFromDns.ts'
import { serverLabels, serverName, serverPort } from './serverService.ts'

export type Images = { readonly dnsmasq: string; readonly berth: string }

const configFolder = '/etc/dnsmasq.d'
const hostsFolder = `${configFolder}/hosts`
/** Not in the other folder: there dnsmasq takes every file for options. */
const serversFolder = '/etc/dnsmasq.servers'
const serversFile = `${serversFolder}/servers`
/** With the pods and not in a ConfigMap: those of an earlier revision start with what they had. */
const optionsKey = 'berth.dev/dnsmasq-options'
/** Of the containers, where the namespace gives them none. */
const nobody = 65_534

type Pods = {
  readonly server: DnsMasq
  readonly images: Images
  /** That dnsmasq reads at its start: others replace the pods. */
  readonly options: string
  /** Whether the namespace has user ids for its pods, as on OpenShift. */
  readonly hasUserIds: boolean
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
        metadata: {
          labels: { ...serverLabels, [serverNameLabel]: server.name },
          annotations: { [optionsKey]: pods.options },
        },
        spec: podOf(pods),
      },
    },
  })
}

function podOf(pods: Pods): JsonObject {
  const { server, topology, hasUserIds } = pods
  return {
    serviceAccountName: serverName(server),
    terminationGracePeriodSeconds: 10,
    // The container of the hosts tells dnsmasq to read its files again, as the same user.
    shareProcessNamespace: true,
    securityContext: {
      runAsNonRoot: true,
      ...(hasUserIds ? {} : { runAsUser: nobody }),
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(Object.keys(server.nodeSelector).length === 0 ? {} : { nodeSelector: server.nodeSelector }),
    ...placement(topology),
    volumes: [
      {
        name: 'options',
        downwardAPI: {
          items: [{ path: 'config.cfg', ...from(`metadata.annotations['${optionsKey}']`) }],
        },
      },
      { name: 'hosts', emptyDir: {} },
      { name: 'servers', emptyDir: {} },
    ],
    initContainers: [
      { ...dnsmasq(pods, ['--test']), name: 'init' },
      { ...hosts(pods, ['--once']), name: 'hosts-init' },
    ],
    containers: [
      { ...dnsmasq(pods, []), name: 'dnsmasq-dns', ...probes, lifecycle },
      // If it ended, the pod would not be ready, and nobody would ask a dnsmasq that answers.
      { ...hosts(pods, ['--restart']), name: 'hosts' },
    ],
  }
}

const locked = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
}
const from = (fieldPath: string) => ({ fieldRef: { fieldPath } })

/** It ends at once when it is told to, and is asked until every node knows that it goes. */
const lifecycle = { preStop: { exec: { command: ['sleep', '5'] } } }

const dnsmasq = ({ server, images, options }: Pods, more: readonly string[]): JsonObject => ({
  image: server.image === '' ? images.dnsmasq : server.image,
  command: ['dnsmasq'],
  args: [...argumentsOf, ...more],
  env: [
    { name: 'POD_IP', valueFrom: from('status.podIP') },
    { name: 'CONFIG_HASH', value: hashOfData({ options }) },
  ],
  // Which option it does not accept is the last that it says.
  terminationMessagePolicy: 'FallbackToLogsOnError',
  securityContext: locked,
  volumeMounts: [
    { name: 'options', mountPath: `${configFolder}/config.cfg`, subPath: 'config.cfg' },
    ...written,
  ],
})

const written = [
  { name: 'hosts', mountPath: hostsFolder },
  { name: 'servers', mountPath: serversFolder },
]

const argumentsOf: readonly string[] = [
  '--interface=*',
  `--conf-dir=${configFolder}`,
  `--hostsdir=${hostsFolder}`,
  `--servers-file=${serversFile}`,
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
  args: [
    ...['--folder', hostsFolder, '--label', server.selects.toLowerCase()],
    ...['--config', server.name, '--servers-file', serversFile],
    ...more,
  ],
  env: [{ name: 'POD_NAMESPACE', valueFrom: from('metadata.namespace') }],
  securityContext: locked,
  volumeMounts: written,
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
