// What does Berth know of a Service? About twenty fields, read once from the API object.
import type { Family, Ip } from '../net/ip.ts'
import type { JsonObject } from './gate.ts'
import type { Made } from './made.ts'
import type { Labels } from './selector.ts'

/** namespace/name */
export type Key = string
export type FamilyPolicy = 'SingleStack' | 'PreferDualStack' | 'RequireDualStack'

/** The condition berth.dev/Addressed as it stands on the Service. */
export type Addressed = {
  readonly status: string
  readonly reason: string
  readonly message: string
}

export type ServiceView = Made & {
  readonly kind: 'Service'
  readonly key: Key
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  /** RFC 3339, so that text order is the order of age. */
  readonly createdAt: string
  readonly labels: Labels
  readonly isLoadBalancer: boolean
  readonly loadBalancerClass: string
  readonly clusterFamilies: readonly Family[]
  readonly familyPolicy: FamilyPolicy
  readonly primaryFamily: Family
  /** TCP/80 */
  readonly ports: readonly string[]
  readonly isLocal: boolean
  /** The selector's text under a Local policy, else empty (M3.1). */
  readonly backend: string
  readonly asksPool: string
  /** As written in the annotation and in spec.loadBalancerIP; empty when not given. */
  readonly asksByAnnotation: string
  readonly asksByField: string
  readonly sharingKey: string
  /** Presence alone counts for the layer-2 rule on serviceSelectors (M5.3). */
  readonly hasSharingAnnotation: boolean
  readonly deprecatedAnnotation: string
  readonly ingress: readonly Ip[]
  /** Whether the status has ingress entries that are not addresses (host names, bad text). */
  readonly hasOtherIngress: boolean
  /** The entries of the status that say more than an address, as they are. */
  readonly ingressEntries?: readonly JsonObject[]
  readonly recordedPool: string
  readonly addressed: Addressed | undefined
  /** As written in the annotation; absent when there is none. */
  readonly communities?: string
  /** The name that DNS servers of its namespace answer for it (R13.5). */
  readonly hostname?: string
  /** Of a DNS server alone. */
  readonly clusterIps?: readonly Ip[]
}

export type Endpoint = { readonly node: string; readonly isUsable: boolean }
export type EndpointSliceView = {
  readonly kind: 'EndpointSlice'
  readonly key: Key
  readonly service: Key
  readonly endpoints: readonly Endpoint[]
}
