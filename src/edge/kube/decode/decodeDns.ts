// Which names are there and who answers for them? DNSMasq, DNSData, ConfigMaps with hosts, and the
// Deployment and Topology of a server.
import type { FieldError } from '../../../core/model/admission.ts'
import { invalid } from '../../../core/model/fieldError.ts'
import type {
  DeploymentView,
  DnsData,
  DnsMasq,
  DnsOption,
  HostsMap,
  Topology,
} from '../../../core/model/names/dns.ts'
import { hostsLabel } from '../../../core/model/names/dnsLabels.ts'
import { hashOfData } from '../../../core/model/names/objectHash.ts'
import { berth } from '../annotations.ts'
import { conditionsOf } from './decodeConditions.ts'
import { keyFrom, metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'

function specified(object: Fields) {
  const { name, namespace, uid, createdAt } = metaOf(object)
  const metadata = object.inner('metadata')
  return {
    key: keyFrom(namespace, name),
    name,
    namespace,
    uid,
    createdAt,
    generation: metadata.number('generation') ?? 0,
    isGoing: metadata.has('deletionTimestamp'),
    finalizers: metadata.texts('finalizers'),
    selects: object.inner('spec').text('dnsDataLabelSelectorValue') || 'dnsdata',
  }
}

export function decodeDnsData(object: Fields): DnsData {
  const [spec, status] = [object.inner('spec'), object.inner('status')]
  return {
    kind: 'DNSData',
    ...specified(object),
    hosts: spec
      .each('hosts')
      .map((host) => ({ ip: host.text('ip'), hostnames: host.texts('hostnames') })),
    madeFrom: ownerOf(object, 'DNSMasq'),
    status: {
      conditions: conditionsOf(status),
      hash: status.text('hash'),
      observedGeneration: status.number('observedGeneration') ?? 0,
    },
  }
}

export function decodeDnsMasq(object: Fields): DnsMasq {
  const [spec, status] = [object.inner('spec'), object.inner('status')]
  const common = specified(object)
  const unread: FieldError[] = []
  const { conditions: _, ...fields } = status.json
  const service = spec.inner('override').inner('service')
  const ref = spec.inner('topologyRef')
  const topology = { name: ref.text('name'), namespace: ref.text('namespace') || common.namespace }
  return {
    kind: 'DNSMasq',
    ...common,
    replicas: spec.number('replicas') ?? 1,
    ...(metaOf(object).annotations[berth.siteNames] === 'true' && { hasSiteNames: true }),
    options: optionsOf(spec, common.namespace, unread),
    image: spec.text('containerImage'),
    nodeSelector: spec.labels('nodeSelector'),
    topology: topology.name === '' ? undefined : topology,
    override: {
      labels: service.inner('metadata').labels('labels'),
      annotations: service.inner('metadata').labels('annotations'),
      spec: service.inner('spec').json,
    },
    unread,
    status: { conditions: conditionsOf(status), fields },
  }
}

/** What the webhook would have filled in counts as filled in. */
function optionsOf(spec: Fields, namespace: string, unread: FieldError[]): readonly DnsOption[] {
  const options = spec.each('options').map((option, at) => {
    const [key, values] = [option.text('key'), option.texts('values')]
    if (!dnsOptionKeys.has(key)) {
      const path = `spec.options[${at}].key`
      unread.push({ path, message: `Unsupported value: ${JSON.stringify(key)}` })
    }
    for (const [index, value] of values.entries()) {
      const path = `spec.options[${at}].values[${index}]`
      if (hasControl(value)) unread.push(invalid(path, value, oneLine))
    }
    return { key, values }
  })
  if (options.some(({ key }) => key === 'local')) return options
  return [...options, { key: 'local', values: [`/${namespace}.svc/`] }]
}

/** As the shipped definition says; whoever replaces the definition has no other program run. */
const dnsOptionKeys: ReadonlySet<string> = new Set([
  ...['server', 'rev-server', 'srv-host', 'txt-record', 'ptr-record', 'rebind-domain-ok'],
  ...['naptr-record', 'cname', 'host-record', 'caa-record', 'dns-rr', 'auth-zone', 'synth-domain'],
  ...['no-negcache', 'local', 'local-ttl', 'dhcp-ttl', 'max-ttl'],
])
const oneLine = 'must be one line without control characters'
/** A second line would be an option that nobody admitted. */
const hasControl = (text: string): boolean => /\p{Cc}/u.test(text)

export function decodeHostsMap(object: Fields): HostsMap {
  const { name, namespace, labels } = metaOf(object)
  const selects = labels[hostsLabel]
  const [data, binary] = [object.inner('data'), object.inner('binaryData')]
  const isCounted = selects !== undefined
  return {
    kind: 'ConfigMap',
    key: keyFrom(namespace, name),
    name,
    namespace,
    selects,
    text: isCounted && data.has(name) ? data.text(name) : undefined,
    hash: isCounted ? hashOfData(data.json, binary.json) : '',
    owner: ownerOf(object),
  }
}

function ownerOf(object: Fields, kind = ''): string {
  const owners = object.inner('metadata').each('ownerReferences')
  const owner = owners.find((one) => kind === '' || one.text('kind') === kind)
  if (owner === undefined) return ''
  return kind === '' ? `${owner.text('kind')}/${owner.text('name')}` : owner.text('name')
}

export function decodeDeployment(object: Fields): DeploymentView {
  const { name, namespace, annotations } = metaOf(object)
  const status = object.inner('status')
  const conditions = status.each('conditions')
  const trouble = conditions.find(
    (one) =>
      (one.text('type') === 'ReplicaFailure' && one.text('status') === 'True') ||
      (one.text('type') === 'Progressing' && one.text('status') === 'False'),
  )
  const answersAt = annotations[berth.answersAt] ?? ''
  return {
    kind: 'Deployment',
    key: keyFrom(namespace, name),
    name,
    namespace,
    generation: object.inner('metadata').number('generation') ?? 0,
    observedGeneration: status.number('observedGeneration') ?? 0,
    replicas: object.inner('spec').number('replicas') ?? 1,
    currentReplicas: status.number('replicas') ?? 0,
    updatedReplicas: status.number('updatedReplicas') ?? 0,
    readyReplicas: status.number('readyReplicas') ?? 0,
    trouble: trouble?.text('message') ?? '',
    answersAt: answersAt === '' ? [] : answersAt.split(','),
  }
}

export function decodeTopology(object: Fields): Topology {
  const { name, namespace } = metaOf(object)
  const spec = object.inner('spec').json
  return { kind: 'Topology', key: keyFrom(namespace, name), name, namespace, spec }
}
