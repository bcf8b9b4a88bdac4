// Which defaults does a Service get? Those that depend on no other Service.
import type { JsonObject } from '../../../../core/model/gate.ts'
import { recordOf, recordsOf } from '../../values/jsonRead.ts'
import { changed, withSpec } from '../jsonChange.ts'
import { isReachedFromOutside } from './needs.ts'
import { specOf } from './spec.ts'

const affinitySeconds = 10_800

export function serviceDefaults(service: JsonObject): JsonObject {
  const spec = recordOf(service['spec'])
  const { ports, sessionAffinity = 'None', type = 'ClusterIP' } = spec
  const filled = withSpec(service, {
    sessionAffinity,
    sessionAffinityConfig: affinityConfig(sessionAffinity, spec['sessionAffinityConfig']),
    type,
    ports: ports === undefined ? undefined : recordsOf(ports).map(portDefaults),
  })
  const isBalanced = type === 'LoadBalancer'
  const isKnown = isBalanced || type === 'ClusterIP' || type === 'NodePort'
  const complete = withSpec(filled, {
    externalTrafficPolicy:
      spec['externalTrafficPolicy'] ??
      (isReachedFromOutside(specOf(filled)) ? 'Cluster' : undefined),
    internalTrafficPolicy: spec['internalTrafficPolicy'] ?? (isKnown ? 'Cluster' : undefined),
    allocateLoadBalancerNodePorts:
      spec['allocateLoadBalancerNodePorts'] ?? (isBalanced ? true : undefined),
  })
  return isBalanced ? withIpModes(complete) : complete
}

function affinityConfig(affinity: unknown, config: unknown): unknown {
  if (affinity === 'None') return undefined
  const { timeoutSeconds } = recordOf(recordOf(config)['clientIP'])
  if (affinity !== 'ClientIP' || timeoutSeconds !== undefined) return config
  return { clientIP: { timeoutSeconds: affinitySeconds } }
}

function portDefaults(port: JsonObject): JsonObject {
  const { protocol = 'TCP', targetPort = 0, port: number = 0 } = port
  const isGiven = targetPort !== 0 && targetPort !== ''
  return { ...port, protocol, targetPort: isGiven ? targetPort : number }
}

/** C58: the default is VIP. */
function withIpModes(service: JsonObject): JsonObject {
  const status = recordOf(service['status'])
  const balancer = recordOf(status['loadBalancer'])
  const { ingress } = balancer
  if (ingress === undefined) return service
  const complete = recordsOf(ingress).map((one) =>
    one['ip'] !== undefined && one['ipMode'] === undefined ? { ...one, ipMode: 'VIP' } : one,
  )
  const loadBalancer = changed(balancer, { ingress: complete })
  return changed(service, { status: changed(status, { loadBalancer }) })
}
