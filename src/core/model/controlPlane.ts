// Which Services would OpenStack's operators make from an OpenStackControlPlane, and which
// addresses do they take for themselves?
import type { JsonObject } from './gate.ts'
import type { Labels } from './selector.ts'

/** Of type LoadBalancer; every other Service concerns nobody here. */
export type PlannedService = {
  readonly namespace: string
  readonly name: string
  /** Where the control plane says so, such as spec.keystone.template.override.service.internal. */
  readonly field: string
  readonly labels: Labels
  readonly annotations: Labels
  /** The pool and the addresses that it asks for, as written; empty when it does not. */
  readonly asksPool: string
  readonly asksAddresses: string
  /** What the operators take over from the override. */
  readonly spec: JsonObject
  /** TCP/80 */
  readonly ports: readonly string[]
}

/** What the control plane says of one Service, of whatever type; perhaps nothing. */
export type Override = Pick<PlannedService, 'namespace' | 'name' | 'field' | 'annotations'>

export type ControlPlane = {
  readonly kind: 'OpenStackControlPlane'
  /** namespace/name */
  readonly key: string
  readonly name: string
  readonly namespace: string
  readonly services: readonly PlannedService[]
  readonly overrides: readonly Override[]
  /** Whether pods speak TLS. */
  readonly isTls: boolean
  /** The attachments behind whose ranges an operator takes addresses, by operator. */
  readonly takers: Labels
}
