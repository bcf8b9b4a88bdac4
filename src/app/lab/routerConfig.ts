// What is a router of the lab told? To take the routes of every node, both families over one
// session, and to spread what it forwards over all who announce.
import { type Lab, nodesOf } from './lab.ts'
import { type Machine, portOn } from './machine.ts'

export const routerKinds = ['frr', 'bird'] as const
export type RouterKind = (typeof routerKinds)[number]

/** Private ones (RFC 6996): the cluster's, and that of all routers. */
export const asNumbers = { nodes: 64512, routers: 64513 } as const

/** Of the nodes and of the routers; a host that is busy pauses all of them for 100 ms and more. */
export const bfdProfile = { name: 'lab', intervalMs: 50, multiplier: 5 } as const

/** Those that speak BGP. */
export const routersOf = ({ topology, settings }: Lab): readonly Machine[] =>
  settings.router === 'none' ? [] : topology.machines.filter(({ role }) => role === 'router')

/** It only answers: the nodes dial. */
export function routerConfig(lab: Lab, router: Machine, kind: RouterKind): string {
  const own = portOn(router, 'lan')?.addresses[4] ?? ''
  const nodes = nodesOf(lab).map((node) => portOn(node, 'lan')?.addresses[4] ?? '')
  const { hasBfd } = lab.settings
  return kind === 'frr' ? frr({ own, nodes, hasBfd }) : bird({ own, nodes, hasBfd })
}

type Configured = {
  readonly own: string
  readonly nodes: readonly string[]
  readonly hasBfd: boolean
}

/** bfdd's, whose timers are those of the nodes. */
export const bfddConfig = `bfd
 profile ${bfdProfile.name}
  receive-interval ${bfdProfile.intervalMs}
  transmit-interval ${bfdProfile.intervalMs}
  detect-multiplier ${bfdProfile.multiplier}
`

const frr = ({ own, nodes, hasBfd }: Configured): string => `frr defaults traditional
router bgp ${asNumbers.routers}
 bgp router-id ${own}
 no bgp ebgp-requires-policy
 no bgp default ipv4-unicast
 bgp log-neighbor-changes
 neighbor nodes peer-group
 neighbor nodes remote-as ${asNumbers.nodes}
 neighbor nodes passive
${hasBfd ? ` neighbor nodes bfd profile ${bfdProfile.name}\n` : ''}\
${nodes.map((node) => ` neighbor ${node} peer-group nodes`).join('\n')}
 address-family ipv4 unicast
  neighbor nodes activate
  maximum-paths 64
 exit-address-family
 address-family ipv6 unicast
  neighbor nodes activate
  maximum-paths 64
 exit-address-family
`

const bird = ({ own, nodes, hasBfd }: Configured): string => `router id ${own};
log stderr all;
protocol device { }
${hasBfd ? birdBfd : ''}\
protocol kernel { ipv4 { export all; }; merge paths on; }
protocol kernel { ipv6 { export all; }; merge paths on; }
template bgp nodes {
  local as ${asNumbers.routers};
  passive;
  direct;
  error wait time 1, 4;
${hasBfd ? '  bfd on;\n' : ''}\
  ipv4 { import all; export none; };
  ipv6 { import all; export none; };
}
${nodes.map((node, at) => birdPeer(node, at + 1)).join('\n')}
`

const birdBfd = `protocol bfd {
  interface "*" {
    interval ${bfdProfile.intervalMs} ms;
    multiplier ${bfdProfile.multiplier};
  };
}
`

const birdPeer = (node: string, number: number): string =>
  `protocol bgp node${number} from nodes { neighbor ${node} as ${asNumbers.nodes}; }`
