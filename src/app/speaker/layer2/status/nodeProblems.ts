// What is wrong on this node? docs/reasons.md has a remedy for each problem.
import { matchesAny } from '../../../../core/model/selector.ts'
import { objectOf } from '../../../../core/model/view.ts'
import type { ReadonlyWorld } from '../../../../core/model/world.ts'
import type { Sighting } from '../../../../core/session/layer2/announcement.ts'
import type { HostLink } from '../../../../edge/host/packet/hostLink.ts'
import type { NodeProblem } from '../../status/nodeReport.ts'

export type NodeView = {
  readonly world: ReadonlyWorld
  readonly node: string
  /** The interfaces that may announce. */
  readonly links: readonly HostLink[]
  /** Whether kube-proxy in IPVS mode assigns every Service address to this node. */
  readonly hasIpvs: boolean
  /** Undefined if it could not be read. */
  readonly isArpStrict: boolean | undefined
  /** Machines that have an address of ours: one for each address. */
  readonly foreign: readonly Sighting[]
}

/** Any host on the link can claim any number of addresses. */
const foreignAtMost = 64

/** In a fixed order, so that an unchanged list is not written again. */
export const problemsOn = (view: NodeView): readonly NodeProblem[] => [
  ...missingInterfaces(view),
  ...looseArp(view),
  ...ownAddresses(view),
  ...foreignOwners(view),
]

/** A list may name interfaces of other nodes: it is a problem only if none of them exists here. */
function missingInterfaces({ world, node, links }: NodeView): NodeProblem[] {
  const labels = world.all('Node').get(node)?.labels ?? {}
  const present = new Set(links.map(({ name }) => name))
  const all = [...world.all('L2Advertisement').values()]
  return all.sort(byName).flatMap((advertisement) => {
    const { nodeSelectors, interfaces } = advertisement
    const isSelected = nodeSelectors.length === 0 || matchesAny(nodeSelectors, labels)
    if (!isSelected || interfaces.length === 0) return []
    if (interfaces.some((name) => present.has(name))) return []
    const here = [...present].sort().join(', ') || 'none that may announce'
    const message = `this node has no ${interfaces.join(', ')}; it has ${here}`
    return [{ code: 'interface-missing', object: objectOf(advertisement), message } as const]
  })
}

function looseArp({ node, hasIpvs, isArpStrict }: NodeView): NodeProblem[] {
  if (!hasIpvs || isArpStrict !== false) return []
  const message = 'kube-proxy runs in IPVS mode and this node answers ARP for every Service address'
  return [{ code: 'strict-arp-off', object: `Node/${node}`, message }]
}

/** Another program assigned the address, so this node answers whichever node is elected. */
function ownAddresses({ world, links }: NodeView): NodeProblem[] {
  return [...links].sort(byName).flatMap(({ name, addresses }) =>
    addresses.flatMap(({ address }) => {
      const shows = (key: string) => world.services.get(key)?.ingress.includes(address) === true
      const [service] = world.holdersOf(address).filter(shows)
      if (service === undefined) return []
      const message = `${address} is also an address of ${name} on this node`
      return [{ code: 'vip-on-interface', object: `Service/${service}`, message } as const]
    }),
  )
}

function foreignOwners({ world, node, foreign }: NodeView): NodeProblem[] {
  const shown = foreign.slice(0, foreignAtMost)
  const problems = shown.map(({ address, mac, interface: where }) => {
    const [service] = world.holdersOf(address)
    const object = service === undefined ? `Address/${address}` : `Service/${service}`
    return {
      code: 'foreign-owner',
      object,
      message: `${address} is at ${mac} on ${where}`,
    } as const
  })
  const more = foreign.length - shown.length
  if (more === 0) return problems
  const rest = {
    code: 'foreign-owner',
    object: `Node/${node}`,
    message: `and ${more} more`,
  } as const
  return [...problems, rest]
}

const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name < other.name ? -1 : 1
