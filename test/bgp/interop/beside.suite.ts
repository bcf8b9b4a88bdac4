// Does a router spread traffic over nodes of MetalLB and of Berth while one follows the other? FRR with
// the configuration of MetalLB's FRR modes stands in for a node of MetalLB, GoBGP for one in native mode.
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { decodePeer } from '../../../src/edge/kube/decode/decodePeer.ts'
import { Fields } from '../../../src/edge/kube/decode/fields.ts'
import { node } from '../../build/announcing.ts'
import { until } from '../../kube/waits.ts'
import { type Frr, startFrr } from './frr.ts'
import { type FrrOnNode, startFrrOnNode } from './frrOnNode.ts'
import { startNative } from './nativeOnNode.ts'
import { type Berth, places, type Stand, stand } from './stand.ts'
import { wireFaults } from './wireFaults.ts'

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

const routers = [
  { what: 'in another AS', asn: 64513 },
  { what: 'in the same AS', asn: 64512 },
]
const specOf = (asn: number) => ({
  ...{ myASN: 64512, peerASN: asn, peerAddress: places.router.four, connectTime: '1s' },
})

/** Those over which the router's kernel spreads. */
const ways = (its: Stand): readonly string[] => {
  const shown = its.run('router', 'ip', 'route', 'show', route.prefix)
  return [...shown.matchAll(/via (\S+)/g)].map(([, hop = '']) => hop).toSorted()
}
const goes = (its: Stand, ...hops: readonly string[]) =>
  until(`by ${hops.join(' and ')}`, () => (ways(its).join() === hops.join() ? true : undefined))

async function stands(name: string, asn: number): Promise<readonly [Stand, Frr]> {
  const its = await stand(name)
  its.run('node', 'ip', 'addr', 'add', `${theirs}/24`, 'dev', 'eth0')
  return [its, await startFrr(its, '/', { config: configOf(asn) })]
}

/** What two nodes told the router, but for the way to each. */
const told = (router: Frr) => router.paths(route.prefix).map(({ nextHop: _, ...rest }) => rest)

describe.skipIf(!isHere).each(routers)('beside MetalLB with FRR, a router $what', ({ asn }) => {
  let [its, router, metallb, berth]: [Stand, Frr, FrrOnNode, Berth] = [] as never
  const spec = specOf(asn)

  beforeAll(async () => {
    const found = await stands(`beside${asn}`, asn)
    its = found[0]
    router = found[1]
    metallb = await startFrrOnNode(its, { root: '/', key: () => '', extras: () => '' })
  })
  afterAll(() => its.clear())

  test('[R8.8] keeps the way of MetalLB and adds ours, and ours stays when MetalLB goes', async () => {
    const peer = decodePeer(
      new Fields({ metadata: { name: 'tor' }, spec: { ...spec, sourceAddress: theirs } }, []),
    )
    const asked = { node: node('node-2'), profiles: [] }
    await metallb.put({ ...asked, peers: [{ peer, link: '', routes: [route] }] })
    await goes(its, theirs)
    berth = its.berth()
    berth.order({ kind: 'peers', specs: { tor: { ...spec, sourceAddress: ours } } })
    berth.routes([route])
    await goes(its, ours, theirs)
    const [one, other] = told(router)
    expect(one).toEqual(other)
    await metallb.put({ ...asked, peers: [] })
    await goes(its, ours)
  })

  test('nothing that was sent was malformed', async () => {
    expect(wireFaults(await its.record())).toEqual([])
  })
})

const gobgp = inject('routers')['gobgp-4.8']

describe.skipIf(!isHere || gobgp === undefined).each(routers)(
  'beside native MetalLB, a router $what',
  ({ asn }) => {
    let [its, router]: [Stand, Frr] = [] as never
    afterEach(async () => {
      const faults = wireFaults(await its.record())
      await its.clear()
      expect(faults).toEqual([])
    })

    test('[R8.8] spreads over both where METALLB_BGP_TYPE is native here too', async () => {
      const found = await stands(`native${asn}`, asn)
      its = found[0]
      router = found[1]
      const metallb = await startNative(its, { root: `${gobgp}`, address: theirs, asn })
      metallb.announce(route.prefix, '64513:42')
      await goes(its, theirs)
      const berth = its.berth()
      const specs = { tor: { ...specOf(asn), sourceAddress: ours } }
      berth.order({ kind: 'peers', specs, style: 'native' })
      berth.routes([route])
      await goes(its, ours, theirs)
      const [one, other] = told(router)
      expect(one).toEqual(other)
      expect(one).toMatchObject({ med: undefined, ...(asn === 64512 && { localPref: 0 }) })
      metallb.withdraw(route.prefix)
      await goes(its, ours)
    })

    test('[R8.8] and sends everything our way inside one AS where it is not', async () => {
      const found = await stands(`frrly${asn}`, asn)
      its = found[0]
      const metallb = await startNative(its, { root: `${gobgp}`, address: theirs, asn })
      metallb.announce(route.prefix, '64513:42')
      await goes(its, theirs)
      const berth = its.berth()
      berth.order({ kind: 'peers', specs: { tor: { ...specOf(asn), sourceAddress: ours } } })
      berth.routes([route])
      // Another AS never hears of LOCAL_PREF, and a MED of 0 is as good as none.
      await goes(its, ...(asn === 64512 ? [ours] : [ours, theirs]))
    })
  },
)
