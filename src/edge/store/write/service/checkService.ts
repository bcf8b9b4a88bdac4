// Is a Service valid, by itself and as an update? Checked in the order of Kubernetes.
import type { FieldError } from '../../../../core/model/admission.ts'
import { forbidden } from '../../../../core/model/fieldError.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { invalid, unsupported } from '../../../kube/schema/schemaMessages.ts'
import { metaOf, recordOf, textOf, textsOf } from '../../values/jsonRead.ts'
import { firstErrors } from '../firstErrors.ts'
import { checkCidr, checkIp, checkReachable } from '../ipFields.ts'
import { checkLabels } from '../metadata.ts'
import { dnsSubdomain, qualifiedName } from '../names.ts'
import { checkClusterIps } from './checkClusterIps.ts'
import { checkNoNodePorts, checkNumber, checkPorts, checkRepeated } from './checkPorts.ts'
import { isHeadless, isReachedFromOutside, needsHealthCheck } from './needs.ts'
import { type Spec, specOf } from './spec.ts'

const affinities = ['ClientIP', 'None']
const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const policies = ['Cluster', 'Local']
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode']
const onlyBalanced = "may only be used when `type` is 'LoadBalancer'"

const required = (path: string): FieldError => ({ path, message: 'Required value' })
const oneOf = (path: string, value: unknown, allowed: readonly string[]): readonly FieldError[] =>
  allowed.includes(textOf(value)) ? [] : [unsupported(path, value, allowed)]

export function checkService(
  service: JsonObject,
  before: JsonObject | undefined,
): readonly FieldError[] {
  const spec = specOf(service)
  const old = before && specOf(before)
  const raw = recordOf(service['spec'])
  return [
    ...checkType(spec, raw),
    ...checkPorts(spec),
    ...checkLabels(raw['selector'], 'spec.selector'),
    ...checkAffinity(raw),
    ...checkClusterIps(spec, old),
    ...checkExternalIps(spec, old),
    ...oneOf('spec.type', spec.type, types),
    ...checkNoNodePorts(spec),
    ...checkRepeated(spec),
    ...checkSources(service, before),
    ...(spec.allocatesNodePorts !== undefined && spec.type !== 'LoadBalancer'
      ? [forbidden('spec.allocateLoadBalancerNodePorts', onlyBalanced)]
      : []),
    ...checkClass(spec),
    ...checkOutside(spec),
    ...checkTraffic(raw),
  ]
}

function checkType(spec: Spec, raw: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = []
  const { type, ports, clusterIPs, ipFamilies, ipFamilyPolicy } = spec
  const isNamed = type === 'ExternalName'
  if (ports.length === 0 && !isHeadless(spec) && !isNamed) errors.push(required('spec.ports'))
  if (isHeadless(spec) && (type === 'LoadBalancer' || type === 'NodePort')) {
    const why = `may not be set to 'None' for ${type} services`
    errors.push(invalid('spec.clusterIPs[0]', 'None', why))
  }
  if (!isNamed) return errors
  const refuse = (name: string, isGiven: boolean): void => {
    if (isGiven) errors.push(forbidden(`spec.${name}`, 'may not be set for ExternalName services'))
  }
  refuse('clusterIPs', clusterIPs.length > 0)
  refuse('ipFamilies', ipFamilies.length > 0)
  refuse('ipFamilyPolicy', ipFamilyPolicy !== undefined)
  const name = textOf(raw['externalName']).replace(/\.$/, '')
  if (name === '') errors.push(required('spec.externalName'))
  else errors.push(...dnsSubdomain(name).map((why) => invalid('spec.externalName', name, why)))
  return errors
}

function checkAffinity(raw: JsonObject): readonly FieldError[] {
  const { sessionAffinity: affinity, sessionAffinityConfig: config } = raw
  const unknown = oneOf('spec.sessionAffinity', affinity, affinities)
  const path = 'spec.sessionAffinityConfig'
  if (affinity === 'None' && config !== undefined) {
    return [forbidden(path, 'must not be set when session affinity is None')]
  }
  if (affinity !== 'ClientIP') return unknown
  const { timeoutSeconds } = recordOf(recordOf(config)['clientIP'])
  const isInRange = typeof timeoutSeconds === 'number' && timeoutSeconds > 0
  if (isInRange && timeoutSeconds <= 86_400) return unknown
  const why = 'must be greater than 0 and less than 86400'
  return [invalid(`${path}.clientIP.timeoutSeconds`, timeoutSeconds, why)]
}

/** An unchanged value stays valid, however it is spelled. */
function checkExternalIps({ externalIPs }: Spec, old: Spec | undefined): readonly FieldError[] {
  const kept = new Set(old?.externalIPs)
  return firstErrors(externalIPs, (text, index) => {
    const path = `spec.externalIPs[${index}]`
    const checked = checkIp(path, text)
    if (!checked.ok) return kept.has(text) ? [] : checked.errors
    return checkReachable(path, text)
  })
}

const sourcesKey = 'service.beta.kubernetes.io/load-balancer-source-ranges'

function checkSources(service: JsonObject, before: JsonObject | undefined): readonly FieldError[] {
  const isBalanced = specOf(service).type === 'LoadBalancer'
  const ranges = rangesIn(service)
  const kept = new Set(before === undefined ? [] : rangesIn(before))
  if (ranges.length > 0) {
    // Kubernetes spells the field like this.
    const path = 'spec.LoadBalancerSourceRanges'
    const checked = firstErrors(ranges, (range, index) =>
      kept.has(range) ? [] : checkCidr(`${path}[${index}]`, range),
    )
    return isBalanced ? checked : [forbidden(path, onlyBalanced), ...checked]
  }
  const annotated = (one: JsonObject) => recordOf(metaOf(one)['annotations'])[sourcesKey]
  const text = annotated(service)
  if (text === undefined) return []
  const path = `metadata.annotations[${sourcesKey}]`
  const isKept = before !== undefined && annotated(before) === text
  const parts = isKept || textOf(text).trim() === '' ? [] : textOf(text).split(',')
  const checked = firstErrors(parts, (range) => checkCidr(path, range.trim()))
  return isBalanced ? checked : [forbidden(path, onlyBalanced), ...checked]
}

const rangesIn = (service: JsonObject): readonly string[] =>
  textsOf(recordOf(service['spec'])['loadBalancerSourceRanges']).map((text) => text.trim())

export function checkClass({ type, loadBalancerClass: name }: Spec): readonly FieldError[] {
  if (name === undefined) return []
  const path = 'spec.loadBalancerClass'
  if (type !== 'LoadBalancer') return [forbidden(path, onlyBalanced)]
  return qualifiedName(name).map((why) => invalid(path, name, why))
}

function checkOutside(spec: Spec): readonly FieldError[] {
  const { externalTrafficPolicy: policy, healthCheckNodePort: port } = spec
  const errors: FieldError[] = []
  const path = 'spec.externalTrafficPolicy'
  if (isReachedFromOutside(spec)) errors.push(...oneOf(path, policy, policies))
  else if (policy !== '') {
    errors.push(invalid(path, policy, 'may only be set for externally-accessible services'))
  }
  const healthPath = 'spec.healthCheckNodePort'
  if (needsHealthCheck(spec)) {
    errors.push(...(port === 0 ? [required(healthPath)] : checkNumber(healthPath, port)))
  } else if (port !== 0) {
    const when = "`type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
    errors.push(invalid(healthPath, port, `may only be set when ${when}`))
  }
  return errors
}

function checkTraffic(raw: JsonObject): readonly FieldError[] {
  const { internalTrafficPolicy: inside, trafficDistribution: distribution } = raw
  return [
    ...(inside === undefined ? [] : oneOf('spec.internalTrafficPolicy', inside, policies)),
    ...(distribution === undefined
      ? []
      : oneOf('spec.trafficDistribution', distribution, distributions)),
  ]
}
