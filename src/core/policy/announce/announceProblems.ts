// What in the whole configuration keeps addresses from being announced as they were meant to be?
import type { BgpAdvertisement, L2Advertisement } from '../../model/announcing.ts'
import { annotationField, communityAnnotations } from '../../model/bgpAnnotations.ts'
import type { Pool } from '../../model/pool.ts'
import type { Problem } from '../../model/problem.ts'
import { objectOf } from '../../model/view.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { counted } from '../../net/counted.ts'
import { type Moment, momentOf, type Speakers } from './advertise.ts'
import { reaches } from './advertiseBgp.ts'
import { resolveCommunities } from './communities.ts'
import { interfaceProblems } from './interfaceProblems.ts'
import { misfitProblems } from './misfits.ts'
import { badSources, peerOnNode } from './peerOnNode.ts'
import { allowedIn } from './serviceCommunities.ts'
import { serviceProblems } from './serviceProblems.ts'
import { coversPool, subjectOf } from './subject.ts'

/** Each once, however many Services it concerns; by object, code and message. */
export function announceProblems(world: ReadonlyWorld, speakers: Speakers): Problem[] {
  const moment = momentOf(world, speakers)
  const problems = [
    ...splitProblems(world, speakers),
    ...coverageProblems(world),
    ...referenceProblems(moment),
    ...annotationProblems(moment),
    ...misfitProblems(world),
    ...nodeProblems(moment),
    ...peerValueProblems(moment),
    ...interfaceProblems(world),
    ...problemsOfServices(moment),
  ]
  const byText = new Map(problems.map((problem) => [textOf(problem), problem]))
  return [...byText.keys()].sort().flatMap((text) => byText.get(text) ?? [])
}

const textOf = ({ object, code, message }: Problem): string => `${object} ${code} ${message}`

/** R8.3 */
function splitProblems({ pools }: ReadonlyWorld, { expected }: Speakers): Problem[] {
  const field = 'metadata.annotations[berth.dev/split]'
  // No speakers at all are those of manifests without Nodes: nothing is known of them.
  const areFew = expected.size > 0 && expected.size < 3
  return [...pools.values()].flatMap((pool): Problem[] => {
    const object = objectOf(pool)
    if (pool.split === 'safe' && areFew) {
      const message = `safe needs 3 speakers and has ${expected.size}: read as available`
      return [{ code: 'split-needs-three', severity: 'error', object, field, message }]
    }
    if (['', 'available', 'safe'].includes(pool.split)) return []
    const message = `${JSON.stringify(pool.split)} is not available or safe: read as available`
    return [{ code: 'bad-annotation', severity: 'error', object, field, message }]
  })
}

/** Only a warning, since an address may be routed by other means. */
function coverageProblems(world: ReadonlyWorld): Problem[] {
  const advertisements = advertisementsIn(world)
  return poolsInUse(world)
    .filter((pool) => !advertisements.some((by) => coversPool(by, pool)))
    .map((pool) => ({
      code: 'never-announced',
      severity: 'warning',
      object: objectOf(pool),
      message: 'Services hold its addresses, and no advertisement covers it',
    }))
}

function poolsInUse(world: ReadonlyWorld): Pool[] {
  const pools = new Set<Pool>()
  for (const key of world.services.keys()) {
    for (const ip of world.holdingOf(key)?.ips ?? []) {
      const pool = world.poolOf(ip)
      if (pool) pools.add(pool)
    }
  }
  return [...pools]
}

const advertisementsIn = (world: ReadonlyWorld): (L2Advertisement | BgpAdvertisement)[] => [
  ...world.all('L2Advertisement').values(),
  ...world.all('BGPAdvertisement').values(),
]

function referenceProblems({ ground: { world }, bgp }: Moment): Problem[] {
  const code = 'unresolved-reference'
  const inert = bgp.inert.map(({ view, ...found }): Problem => {
    return { ...found, severity: 'error', object: objectOf(view) }
  })
  const ignored = advertisementsIn(world).flatMap((by): Problem[] => {
    const peers = by.kind === 'BGPAdvertisement' ? by.peers : []
    const missing = [
      ...by.pools
        .filter((name) => !world.pools.has(name))
        .map((name) => ({ field: 'spec.ipAddressPools', message: `there is no pool ${name}` })),
      ...peers
        .filter((name) => !world.all('BGPPeer').has(name))
        .map((name) => ({ field: 'spec.peers', message: `there is no BGPPeer ${name}` })),
    ]
    const object = objectOf(by)
    return missing.map((reference) => ({ code, severity: 'warning', object, ...reference }))
  })
  return [...inert, ...ignored]
}

/** R8.14 to R8.16 */
function annotationProblems({ ground: { world }, bgp }: Moment): Problem[] {
  const [code, severity] = ['bad-annotation', 'error'] as const
  const unread = bgp.bad.map(({ view, name, message }): Problem => {
    return { code, severity, object: objectOf(view), field: annotationField(name), message }
  })
  const field = annotationField(communityAnnotations.allowed)
  const unlisted = [...world.pools.values()].flatMap((pool) =>
    resolveCommunities(allowedIn(pool), bgp.aliases).unknown.map((text): Problem => {
      const message = `${JSON.stringify(text)} is neither a:b, large:a:b:c nor an alias: left out`
      return { code, severity, object: objectOf(pool), field, message }
    }),
  )
  return [...unread, ...unlisted]
}

/** Manifests without Nodes say nothing of where things run. */
function nodeProblems({ ground }: Moment): Problem[] {
  const { world, nodes, nodesOf } = ground
  if (nodes.length === 0) return []
  const peers = [...world.all('BGPPeer').values()]
  const nowhere = [...advertisementsIn(world), ...peers].filter((view) => nodesOf(view).size === 0)
  const apart = [...world.all('BGPAdvertisement').values()].filter((by) => {
    const reached = peers.filter((peer) => reaches(by, peer) && nodesOf(peer).size > 0)
    const meets = reached.some((peer) => [...nodesOf(peer)].some((node) => nodesOf(by).has(node)))
    return nodesOf(by).size > 0 && reached.length > 0 && !meets
  })
  const field = 'spec.nodeSelectors'
  return [
    ...nowhere.map((view): Problem => {
      const [object, message] = [objectOf(view), 'its nodeSelectors match no node']
      return { code: 'no-node-selected', severity: 'error', object, field, message }
    }),
    ...apart.map((view): Problem => {
      const [object, message] = [objectOf(view), 'none of its nodes serves any of its peers']
      return { code: 'no-common-node', severity: 'error', object, field, message }
    }),
  ]
}

/** R8.17; of many nodes the first few are named. */
function peerValueProblems({ ground: { world, nodes, nodesOf } }: Moment): Problem[] {
  const [severity, many] = ['error', 5] as const
  return [...world.all('BGPPeer').values()].flatMap((peer): Problem[] => {
    const object = objectOf(peer)
    const unread = badSources(peer)
    if (unread.length > 0) {
      return unread.map(({ name, code, message }) => {
        return { code, severity, object, field: annotationField(name), message }
      })
    }
    const lacking = nodes
      .filter(({ name }) => nodesOf(peer).has(name))
      .flatMap((node) => {
        const found = peerOnNode(peer, node, undefined)
        return 'lacking' in found ? found.lacking.map((one) => ({ ...one, node: node.name })) : []
      })
    const more =
      lacking.length > many ? `, nor on ${counted(lacking.length - many, 'more node')}` : ''
    return lacking.slice(0, many).map(({ name, code, message, node }) => {
      const told = `${node} ${message}: no session there${more}`
      return { code, severity, object, field: annotationField(name), message: told }
    })
  })
}

function problemsOfServices(moment: Moment): Problem[] {
  const { world } = moment.ground
  return [...world.services.keys()].flatMap((key) => {
    const found = subjectOf(world, key)
    return 'subject' in found ? serviceProblems(moment, found.subject) : []
  })
}
