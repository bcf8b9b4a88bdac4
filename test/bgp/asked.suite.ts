// Do annotations reach a router? One BGPPeer whose values each node finds at home, routes with a MED, a
// longer path and a bandwidth, communities of a Service: asked of FRR.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { apply, remove, service, type Written } from '../lab/objects.ts'
import { hopsTo, problems, type RouterLab, untilHops, upWith } from './router.ts'

const prefix = '10.50.0.1/32'
const hops = ['10.10.0.11', '10.10.0.12', '10.10.0.13']
const namespace = 'metallb-system'
type Annotations = Readonly<Record<string, string>>

const object = (kind: string, annotations: Annotations, spec: object): Written => {
  const version = kind === 'BGPPeer' ? 'v1beta2' : 'v1beta1'
  const name = kind === 'BGPPeer' ? 'router-1' : 'routed'
  return {
    path: `/apis/metallb.io/${version}/namespaces/${namespace}/${kind.toLowerCase()}s/${name}`,
    body: {
      ...{ apiVersion: `metallb.io/${version}`, kind },
      ...{ metadata: { name, namespace, annotations }, spec },
    },
  }
}
const peer = (annotations: Annotations, spec: object): Written =>
  object('BGPPeer', annotations, { holdTime: '3s', keepaliveTime: '1s', ...spec })
const node = (name: string, labels: Annotations): Written => ({
  path: `/api/v1/nodes/${name}`,
  body: { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } },
})
const nodes = ['node-1', 'node-2', 'node-3']

describe.skipIf(!inject('hasRouters'))('asked for by annotations', () => {
  let lab: RouterLab
  beforeAll(async () => {
    lab = upWith('frr', { name: 'bgpasked' })
    await untilHops(lab, prefix, hops)
  })
  afterAll(() => lab?.down())

  test('[R8.17] one peer for all: its default gateway, an AS of a label, a source of a prefix', async () => {
    for (const name of nodes) lab.in(name, 'ip', 'route', 'replace', 'default', 'via', '10.10.0.1')
    const rack = 'example.com/rack-asn'
    const found = peer(
      {
        'berth.dev/peer-address-from': 'default-gateway',
        'berth.dev/peer-asn-from': `label:${rack}`,
        'berth.dev/source-address-from': 'cidr:10.10.0.0/24',
      },
      // What MetalLB would read is nobody here.
      { myASN: 64512, peerASN: 64999, peerAddress: '192.0.2.77' },
    )
    apply(lab, [found])
    await untilHops(lab, prefix, [])
    const lacks = `node-1 has no label ${rack}`
    await until(lacks, () => (problems(lab).includes('peer-value-missing') ? true : undefined))
    apply(
      lab,
      nodes.map((name) => node(name, { [rack]: '64513' })),
    )
    await untilHops(lab, prefix, hops)
    // Another way out, and with it another router: there is none.
    lab.in('node-1', 'ip', 'route', 'replace', 'default', 'via', '10.10.0.250')
    await untilHops(lab, prefix, hops.slice(1))
    lab.in('node-1', 'ip', 'route', 'replace', 'default', 'via', '10.10.0.1')
    await untilHops(lab, prefix, hops)
    // A lease that is renewed: the route is gone while the speaker looks, and comes back.
    const dropped = () => {
      const shown = JSON.parse(lab.vtysh('show bgp neighbors 10.10.0.11 json'))
      return (shown as Record<string, { connectionsDropped: number }>)['10.10.0.11']
        ?.connectionsDropped
    }
    const before = dropped()
    expect(before).toBeGreaterThan(0)
    lab.in('node-1', 'ip', 'route', 'del', 'default')
    await sleep(8_000)
    lab.in('node-1', 'ip', 'route', 'add', 'default', 'via', '10.10.0.1')
    await sleep(8_000)
    expect([dropped(), hopsTo(lab, prefix)]).toEqual([before, hops.join(' ')])
  })

  test('[R8.14] [R8.15] a MED, a longer path, and a bandwidth by endpoints', async () => {
    const annotations = {
      'berth.dev/med': '50',
      'berth.dev/as-path-prepend': '2',
      'berth.dev/link-bandwidth': 'endpoints',
    }
    apply(lab, [object('BGPAdvertisement', annotations, { ipAddressPools: ['routed'] })])
    const [path] = await until('a MED', () => {
      const paths = lab.paths(prefix)
      return paths.length === 3 && paths.every(({ med }) => med === 50) ? paths : undefined
    })
    expect(path?.asPath).toBe('64512 64512 64512')
    // One endpoint of each family on each node, and a megabit for it.
    const shown = lab.vtysh(`show bgp ipv4 unicast ${prefix}`)
    expect(shown.match(/LB:64512:250000 \(2\.000 Mbps\)/g) ?? shown).toHaveLength(3)
  })

  test('[R8.16] communities of a Service, as far as its pool allows them', async () => {
    const allowed = { 'berth.dev/allowed-communities': '64513:7, large:64513:1:2' }
    const addresses = ['10.50.0.1-10.50.0.254', 'fd10:50::1-fd10:50::fe']
    const asked = { 'berth.dev/communities': '64513:7,64513:8,large:64513:1:2' }
    const { path, body } = service({ name: 'marked', address: '10.50.0.77' })
    const { metadata } = body as { readonly metadata: { readonly annotations: object } }
    const annotations = { ...metadata.annotations, ...asked }
    const marked = { path, body: { ...body, metadata: { ...metadata, annotations } } }
    apply(lab, [object('IPAddressPool', allowed, { addresses }), marked])
    await untilHops(lab, '10.50.0.77/32', hops)
    expect(lab.paths('10.50.0.77/32')[0]?.communities).toEqual(['64513:7', '64513:1:2'])
    expect(lab.paths(prefix)[0]?.communities).toEqual([])
    remove(lab, [marked])
    await untilHops(lab, '10.50.0.77/32', [])
  })
})
