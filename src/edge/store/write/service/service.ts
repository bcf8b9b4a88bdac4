// How is a Service written? Its addresses and ports are allocated before these steps.
import type { FieldError } from '../../../../core/model/admission.ts'
import type { JsonObject } from '../../../../core/model/gate.ts'
import { parseIp } from '../../../../core/net/ip.ts'
import { invalid } from '../../../kube/schema/schemaMessages.ts'
import { metaOf, recordOf, textOf } from '../../values/jsonRead.ts'
import { checkMeta, checkMetaUpdate, type MetaRules } from '../metadata.ts'
import { dnsLabel } from '../names.ts'
import { inNamespace, keepingStatus, plainStrategy } from '../plainStrategy.ts'
import type { Strategy } from '../strategy.ts'
import { withoutUnneeded } from './carry.ts'
import { checkClusterIpsUpdate } from './checkClusterIps.ts'
import { checkClass, checkService } from './checkService.ts'
import { serviceDefaults } from './defaults.ts'
import { isHeadless, needsHealthCheck } from './needs.ts'
import { checkServiceStatus } from './serviceStatus.ts'
import { specOf } from './spec.ts'

const meta: MetaRules = { ...inNamespace, name: dnsLabel }

export const service: Strategy = plainStrategy(meta, {
  isUpsert: true,
  returnsDeleted: true,
  defaulted: serviceDefaults,
  prepared: (object, before) =>
    before === undefined
      ? { ...object, status: { loadBalancer: {} } }
      : withoutUnneeded(keepingStatus(object, before), before),
  checked: (object, before) => [
    ...(before === undefined ? checkMeta(object, meta) : checkUpdate(object, before)),
    ...checkService(object, before),
  ],
  checkedStatus: (object, before) => [
    ...checkMetaUpdate(object, before, meta),
    ...checkServiceStatus(object, before),
  ],
  warned: warnings,
  fields(object) {
    const { clusterIP, type } = specOf(object)
    return { 'spec.clusterIP': clusterIP, 'spec.type': type }
  },
})

function checkUpdate(object: JsonObject, before: JsonObject): readonly FieldError[] {
  const [spec, old] = [specOf(object), specOf(before)]
  const isBalanced = spec.type === 'LoadBalancer' && old.type === 'LoadBalancer'
  const isOther = isBalanced && spec.loadBalancerClass !== old.loadBalancerClass
  const isChecked = needsHealthCheck(spec) && needsHealthCheck(old)
  const isMoved = isChecked && spec.healthCheckNodePort !== old.healthCheckNodePort
  return [
    ...checkMetaUpdate(object, before, meta),
    ...checkClusterIpsUpdate(spec, old),
    ...(isOther
      ? [
          invalid(
            'spec.loadBalancerClass',
            spec.loadBalancerClass ?? null,
            'may not change once set',
          ),
        ]
      : []),
    ...checkClass(spec),
    ...(isMoved
      ? [{ path: 'spec.healthCheckNodePort', message: 'Forbidden: field is immutable' }]
      : []),
  ]
}

const oldHints = 'service.kubernetes.io/topology-aware-hints'
const newHints = 'service.kubernetes.io/topology-mode'

function warnings(object: JsonObject): readonly string[] {
  const spec = specOf(object)
  const raw = recordOf(object['spec'])
  const said: string[] = []
  if (recordOf(metaOf(object)['annotations'])[oldHints] !== undefined) {
    said.push(`annotation ${oldHints} is deprecated, please use ${newHints} instead`)
  }
  if (isHeadless(spec) && spec.type === 'ClusterIP') {
    if (textOf(raw['loadBalancerIP']) !== '') {
      said.push('spec.loadBalancerIP is ignored for headless services')
    }
    if (spec.externalIPs.length > 0) said.push('spec.externalIPs is ignored for headless services')
    if (raw['sessionAffinity'] !== 'None') {
      said.push('spec.SessionAffinity is ignored for headless services')
    }
  } else if (spec.externalIPs.length > 0 && spec.type !== 'ExternalName') {
    said.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters')
  }
  said.push(...addressWarning('spec.loadBalancerIP', textOf(raw['loadBalancerIP'])))
  if (spec.type !== 'ExternalName' && textOf(raw['externalName']) !== '') {
    said.push('spec.externalName is ignored when spec.type is not "ExternalName"')
  }
  if (raw['trafficDistribution'] === 'PreferClose') {
    said.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"')
  }
  return said
}

/** An IPv6 address that is not in canonical form. */
function addressWarning(path: string, text: string): readonly string[] {
  const parsed = parseIp(text)
  if (!parsed.ok || parsed.value === text) return []
  const form = `should be in RFC 5952 canonical format ("${parsed.value}")`
  return [`${path}: IPv6 address "${text}" ${form}`]
}
