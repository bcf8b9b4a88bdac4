// Does BFD come up where it is not one hop over IPv4? Over IPv6, and over several hops, with FRR.
import { afterEach, describe, expect, inject, test } from 'vitest'
import { until } from '../../kube/waits.ts'
import { startFrr } from './frr.ts'
import { places, type Stand, stand } from './stand.ts'
import { shown, wireFaults } from './wireFaults.ts'

const isHere = 'frr-8.4' in inject('routers')
const { node, router } = places
/** Of neither wire: each side has one on its loopback. */
const far = { node: '10.78.0.2', router: '10.78.0.1' }
const begin = `frr defaults traditional
router bgp 64513
 bgp router-id ${router.four}
 no bgp ebgp-requires-policy
`
const bfd = `bfd
 profile calm
  receive-interval 300
  transmit-interval 300
  detect-multiplier 5
`
const profile = { receiveInterval: 300, transmitInterval: 300, detectMultiplier: 5 }
const asns = { myASN: 64512, peerASN: 64513, bfdProfile: 'calm', connectTime: '1s' }

let its: Stand

describe.skipIf(!isHere)('BFD', () => {
  afterEach(async () => {
    const capture = await its.record()
    const [packets, faults] = [shown(capture, 'bfd'), wireFaults(capture)]
    await its.clear()
    expect(packets).not.toBe('')
    expect(faults).toEqual([])
  })

  /** Until both sides have it up. */
  async function comesUp(config: string, spec: object): Promise<string> {
    const frr = await startFrr(its, '/', { config: begin + config, bfd, isReady: '64512' })
    const berth = its.berth()
    berth.order({ kind: 'peers', specs: { tor: { ...asns, ...spec } }, profile })
    let seen = ''
    const isUp = async () => {
      const [session] = (await berth.seen()).sessions
      seen = JSON.stringify(session)
      return session?.state === 'Established' && session.bfd === 'Up' ? true : undefined
    }
    await until('BFD is up here', isUp, 50_000).catch((error: unknown) => {
      throw new Error(`${String(error)}: ${seen} ${frr.vtysh('show bfd peers')}`)
    })
    return until('BFD is up there', () => {
      const shown = frr.vtysh('show bfd peers json')
      return shown.includes('"up"') ? shown : undefined
    })
  }

  test('[R8.11] over IPv6', async () => {
    its = await stand('bfd6')
    const config = ` neighbor ${node.six} remote-as 64512
 neighbor ${node.six} bfd profile calm
 address-family ipv6 unicast
  neighbor ${node.six} activate
`
    const shown = await comesUp(config, { peerAddress: router.six })
    expect(JSON.parse(shown)).toMatchObject([{ peer: node.six, multihop: false, status: 'up' }])
  })

  test('[R8.11] over several hops, with ebgpMultiHop', async () => {
    its = await stand('bfdfar')
    for (const place of ['node', 'router'] as const) {
      const [own, other] = place === 'node' ? ['node', 'router'] : ['router', 'node']
      its.run(place, 'ip', 'addr', 'add', `${far[own as 'node']}/32`, 'dev', 'lo')
      const via = places[other as 'node'].four
      its.run(place, 'ip', 'route', 'add', `${far[other as 'node']}/32`, 'via', via)
    }
    const config = ` neighbor ${far.node} remote-as 64512
 neighbor ${far.node} ebgp-multihop 5
 neighbor ${far.node} update-source ${far.router}
 neighbor ${far.node} bfd profile calm
`
    const spec = { peerAddress: far.router, sourceAddress: far.node, ebgpMultiHop: true }
    const shown = await comesUp(config, spec)
    expect(JSON.parse(shown)).toMatchObject([{ peer: far.node, multihop: true, status: 'up' }])
  })
})
