// Which fields does a Service keep although an update omits them, and which are dropped because its
// type no longer needs them? Applying the same manifest again changes nothing.
import type { JsonObject } from '../../../../core/model/gate.ts'
import { recordOf, recordsOf } from '../../values/jsonRead.ts'
import { sameJson } from '../../values/sameJson.ts'
import { changed, withSpec } from '../jsonChange.ts'
import {
  getsNodePorts,
  hasNodePorts,
  isReachedFromOutside,
  needsClusterIp,
  needsHealthCheck,
} from './needs.ts'
import { type Spec, specOf } from './spec.ts'

/** Allocated addresses and ports stay. */
export function withCarried(service: JsonObject, before: JsonObject): JsonObject {
  const [spec, old] = [specOf(service), specOf(before)]
  const change: Record<string, unknown> = {}
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    if (spec.clusterIP === '' && old.clusterIP !== '') change['clusterIP'] = old.clusterIP
    if (spec.clusterIPs.length === 0 && old.clusterIPs.length > 0) {
      change['clusterIPs'] = old.clusterIPs
    }
  }
  if (getsNodePorts(old) && getsNodePorts(spec)) change['ports'] = portsCarried(service, old)
  if (needsHealthCheck(old) && needsHealthCheck(spec) && spec.healthCheckNodePort === 0) {
    change['healthCheckNodePort'] = old.healthCheckNodePort || undefined
  }
  return withSpec(service, change)
}

/** By port name, unless another port requests the number. */
function portsCarried(service: JsonObject, old: Spec): readonly JsonObject[] | undefined {
  const wanted = new Set(specOf(service).ports.map(({ nodePort }) => nodePort))
  const byName = new Map(old.ports.map(({ name, nodePort }) => [name, nodePort]))
  const { ports } = recordOf(service['spec'])
  if (ports === undefined) return undefined
  return recordsOf(ports).map((port) => {
    const carried = byName.get(String(port['name'] ?? '')) ?? 0
    const isFree = carried !== 0 && !wanted.has(carried)
    return port['nodePort'] === undefined && isFree ? { ...port, nodePort: carried } : port
  })
}

/** clusterIP equals the first of clusterIPs, for clients that know only the former. */
export function withBothClusterIps(
  service: JsonObject,
  before: JsonObject | undefined,
): JsonObject {
  const spec = specOf(service)
  const { clusterIP, clusterIPs } = spec
  if (before === undefined) {
    const isOld = clusterIP !== '' && clusterIPs.length === 0
    return isOld ? withSpec(service, { clusterIPs: [clusterIP] }) : service
  }
  const old = specOf(before)
  const isSame = sameJson(clusterIPs, old.clusterIPs)
  if (clusterIP === old.clusterIP) {
    const isForgotten = old.clusterIPs.length > 0 && clusterIPs.length === 0
    return isForgotten ? withSpec(service, { clusterIPs: old.clusterIPs }) : service
  }
  if (!isSame) return service
  return withSpec(service, { clusterIPs: clusterIP === '' ? undefined : [clusterIP] })
}

/** Only fields that the update does not change; a changed one is for the checks to refuse. */
export function withoutUnneeded(service: JsonObject, before: JsonObject): JsonObject {
  const [spec, old] = [specOf(service), specOf(before)]
  const change: Record<string, undefined | readonly JsonObject[]> = {}
  const drop = (name: string, isSame: boolean): void => {
    if (isSame) change[name] = undefined
  }
  if (needsClusterIp(old) && !needsClusterIp(spec)) {
    const isSame = spec.clusterIP === old.clusterIP && sameJson(spec.clusterIPs, old.clusterIPs)
    drop('clusterIP', isSame)
    drop('clusterIPs', isSame)
    drop('ipFamilies', sameJson(spec.ipFamilies, old.ipFamilies))
    drop('ipFamilyPolicy', spec.ipFamilyPolicy === old.ipFamilyPolicy)
  }
  if (hasNodePorts(old) && !hasNodePorts(spec)) {
    const earlier = new Set(old.ports.map(({ nodePort }) => nodePort))
    if (spec.ports.every(({ nodePort }) => nodePort === 0 || earlier.has(nodePort))) {
      const { ports } = recordOf(service['spec'])
      if (ports !== undefined) {
        change['ports'] = recordsOf(ports).map((port) => changed(port, { nodePort: undefined }))
      }
    }
  }
  if (needsHealthCheck(old) && !needsHealthCheck(spec)) {
    drop('healthCheckNodePort', spec.healthCheckNodePort === old.healthCheckNodePort)
  }
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    drop('allocateLoadBalancerNodePorts', spec.allocatesNodePorts === old.allocatesNodePorts)
    drop('loadBalancerClass', spec.loadBalancerClass === old.loadBalancerClass)
  }
  if (isReachedFromOutside(old) && !isReachedFromOutside(spec)) {
    drop('externalTrafficPolicy', spec.externalTrafficPolicy === old.externalTrafficPolicy)
  }
  return withoutIngress(withSpec(service, change), spec)
}

/** C63. */
function withoutIngress(service: JsonObject, { type }: Spec): JsonObject {
  if (type === 'LoadBalancer') return service
  return changed(service, { status: { ...recordOf(service['status']), loadBalancer: {} } })
}
