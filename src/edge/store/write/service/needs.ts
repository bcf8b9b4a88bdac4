// What does a Service need by its type? Cluster IPs, node ports, a health check port.
import type { Spec } from './spec.ts'

export const needsClusterIp = ({ type }: Spec): boolean => type !== 'ExternalName'
export const isHeadless = ({ clusterIPs }: Spec): boolean =>
  clusterIPs.length === 1 && clusterIPs[0] === 'None'
export const hasNodePorts = ({ type }: Spec): boolean =>
  type === 'NodePort' || type === 'LoadBalancer'
/** Whether ports get a node port by default. */
export const getsNodePorts = ({ type, allocatesNodePorts }: Spec): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocatesNodePorts !== false)
export const needsHealthCheck = ({ type, externalTrafficPolicy }: Spec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local'
export const isReachedFromOutside = ({ type, externalIPs }: Spec): boolean =>
  type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && externalIPs.length > 0)
