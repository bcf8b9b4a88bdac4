// Which node answers for a Service's addresses by layer 2, and on which interfaces? (M5.3, R8.1)
import type { L2Advertisement } from '../../model/announcing.ts'
import type { Problem } from '../../model/problem.ts'
import { matches } from '../../model/selector.ts'
import type { Key } from '../../model/service.ts'
import { objectOf } from '../../model/view.ts'
import type { Ip } from '../../net/ip.ts'
import { electionOrder } from './elect.ts'
import type { Ground } from './ground.ts'
import { type Contender, contend, refuseLayer2 } from './layer2Candidates.ts'
import { type Refusal, type Subject, subjectOf } from './subject.ts'

export type Layer2Announcement = {
  readonly protocol: 'layer2'
  readonly service: Key
  readonly address: Ip
  readonly node: string
  /** In text order; empty while all are meant and the node's are not known. */
  readonly interfaces: readonly string[]
}

/** Layer 2 at one moment, with what many Services ask for. */
export type Layer2 = {
  readonly ground: Ground
  /** Those of several Services, by each of them. */
  readonly links: Map<Key, Link>
  /** By node, in text order. */
  readonly interfaces: Map<string, readonly string[]>
}

/** Services that share addresses, directly or through others, and so elect as one. */
type Link = {
  readonly first: Contender
  readonly candidates: readonly string[]
  readonly hasCommonNode: boolean
}

export const layer2On = (ground: Ground): Layer2 => ({
  ground,
  links: new Map(),
  interfaces: new Map(),
})

export function advertiseLayer2(
  layer2: Layer2,
  subject: Subject,
): { announcements: readonly Layer2Announcement[]; refusals: readonly Refusal[] } {
  const contender = contend(layer2.ground, subject)
  const link = linkOf(layer2, contender)
  const [owner] = link ? orderIn(layer2.ground, link) : []
  if (!link || owner === undefined) return { announcements: [], refusals: contender.refusals }
  const losers = contender.candidates.filter((node) => node !== owner)
  const refusals = [
    ...contender.refusals.filter(({ node }) => node !== owner),
    ...losers.map((node) => refuseLayer2('notOwner', `${owner} is elected`, node)),
  ]
  const interfaces = interfacesOn(layer2, owner, [contender, link.first])
  if (!interfaces) {
    const message = 'it has none of the interfaces that the L2Advertisements list'
    return {
      announcements: [],
      refusals: [...refusals, refuseLayer2('announceFailed', message, owner)],
    }
  }
  const { key: service, ingress } = subject.service
  const common = { protocol: 'layer2', service, node: owner, interfaces } as const
  return { announcements: ingress.map((address) => ({ ...common, address })), refusals }
}

/** On a Service that follows the first of its link to a node that need not be its own (R8.1). */
export function sharingProblems(layer2: Layer2, subject: Subject): Problem[] {
  const link = linkOf(layer2, contend(layer2.ground, subject))
  const first = link?.first.subject.service.key
  if (!link || link.hasCommonNode || first === subject.service.key) return []
  const message = `no node can announce all that share its addresses: it goes where ${first} goes`
  const object = objectOf(subject.service)
  return [{ code: 'shared-no-common-node', severity: 'error', object, message }]
}

function linkOf({ ground, links }: Layer2, contender: Contender): Link | undefined {
  const { subject, candidates } = contender
  if (candidates.length === 0) return undefined
  if (!isShared(ground, subject)) return { first: contender, candidates, hasCommonNode: true }
  const known = links.get(subject.service.key)
  if (known) return known
  const members = membersOf(ground, contender)
  const keys = [...members.keys()].sort()
  const first = members.get(keys[0] ?? '') ?? contender
  const sets = Array.from(members.values(), ({ candidates }) => new Set(candidates))
  const common = first.candidates.filter((node) => sets.every((set) => set.has(node)))
  const hasCommonNode = common.length > 0
  const link = { first, candidates: hasCommonNode ? common : first.candidates, hasCommonNode }
  if (keys.length > 1) for (const key of keys) links.set(key, link)
  return link
}

/** Whether others hold one of its addresses too. */
const isShared = ({ world }: Ground, { service }: Subject): boolean =>
  service.ingress.some((ip) => {
    const holders = world.ledger.slot(ip)?.holders
    return holders !== undefined && holders.size > (holders.has(service.key) ? 1 : 0)
  })

/** Services without a candidate of their own play no part, so nobody is linked through them. */
function membersOf(ground: Ground, contender: Contender): ReadonlyMap<Key, Contender> {
  const { world } = ground
  const members = new Map([[contender.subject.service.key, contender]])
  const visited = new Set<Ip>()
  // The loop also visits those that it adds.
  for (const { subject } of members.values()) {
    for (const ip of subject.service.ingress.filter((ip) => !visited.has(ip))) {
      visited.add(ip)
      for (const key of world.holdersOf(ip)) {
        if (members.has(key) || !shows(ground, key, ip)) continue
        const found = subjectOf(world, key)
        const other = 'subject' in found && contend(ground, found.subject)
        if (other && other.candidates.length > 0) members.set(key, other)
      }
    }
  }
  return members
}

/** A holder whose status is yet to be written announces nothing there. */
const shows = ({ world }: Ground, key: Key, ip: Ip): boolean =>
  world.services.get(key)?.ingress.includes(ip) ?? false

function orderIn(ground: Ground, { first, candidates }: Link): string[] {
  const { subject, advertisements } = first
  const preferring = advertisements.filter(({ preferred }) => preferred.length > 0)
  const scoreOf = (node: string) =>
    preferring.reduce((score, advertisement) => score + scoreBy(ground, advertisement, node), 0)
  const { starts } = ground
  return electionOrder({ ip: subject.firstIp, nodes: candidates, scoreOf, starts })
}

function scoreBy(ground: Ground, advertisement: L2Advertisement, name: string): number {
  const node = ground.world.all('Node').get(name)
  if (!node || !ground.nodesOf(advertisement).has(name)) return 0
  const liked = advertisement.preferred.filter(({ preference }) => matches(preference, node.labels))
  return liked.reduce((score, { weight }) => score + weight, 0)
}

/** Undefined when the node has none of those that are listed (M5.4). */
function interfacesOn(
  layer2: Layer2,
  node: string,
  contenders: readonly Contender[],
): readonly string[] | undefined {
  const { nodesOf } = layer2.ground
  // A Service that only follows the first of its link may have no advertisement for this node.
  const applying = contenders
    .map(({ advertisements }) => advertisements.filter((by) => nodesOf(by).has(node)))
    .find(({ length }) => length > 0)
  const lists = applying?.map(({ interfaces }) => interfaces) ?? []
  const present = presentOn(layer2, node)
  if (lists.some(({ length }) => length === 0)) return present ?? []
  const listed = [...new Set(lists.flat())].sort()
  const usable = present ? listed.filter((name) => present.includes(name)) : listed
  return usable.length > 0 ? usable : undefined
}

/** Undefined while they are not known. */
function presentOn({ ground, interfaces }: Layer2, node: string): readonly string[] | undefined {
  const seen = ground.world.all('NodeInterfaces').get(node)
  const known = interfaces.get(node)
  if (known || !seen) return known
  const names = [...new Set(seen.interfaces.map(({ name }) => name))].sort()
  interfaces.set(node, names)
  return names
}
