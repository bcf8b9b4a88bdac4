// Where does a node send traffic for a Service? One nftables table, in place of kube-proxy: to the
// pod on this node, otherwise to the first of the others, without load balancing.
import type { Both } from '../machine.ts'

export type Target = { readonly address: string; readonly node: string }
export type Served = {
  readonly protocol: 'tcp' | 'udp'
  readonly addresses: readonly string[]
  readonly port: number
  readonly targetPort: number
  /** In order of preference. */
  readonly targets: readonly Target[]
  /** externalTrafficPolicy: Local. */
  readonly isLocalOnly: boolean
}
type OwnNode = { readonly name: string; readonly pod: Both }

const table = 'inet berth-lab'
const isSix = (address: string): boolean => address.includes(':')

/** The whole table, replaced at once, so that stale rules go. */
export function tableOf(own: OwnNode, served: readonly Served[]): string {
  const held = [...new Set(served.flatMap(({ addresses }) => addresses))]
  const four = held.filter((address) => !isSix(address))
  const six = held.filter(isSix)
  const entries = entriesOf(own, served)
  const key = 'inet_proto . inet_service'
  return [
    `table ${table}`,
    `delete table ${table}`,
    `table ${table} {`,
    set('set held4', 'ipv4_addr', four),
    set('set held6', 'ipv6_addr', six),
    set('map to4', `ipv4_addr . ${key} : ipv4_addr . inet_service`, entries[4]),
    set('map to6', `ipv6_addr . ${key} : ipv6_addr . inet_service`, entries[6]),
    chains(own.pod),
    '}',
    '',
  ].join('\n')
}

const set = (name: string, type: string, elements: readonly string[]): string => {
  const filled = elements.length === 0 ? '' : `\n    elements = { ${elements.join(', ')} }`
  return `  ${name} {\n    type ${type}${filled}\n  }`
}

/** This node's pod also answers ping, although no Service defines that. */
const chains = (pod: Both): string => `  chain arrive {
    type nat hook prerouting priority dstnat
    dnat ip to ip daddr . meta l4proto . th dport map @to4
    dnat ip6 to ip6 daddr . meta l4proto . th dport map @to6
    ip daddr @held4 icmp type echo-request dnat ip to ${pod[4]}
    ip6 daddr @held6 icmpv6 type echo-request dnat ip6 to ${pod[6]}
  }
  chain through {
    type filter hook forward priority filter
    ip daddr @held4 drop
    ip6 daddr @held6 drop
  }
  chain leave {
    type nat hook postrouting priority srcnat
    oifname "mgmt0" ct status dnat masquerade
  }`

function entriesOf({ name }: OwnNode, served: readonly Served[]): Record<4 | 6, string[]> {
  const entries = { 4: new Map<string, string>(), 6: new Map<string, string>() }
  for (const { addresses, protocol, port, targetPort, targets, isLocalOnly } of served) {
    for (const address of addresses) {
      const fits = targets.filter((target) => isSix(target.address) === isSix(address))
      const own = fits.find(({ node }) => node === name)
      const target = own ?? (isLocalOnly ? undefined : fits[0])
      if (target === undefined) continue
      const key = `${address} . ${protocol} . ${port}`
      entries[isSix(address) ? 6 : 4].set(key, `${key} : ${target.address} . ${targetPort}`)
    }
  }
  return { 4: [...entries[4].values()], 6: [...entries[6].values()] }
}
