// Do a node and a router find each other on a wire without addresses? FRR with `neighbor eth0
// interface`: IPv4 through an address of the link, in its kernel too, and BFD over it.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { until } from '../../kube/waits.ts'
import { type Frr, startFrr } from './frr.ts'
import { type Berth, rootOf, type Stand, stand } from './stand.ts'
import { shown, wireFaults } from './wireFaults.ts'

const config = `frr defaults traditional
router bgp 64513
 bgp router-id 10.77.0.1
 no bgp ebgp-requires-policy
 neighbor eth0 interface remote-as external
 neighbor eth0 bfd
 address-family ipv6 unicast
  neighbor eth0 activate
`
const four: Route = { prefix: '10.80.0.1/32', localPref: undefined, communities: [] }
const six: Route = { ...four, prefix: 'fd80::1/128' }
const routers = Object.entries(inject('routers')).filter(([name]) => name.startsWith('frr'))

describe.each(routers)('%s', (name, root) => {
  let [its, berth, router]: [Stand, Berth, Frr] = [] as never
  const session = async () => (await berth.seen()).sessions[0]
  beforeAll(async () => {
    its = await stand(`un${name.replace('.', '')}`, { under: rootOf(root), hasAddresses: false })
    router = await startFrr(its, root, { config, isReady: 'eth0', bfd: 'bfd\n' })
    berth = its.berth()
    const spec = { myASN: 64512, dynamicASN: 'external', interface: 'eth0', connectTime: '1s' }
    const profile = { receiveInterval: 300, transmitInterval: 300, detectMultiplier: 7 }
    berth.order({ kind: 'peers', specs: { tor: { ...spec, bfdProfile: 'calm' } }, profile })
    berth.routes([four, six])
    await until('a session', async () =>
      (await session())?.state === 'Established' ? true : undefined,
    )
  })
  afterAll(() => its.clear())

  test('[R8.18] both families, through the address of the link', async () => {
    const agreed = (await session())?.agreed
    expect(agreed).toMatchObject({ families: ['IPv4', 'IPv6'], hopsBySix: true })
    for (const { prefix } of [four, six]) {
      const kernel = await until(prefix, () => {
        const shown = its.run(
          'router',
          'ip',
          prefix.includes(':') ? '-6' : '-4',
          'route',
          'show',
          prefix,
        )
        return shown.includes('eth0') ? shown : undefined
      })
      expect(kernel).toMatch(/via (inet6 )?fe80::\S+ dev eth0/)
    }
  })

  test('[R8.11] BFD over it comes up', async () => {
    await until('BFD', async () => ((await session())?.bfd === 'Up' ? true : undefined))
    expect(router.vtysh('show bfd peers brief')).toMatch(/fe80::\S+ +fe80::\S+ +up/)
  })

  test('nothing on the wire is malformed', async () => {
    const capture = await its.record()
    expect(shown(capture, 'bgp.type == 2')).not.toBe('')
    expect(wireFaults(capture)).toEqual([])
  })

  test('[R8.18] the router does not take the node for its way out', () => {
    expect(its.run('router', 'ip', '-6', 'route', 'show', 'default')).toBe('')
  })
})
