// What does a Service request and what does it have? The view that decisions are based on.
import { communityAnnotations } from '../../../core/model/bgpAnnotations.ts'
import { hostnameAnnotation, serverLabel } from '../../../core/model/names/dnsLabels.ts'
import { selectorText } from '../../../core/model/selector.ts'
import type {
  Addressed,
  EndpointSliceView,
  FamilyPolicy,
  ServiceView,
} from '../../../core/model/service.ts'
import { type Family, familyOf, type Ip, parseIp } from '../../../core/net/ip.ts'
import {
  allocatedFromPool,
  berth,
  deprecatedAnnotations,
  metallbAnnotation,
} from '../annotations.ts'
import { madeFromSite } from './decodeMaker.ts'
import { keyFrom, metaOf } from './decodeMeta.ts'
import type { Fields } from './fields.ts'
import { internedList } from './interned.ts'

export function decodeService(object: Fields): ServiceView {
  const { name, namespace, uid, resourceVersion, createdAt, labels, annotations } = metaOf(object)
  const communities = annotations[communityAnnotations.asked]
  const spec = object.inner('spec')
  const isLocal = spec.text('externalTrafficPolicy') === 'Local'
  const matchLabels = spec.labels('selector')
  const sharing = metallbAnnotation(annotations, 'allow-shared-ip')
  return {
    kind: 'Service',
    key: keyFrom(namespace, name),
    namespace,
    name,
    uid,
    resourceVersion,
    createdAt,
    labels,
    isLoadBalancer: spec.text('type') === 'LoadBalancer',
    loadBalancerClass: spec.text('loadBalancerClass'),
    clusterFamilies: clusterFamilies(spec),
    familyPolicy: familyPolicyOf(spec.text('ipFamilyPolicy')),
    primaryFamily: spec.texts('ipFamilies')[0] === 'IPv6' ? 'IPv6' : 'IPv4',
    ports: internedList(spec.each('ports').map(portText)),
    isLocal,
    backend: isLocal ? selectorText({ matchLabels, matchExpressions: [] }) : '',
    asksPool: metallbAnnotation(annotations, 'address-pool') ?? '',
    asksByAnnotation: metallbAnnotation(annotations, 'loadBalancerIPs') ?? '',
    asksByField: spec.text('loadBalancerIP'),
    sharingKey: sharing ?? '',
    hasSharingAnnotation: sharing !== undefined,
    deprecatedAnnotation: deprecatedAnnotations(annotations)[0] ?? '',
    ...ingressOf(object),
    recordedPool: annotations[allocatedFromPool] ?? '',
    addressed: addressedOf(object),
    ...(communities !== undefined && { communities }),
    ...madeFromSite(object, labels),
    ...namesOf({ labels, annotations }, spec),
  }
}

/** What only few Services have. */
function namesOf(
  { labels, annotations }: Pick<ReturnType<typeof metaOf>, 'labels' | 'annotations'>,
  spec: Fields,
): Pick<ServiceView, 'hostname' | 'clusterIps'> {
  const hostname = annotations[hostnameAnnotation] ?? ''
  const isServer = labels[serverLabel.key] === serverLabel.value
  return {
    ...(hostname !== '' && { hostname }),
    ...(isServer && { clusterIps: clusterIpsOf(spec) }),
  }
}

/** From the cluster IPs and not from ipFamilies, as in MetalLB (M2.2). */
function clusterFamilies(spec: Fields): readonly Family[] {
  return internedList(clusterIpsOf(spec).map(familyOf))
}

function clusterIpsOf(spec: Fields): readonly Ip[] {
  const all = spec.texts('clusterIPs')
  return (all.length > 0 ? all : [spec.text('clusterIP')]).flatMap((text) => {
    const ip = parseIp(text)
    return ip.ok ? [ip.value] : []
  })
}

const familyPolicyOf = (text: string): FamilyPolicy =>
  text === 'PreferDualStack' || text === 'RequireDualStack' ? text : 'SingleStack'

const portText = (port: Fields): string =>
  `${port.text('protocol') || 'TCP'}/${port.number('port') ?? 0}`

type Ingress = Pick<ServiceView, 'ingress' | 'hasOtherIngress' | 'ingressEntries'>

function ingressOf(object: Fields): Ingress {
  const entries = object.inner('status').inner('loadBalancer').each('ingress')
  const ingress = entries.flatMap((entry): Ip[] => {
    const ip = entry.parseIf('ip', parseIp)
    return ip === undefined ? [] : [ip]
  })
  const hasOtherIngress = ingress.length < entries.length
  const ingressEntries = entries.filter(saysMore).map(({ json }) => json)
  return {
    ingress: ingress.slice(),
    hasOtherIngress,
    ...(ingressEntries.length > 0 && { ingressEntries }),
  }
}

/** The API server adds this mode to every address. */
const saysMore = (entry: Fields): boolean =>
  entry.names().some((name) => name !== 'ip' && (name !== 'ipMode' || entry.text(name) !== 'VIP'))

/** Nearly all Services have this condition, so they share one object. */
const plainlyAddressed: Addressed = { status: 'True', reason: 'Addressed', message: '' }

function addressedOf(object: Fields): Addressed | undefined {
  const conditions = object.inner('status').each('conditions')
  const found = conditions.find((condition) => condition.text('type') === berth.addressed)
  if (found === undefined) return undefined
  const [status, reason, message] = [
    found.text('status'),
    found.text('reason'),
    found.text('message'),
  ]
  const isPlain = status === 'True' && reason === plainlyAddressed.reason && message === ''
  return isPlain ? plainlyAddressed : { status, reason, message }
}

export function decodeEndpointSlice(object: Fields): EndpointSliceView {
  const { name, namespace, labels } = metaOf(object)
  const endpoints = object.each('endpoints').map((endpoint) => ({
    node: endpoint.text('nodeName'),
    isUsable: isUsable(endpoint.inner('conditions')),
  }))
  return {
    kind: 'EndpointSlice',
    key: keyFrom(namespace, name),
    service: keyFrom(namespace, labels['kubernetes.io/service-name'] ?? ''),
    endpoints: internedList(endpoints),
  }
}

/** Terminating but serving counts as usable, and so does an unset condition (M5.3). */
const isUsable = (conditions: Fields): boolean =>
  conditions.flag('ready') !== false || conditions.flag('serving') === true
