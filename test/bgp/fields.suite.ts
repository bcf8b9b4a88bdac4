// Do the fields of a BGPPeer arrive? Inside one AS, with a password, with communities: asked of FRR.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { until } from '../kube/waits.ts'
import { run } from '../lab/namespaces.ts'
import { apply, remove, type Written } from '../lab/objects.ts'
import { hopsTo, pidOf, problems, type RouterLab, untilHops, upWith } from './router.ts'

const prefix = '10.50.0.1/32'
const hops = ['10.10.0.11', '10.10.0.12', '10.10.0.13']
const six = 'fd10:50::1/128'
const sixHops = ['fd10:10::11', 'fd10:10::12', 'fd10:10::13']
const namespace = 'metallb-system'
const program = join(import.meta.dirname, '../../berth')
const kubeconfig = '/run/berth-lab/bgpfrr/api/kubeconfig'

const object = (kind: string, name: string, spec: object): Written => {
  const version = kind === 'BGPPeer' ? 'v1beta2' : 'v1beta1'
  const plural = `${kind.toLowerCase()}s`
  return {
    path: `/apis/metallb.io/${version}/namespaces/${namespace}/${plural}/${name}`,
    body: { apiVersion: `metallb.io/${version}`, kind, metadata: { name, namespace }, spec },
  }
}
const peer = (name: string, spec: object = {}): Written =>
  object('BGPPeer', name, {
    ...{ myASN: 64512, peerASN: 64513, peerAddress: '10.10.0.1' },
    ...{ holdTime: '3s', keepaliveTime: '1s', ...spec },
  })
const secret = (password: string): Written => ({
  path: `/api/v1/namespaces/${namespace}/secrets/router`,
  body: {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'router', namespace },
    type: 'kubernetes.io/basic-auth',
    data: { password: Buffer.from(password).toString('base64') },
  },
})

describe.skipIf(!inject('hasRouters'))('fields', () => {
  let lab: RouterLab
  const configure = (...lines: readonly string[]) =>
    lab.vtysh('configure terminal', 'router bgp 64513', ...lines)
  beforeAll(async () => {
    lab = upWith('frr')
    await untilHops(lab, prefix, hops)
  })
  afterAll(() => lab?.down())

  test('[R8.8] inside one AS: LOCAL_PREF, no AS path, and communities', async () => {
    const onlyThird = [{ matchLabels: { 'kubernetes.io/hostname': 'node-3' } }]
    const notThird = [
      {
        matchExpressions: [
          { key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['node-3'] },
        ],
      },
    ]
    const communities = ['64513:42', 'large:64513:1:2']
    const inside = [
      peer('inside', { myASN: 64513, peerASN: 64513, nodeSelectors: onlyThird }),
      object('BGPAdvertisement', 'inside', { peers: ['inside'], localPref: 300, communities }),
    ]
    configure('no neighbor 10.10.0.13', 'neighbor 10.10.0.13 remote-as internal')
    configure('neighbor 10.10.0.13 passive', 'address-family ipv4', 'neighbor 10.10.0.13 activate')
    apply(lab, [
      peer('router-1', { nodeSelectors: notThird, dualStackAddressFamily: true }),
      object('BGPAdvertisement', 'routed', { ipAddressPools: ['routed'], peers: ['router-1'] }),
    ])
    // After it: two preferences for common peers are refused.
    apply(lab, inside)
    const path = await until('a path with LOCAL_PREF', () =>
      lab.paths(prefix).find(({ localPref }) => localPref !== undefined),
    )
    expect(path).toEqual({
      nextHop: '10.10.0.13',
      origin: 'IGP',
      asPath: 'Local',
      med: 0,
      localPref: 300,
      communities: ['64513:42', '64513:1:2'],
    })
    remove(lab, inside)
    await untilHops(lab, prefix, hops.slice(0, 2))
    configure('no neighbor 10.10.0.13', 'neighbor 10.10.0.13 peer-group nodes')
    apply(lab, [
      peer('router-1', { dualStackAddressFamily: true, nodeSelectors: [] }),
      object('BGPAdvertisement', 'routed', { ipAddressPools: ['routed'], peers: [] }),
    ])
    await untilHops(lab, prefix, hops)
  })

  test('[R8.8] a family that the router does not take is not sent, and both sides say so', async () => {
    const routes = () => lab.in('control', program, 'bgp', 'routes', '--kubeconfig', kubeconfig).out
    const said = '10.10.0.1: the router takes no IPv6 routes, so none are sent'
    configure('address-family ipv6', 'no neighbor nodes activate')
    await until(said, () => (problems(lab).includes(said) ? true : undefined))
    expect(hopsTo(lab, six)).toBe('')
    await untilHops(lab, prefix, hops)
    await until('the routes say so', () =>
      /^10\.50\.0\.1\/32 +node-1 +router-1 +announced /m.test(routes()) &&
      /^fd10:50::1\/128 +node-1 +router-1 +not-sent /m.test(routes())
        ? true
        : undefined,
    )
    configure('address-family ipv6', 'neighbor nodes activate')
    await untilHops(lab, six, sixHops)
    await until('no problem', () => (problems(lab).includes(said) ? undefined : true))
  })

  test('[M6.5] a password: wrong, right, and changed', async () => {
    configure('neighbor nodes password correct')
    apply(lab, [secret('wrong'), peer('router-1', { passwordSecret: { name: 'router' } })])
    await untilHops(lab, prefix, [])
    const said =
      'no connection within 10 s: no answer, as from a router that expects another password'
    await until(said, () => (problems(lab).includes(said) ? true : undefined))
    expect(problems(lab)).not.toContain('wrong')
    apply(lab, [secret('correct')])
    await untilHops(lab, prefix, hops)
    configure('no neighbor nodes password')
    apply(lab, [peer('router-1', { dualStackAddressFamily: true })])
    await untilHops(lab, prefix, hops)
  })

  test('[R8.9] a speaker that stops withdraws, and tells the router that it does', async () => {
    run(['kill', '-TERM', pidOf(lab, 'node-1', 'speaker')])
    await untilHops(lab, prefix, hops.slice(1))
    expect(lab.vtysh('show bgp neighbors 10.10.0.11')).toContain('Cease/Administrative Shutdown')
    // It is started anew once it has ended.
    const started = 'speaker of node-1 started'
    await until(started, () => (lab.berth('heal').out.includes(started) ? true : undefined))
    await untilHops(lab, prefix, hops)
  })
})
