// What is wrong with a configuration? Problem codes are a closed list (R7), each with its remedy.

export const problemRemedies = {
  'bad-annotation': 'correct the value; until then the safe reading holds',
  'reservation-held': 'let the holder go, or reserve another address',
  'reservation-twice': 'keep one of the two reservations',
  'namespace-claimed-twice': 'let one tenant list the namespace by name, or narrow a selector',
  'unknown-tenant': 'create the tenant, or remove the label berth.dev/tenant',
  'name-taken': 'rename or remove the object that has the name',
  'tenant-in-use': 'remove its Services first, or annotate it berth.dev/allow-delete: "true"',
  'overlap-vip-node': 'move one of the two ranges',
  'overlap-vip-attachment': 'move one of the two ranges, or exclude it in the attachment',
  'overlap-node-attachment': 'move one of the two ranges, or exclude it in the attachment',
  'overlap-gateway': 'take the gateway out of the range',
  'overlap-attachments': 'give both one whereabouts network_name, or move one of the ranges',
  'one-vlan-two-subnets': 'give each subnet a VLAN of its own, if this was not meant',
  'one-subnet-two-vlans': 'use one VLAN id for the subnet everywhere',
  'vip-outside-subnet': 'use addresses of a subnet that the announcing interfaces have, or BGP',
  'site-subnet-unknown': 'give spec.external.prefixLength, or let the speakers report interfaces',
  'unresolved-reference': 'create what is named, or correct the name',
  'never-announced': 'add an L2Advertisement or BGPAdvertisement that selects the pool',
  'no-node-selected': 'correct the nodeSelectors, or label a node',
  'no-common-node': 'let the peers and the advertisement select a node in common',
  'local-endpoints-excluded': 'let the advertisement select the nodes that run the endpoints',
  'localpref-conflict': 'give the advertisements one localPref, or keep their peers or nodes apart',
  'shared-no-common-node': 'let the Services that share the address have a node in common',
  'split-needs-three': 'run at least three speakers, or remove berth.dev/split: safe',
  'interface-missing': 'correct the interface name, or add the interface to the node',
  'strict-arp-off': 'set strictARP in the kube-proxy configuration, or arp_ignore to 1',
  'vip-on-interface':
    'remove the address from the interface: the program that put it there must stop',
  'foreign-owner': 'find the machine with that MAC and free the address',
} as const

export type ProblemCode = keyof typeof problemRemedies
export type Severity = 'error' | 'warning'

/** object is written Kind/namespace/name, or Kind/name for what has no namespace. */
export type Problem = {
  readonly code: ProblemCode
  readonly severity: Severity
  readonly object: string
  readonly field?: string
  readonly message: string
}
