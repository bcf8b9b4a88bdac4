// Who answers for names, and for which? DNS servers, hosts, and what they are made into.
import type { FieldError } from '../admission.ts'
import type { JsonObject } from '../gate.ts'
import type { LibCondition } from '../ipam/ipSet.ts'
import type { Labels } from '../selector.ts'

type Named = {
  readonly key: string
  readonly name: string
  readonly namespace: string
}
type Specified = Named & {
  readonly uid: string
  readonly createdAt: string
  readonly generation: number
  readonly isGoing: boolean
  readonly finalizers: readonly string[]
  readonly selects: string
}

export type Host = { readonly ip: string; readonly hostnames: readonly string[] }

export type DnsData = Specified & {
  readonly kind: 'DNSData'
  readonly hosts: readonly Host[]
  /** The DNSMasq that it is made from, if it is. */
  readonly madeFrom: string
  readonly status: {
    readonly conditions: readonly LibCondition[]
    readonly hash: string
    readonly observedGeneration: number
  }
}

export type DnsOption = { readonly key: string; readonly values: readonly string[] }

export type DnsMasq = Specified & {
  readonly kind: 'DNSMasq'
  readonly replicas: number
  /** Whether it answers for the names of the Site too. */
  readonly hasSiteNames?: true
  readonly options: readonly DnsOption[]
  readonly image: string
  readonly nodeSelector: Labels
  readonly topology: { readonly name: string; readonly namespace: string } | undefined
  readonly override: {
    readonly labels: Labels
    readonly annotations: Labels
    readonly spec: JsonObject
  }
  readonly unread: readonly FieldError[]
  readonly status: {
    readonly conditions: readonly LibCondition[]
    readonly fields: JsonObject
  }
}

/** A ConfigMap with hosts. One without the label has no part in this, and nothing of it is kept. */
export type HostsMap = Named & {
  readonly kind: 'ConfigMap'
  /** The label's value; undefined without the label. */
  readonly selects: string | undefined
  /** What stands under the key of its own name; undefined without that key. */
  readonly text: string | undefined
  readonly hash: string
  /** Kind/name of its owner, or empty. */
  readonly owner: string
}

export type DeploymentView = Named & {
  readonly kind: 'Deployment'
  readonly generation: number
  readonly observedGeneration: number
  readonly replicas: number
  /** Of this revision and of earlier ones, which go. */
  readonly currentReplicas: number
  readonly updatedReplicas: number
  readonly readyReplicas: number
  /** Why it cannot go on, in its own words; empty if it can. */
  readonly trouble: string
  /** Where it answers, if that is not for its Service to say. */
  readonly answersAt: readonly string[]
}

export type Topology = Named & {
  readonly kind: 'Topology'
  readonly spec: JsonObject
}
