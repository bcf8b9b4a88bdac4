// Does a router spread traffic over nodes of MetalLB and of Berth while one follows the other? FRR with
// the configuration of MetalLB's FRR modes stands in for a node of MetalLB.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { decodePeer } from '../../../src/edge/kube/decode/decodePeer.ts'
import { Fields } from '../../../src/edge/kube/decode/fields.ts'
import { node } from '../../build/announcing.ts'
import { until } from '../../kube/waits.ts'
import { type Frr, startFrr } from './frr.ts'
import { type FrrOnNode, startFrrOnNode } from './frrOnNode.ts'
import { type Berth, places, type Stand, stand } from './stand.ts'

const isHere = 'frr-8.4' in inject('routers')
const ours = places.node.four
/** Of the node that MetalLB still has. */
const theirs = '10.77.0.3'
const route: Route = { prefix: '10.80.0.1/32', localPref: undefined, communities: ['64513:42'] }

const configOf = (asn: number) => `frr defaults traditional
router bgp ${asn}
 bgp router-id 10.77.0.1
 no bgp ebgp-requires-policy
 neighbor ${ours} remote-as 64512
 neighbor ${ours} passive
 neighbor ${theirs} remote-as 64512
 neighbor ${theirs} passive
`

const cases = [
  { what: 'in another AS', asn: 64513 },
  { what: 'in the same AS', asn: 64512 },
]

describe.skipIf(!isHere).each(cases)('a router $what', ({ asn }) => {
  let [its, router, metallb, berth]: [Stand, Frr, FrrOnNode, Berth] = [] as never
  const spec = { myASN: 64512, peerASN: asn, peerAddress: places.router.four, connectTime: '1s' }
  /** Those over which the router's kernel spreads. */
  const ways = (): readonly string[] => {
    const shown = its.run('router', 'ip', 'route', 'show', route.prefix)
    return [...shown.matchAll(/via (\S+)/g)].map(([, hop = '']) => hop).toSorted()
  }
  const goes = (...hops: readonly string[]) =>
    until(`by ${hops.join(' and ')}`, () => (ways().join() === hops.join() ? true : undefined))

  beforeAll(async () => {
    its = await stand(`beside${asn}`)
    its.run('node', 'ip', 'addr', 'add', `${theirs}/24`, 'dev', 'eth0')
    router = await startFrr(its, '/', { config: configOf(asn) })
    metallb = await startFrrOnNode(its, { key: () => '', extras: () => '' })
  })
  afterAll(() => its.clear())

  test('[R8.8] keeps the way of MetalLB and adds ours, and ours stays when MetalLB goes', async () => {
    const peer = decodePeer(
      new Fields({ metadata: { name: 'tor' }, spec: { ...spec, sourceAddress: theirs } }, []),
    )
    const asked = { node: node('node-2'), profiles: [] }
    await metallb.put({ ...asked, peers: [{ peer, link: '', routes: [route] }] })
    await goes(theirs)
    berth = its.berth()
    berth.order({ kind: 'peers', specs: { tor: { ...spec, sourceAddress: ours } } })
    berth.routes([route])
    await goes(ours, theirs)
    const [one, other] = router.paths(route.prefix).map(({ nextHop: _, ...rest }) => rest)
    expect(one).toEqual(other)
    await metallb.put({ ...asked, peers: [] })
    await goes(ours)
  })
})
