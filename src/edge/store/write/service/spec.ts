// What is in the spec of a Service, and what follows from its type?
import type { JsonObject } from '../../../../core/model/gate.ts'
import { recordOf, recordsOf, textOf, textsOf } from '../../values/jsonRead.ts'

export type Port = {
  readonly name: string
  readonly port: number
  readonly protocol: string
  readonly targetPort: string | number
  /** 0 for none. */
  readonly nodePort: number
  readonly appProtocol: string | undefined
}
export type Spec = {
  readonly type: string
  readonly ports: readonly Port[]
  readonly clusterIP: string
  readonly clusterIPs: readonly string[]
  readonly ipFamilies: readonly string[]
  readonly ipFamilyPolicy: string | undefined
  readonly externalIPs: readonly string[]
  readonly hasSelector: boolean
  readonly externalTrafficPolicy: string
  readonly allocatesNodePorts: boolean | undefined
  readonly loadBalancerClass: string | undefined
  readonly healthCheckNodePort: number
}

export function specOf(service: JsonObject): Spec {
  const spec = recordOf(service['spec'])
  const { allocateLoadBalancerNodePorts: allocates, loadBalancerClass } = spec
  return {
    type: textOf(spec['type']),
    ports: recordsOf(spec['ports']).map(portOf),
    clusterIP: textOf(spec['clusterIP']),
    clusterIPs: textsOf(spec['clusterIPs']),
    ipFamilies: textsOf(spec['ipFamilies']),
    ipFamilyPolicy: optional(spec['ipFamilyPolicy']),
    externalIPs: textsOf(spec['externalIPs']),
    hasSelector: Object.keys(recordOf(spec['selector'])).length > 0,
    externalTrafficPolicy: textOf(spec['externalTrafficPolicy']),
    allocatesNodePorts: typeof allocates === 'boolean' ? allocates : undefined,
    loadBalancerClass: optional(loadBalancerClass),
    healthCheckNodePort: numberOf(spec['healthCheckNodePort']),
  }
}

const optional = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

const portOf = (port: JsonObject): Port => ({
  name: textOf(port['name']),
  port: numberOf(port['port']),
  protocol: textOf(port['protocol']),
  targetPort:
    typeof port['targetPort'] === 'string' ? port['targetPort'] : numberOf(port['targetPort']),
  nodePort: numberOf(port['nodePort']),
  appProtocol: optional(port['appProtocol']),
})
