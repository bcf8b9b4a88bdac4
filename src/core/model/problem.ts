// What is wrong with a configuration? Problem codes are a closed list (R7), each with its remedy.

export const problemRemedies = {
  'bad-annotation': 'correct the value; until then the safe default applies',
  'reservation-held': 'delete the Service that holds the address, or reserve another address',
  'reservation-twice': 'delete one of the two reservations',
  'namespace-claimed-twice': 'let one tenant list the namespace by name, or narrow a selector',
  'unknown-tenant': 'create the tenant, or remove the label berth.dev/tenant',
  'pools-lost': 'apply the pool again, or run berth release pool NAME if it is gone for good',
  'name-taken': 'rename or delete the object that has this name',
  'not-made': 'correct what the message names in the tenant',
  'host-interface-in-use':
    'run a speaker on the node, or annotate the Node with berth.dev/interface-addresses',
  'hosts-full': "extend the network's hosts ranges",
  'tenant-in-use':
    'delete its Services first, or annotate the tenant with berth.dev/allow-delete: "true"',
  'site-in-use': 'unplug the Site first, or annotate it with berth.dev/allow-delete: "true"',
  'overlap-vip-node': 'move one of the two ranges',
  'overlap-vip-attachment': 'move one of the two ranges, or exclude it in the attachment',
  'overlap-node-attachment': 'move one of the two ranges, or exclude it in the attachment',
  'overlap-nodes':
    'move one of the ranges, or annotate both Namespaces with the same berth.dev/wire',
  'wire-not-granted':
    'have an administrator annotate the Namespace with the same berth.dev/wire, or remove it',
  'node-address-twice': 'delete the IPSet of one of the two hosts and create it again',
  'overlap-gateway': 'take the gateway out of the range',
  'overlap-attachments': 'give both the same whereabouts network_name, or move one of the ranges',
  'one-vlan-two-subnets': 'give each subnet its own VLAN, unless this is intended',
  'one-subnet-two-vlans': 'use the same VLAN id for the subnet everywhere',
  'subnets-overlap': 'give each subnet a prefix of its own, and list each address in one range',
  'unlikely-value': 'correct the value, or leave it out',
  'too-many-ranges': 'divide the object, or remove ranges that are not needed',
  'vip-outside-subnet':
    'use addresses from a subnet of the announcing interfaces, or announce by BGP',
  'site-subnet-unknown':
    'set spec.external.prefixLength, or run speakers that report their interfaces',
  'site-routes-not-made':
    'set spec.external.interface and install nmstate, or add the routes on every node yourself',
  'route-missing':
    'add the route on the node, as berth site status says, or repair what should make it',
  'internal-not-static':
    "give the node a static address in the internal network, outside every DHCP server's range",
  'unresolved-reference': 'create the missing object, or correct the name',
  'too-many-communities': 'leave communities out, or spread them over several advertisements',
  'community-not-allowed':
    'list it in berth.dev/allowed-communities of the pool or tenant, or leave it out',
  'never-announced': 'add an L2Advertisement or BGPAdvertisement that selects the pool',
  'no-node-selected': 'correct the nodeSelectors, or label a node',
  'no-common-node': 'select at least one node in both the advertisement and its peers',
  'local-endpoints-excluded':
    "extend the advertisement's nodeSelectors to the nodes that run the endpoints",
  'localpref-conflict':
    'give the advertisements the same localPref, or separate their peers or nodes',
  'aggregate-too-wide': 'raise the aggregation length, or widen the pool',
  'echo-with-ipv6': 'use a BFDProfile without echoMode, or another peer, for IPv6',
  'restart-without-bfd': 'set bfdProfile in the peer, or leave enableGracefulRestart out',
  'shared-no-common-node': 'run endpoints of all Services that share the address on a common node',
  'split-needs-three': 'run at least three speakers, or remove berth.dev/split: safe',
  'interface-missing': 'correct the interface name, or add the interface to the node',
  'strict-arp-off': 'set strictARP in the kube-proxy configuration, or arp_ignore to 1',
  'vip-on-interface':
    'stop the program that put the address there, and remove the address from the interface',
  'foreign-owner': 'find the machine with that MAC, and remove the address from it',
  'bgp-session-down': "compare the BGPPeer with the router's configuration, and see its log",
  'bgp-port-taken':
    'stop the program that has the port, choose another --bgp-listen, or turn it off',
  'bgp-key-not-set':
    'use a kernel with TCP MD5 signatures, or raise net.core.optmem_max if the message says ENOMEM',
  'route-too-long':
    'ask for fewer communities or prepends in the BGPAdvertisements and Services of the route',
  'bfd-session-down': 'turn BFD on at the router for this node, or remove bfdProfile from the peer',
  'peer-not-connected': 'set ebgpMultiHop, or peer with an address in a subnet of the node',
  'source-address-missing': 'correct sourceAddress, or add the address to the node',
  'address-not-recorded':
    "find out who wrote the status; Berth's own addresses are announced: berth explain service",
  'no-next-hop': "add an address of that family to the session's interface",
  'family-not-agreed': 'activate that address family for this node on the router',
  'peer-value-missing':
    'give the node what the annotation of the BGPPeer asks for, or exclude it by nodeSelectors',
  'name-claimed-twice': 'remove the name from all but one of the objects',
  'host-unusable': 'correct the line; until then it is left out',
  'configuration-twice': 'delete one of the two; the older one is in effect',
  'pod-not-announced':
    'remove the cause that the message names; the route is then made without further action',
  'peer-not-supported': 'remove the field, or choose another --bgp-backend for the speaker',
  'frr-not-configured':
    'see the log of the reloader or of frr-k8s on the node, and correct what it names',
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
