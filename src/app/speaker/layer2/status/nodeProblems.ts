// What is wrong on this node? Each with a remedy in docs/reasons.md.
import { matchesAny } from '../../../../core/model/selector.ts'
import { objectOf } from '../../../../core/model/view.ts'
import type { ReadonlyWorld } from '../../../../core/model/world.ts'
import type { Sighting } from '../../../../core/session/layer2/announcement.ts'
import type { HostLink } from '../../../../edge/host/packet/hostLink.ts'
import type { NodeProblem } from '../../status/nodeReport.ts'

export type NodeView = {
  readonly world: ReadonlyWorld
  readonly node: string
  /** Those that may announce. */
  readonly links: readonly HostLink[]
  /** Whether kube-proxy puts every Service address on this node. */
  readonly hasIpvs: boolean
  /** Undefined where it is not known. */
  readonly isArpStrict: boolean | undefined
  /** Another machine has an address of ours: one for each. */
  readonly foreign: readonly Sighting[]
}

/** Anybody on the wire can claim any number of addresses. */
const foreignAtMost = 64

/** In a stated order, so that what is unchanged is written once. */
export const problemsOn = (view: NodeView): readonly NodeProblem[] => [
  ...missingInterfaces(view),
  ...looseArp(view),
  ...ownAddresses(view),
  ...foreignOwners(view),
]

/** A list may name what other nodes have: it is wrong here when nothing of it is here. */
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
    const message = `this node has no ${interfaces.join(', ')}: it has ${here}`
    return [{ code: 'interface-missing', object: objectOf(advertisement), message } as const]
  })
}

function looseArp({ node, hasIpvs, isArpStrict }: NodeView): NodeProblem[] {
  if (!hasIpvs || isArpStrict !== false) return []
  const message = 'kube-proxy runs in IPVS mode and this node answers ARP for every Service address'
  return [{ code: 'strict-arp-off', object: `Node/${node}`, message }]
}

/** Another program has put it there, and this node answers whoever is elected. */
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
