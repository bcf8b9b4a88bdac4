// Does frr-k8s take the FRRConfiguration that we write, and do routers then hear what our own engine would
// tell them? Its own program, with its own definitions, reloader and FRR, and BIRD as the router.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { FrrAsked } from '../../../src/app/speaker/frr/frrOutput.ts'
import type { Route } from '../../../src/core/session/bgp/routes.ts'
import { decodePeer } from '../../../src/edge/kube/decode/decodePeer.ts'
import { Fields } from '../../../src/edge/kube/decode/fields.ts'
import { node as aNode } from '../../build/announcing.ts'
import { until } from '../../kube/waits.ts'
import { startBird } from './bird.ts'
import { type FrrK8sOnNode, frrK8sProgram, startFrrK8s } from './frrK8sOnNode.ts'
import type { Router } from './router.ts'
import { places, type Stand, stand } from './stand.ts'
import { wireFaults } from './wireFaults.ts'

const isHere = frrK8sProgram !== '' && 'bird-2.0' in inject('routers')
const plain: Route = { prefix: '10.80.0.1/32', localPref: undefined, communities: [] }
const rich: Route = {
  ...{ prefix: '10.80.1.0/24', localPref: undefined },
  communities: ['64513:42', '65535:65281', 'large:64513:1:2'],
}
const six: Route = { ...plain, prefix: 'fd80::1/128', communities: ['64513:42'] }
const spec = {
  ...{ myASN: 64512, peerASN: 64513, peerAddress: places.router.four, password: 'interop' },
  ...{ holdTime: '9s', connectTime: '1s', dualStackAddressFamily: true },
  sourceAddress: places.node.four,
}
const inSecret = { ...spec, password: '', passwordSecret: { name: 'tor-key' } }
const node = { ...aNode('node-1'), labels: { 'kubernetes.io/hostname': 'node-1' } }

const asked = (routes: readonly Route[], its: object = spec): FrrAsked => ({
  node,
  peers: [
    {
      peer: decodePeer(new Fields({ metadata: { name: 'tor' }, spec: its }, [])),
      ...{ link: '', routes },
    },
  ],
  profiles: [],
})

describe.skipIf(!isHere)('frr-k8s on the node', () => {
  let [its, k8s, router]: [Stand, FrrK8sOnNode, Router] = [] as never
  const has = (prefix: string) => until(prefix, () => router.paths(prefix)[0])
  const isGone = (prefix: string) =>
    until(`no ${prefix}`, () => (router.paths(prefix).length === 0 ? true : undefined))
  /** As the speaker does: again and again, also when nothing has changed. */
  const put = (given: FrrAsked) =>
    until('frr-k8s has it', async () => {
      const trouble = await k8s.object.write(given)
      return trouble === '' && (await k8s.object.hasTaken('node-1')) ? true : undefined
    })
  const sessions = (): string => {
    const shown = JSON.parse(k8s.vtysh('show bgp summary json')) as {
      readonly ipv4Unicast?: { readonly peers: Record<string, { connectionsEstablished: number }> }
    }
    return `${shown.ipv4Unicast?.peers[places.router.four]?.connectionsEstablished}`
  }
  beforeAll(async () => {
    its = await stand('fk8s')
    router = await startBird(its, '/')
    k8s = await startFrrK8s(its)
  })
  afterAll(async () => {
    await k8s?.stop()
    await its?.clear()
  })

  test('[R8.19] routes have the attributes that were asked for', async () => {
    await put(asked([plain, rich, six]))
    const usual = { origin: 'IGP', asPath: '64512', med: 0, localPref: undefined, communities: [] }
    expect(await has(plain.prefix)).toEqual({ ...usual, nextHop: places.node.four })
    expect(await has(six.prefix)).toMatchObject({ asPath: '64512', communities: ['64513:42'] })
    const { communities } = await has(rich.prefix)
    expect(communities.toSorted()).toEqual(['64513:1:2', '64513:42', '65535:65281'])
  })

  test('[R8.19] a Service that comes, and one that goes, drop no session', async () => {
    const before = sessions()
    await put(asked([plain, rich, six, { ...plain, prefix: '10.80.0.2/32' }]))
    await has('10.80.0.2/32')
    await put(asked([plain]))
    for (const prefix of ['10.80.0.2/32', rich.prefix, six.prefix]) await isGone(prefix)
    expect(router.paths(plain.prefix)).toHaveLength(1)
    expect(sessions()).toBe(before)
  })

  test('[R8.19] a password in a Secret is read by frr-k8s itself', async () => {
    await k8s.secrets.create({
      ...{ metadata: { name: 'tor-key' }, type: 'kubernetes.io/basic-auth' },
      data: { password: Buffer.from('interop').toString('base64') },
    })
    await put(asked([plain, six], inSecret))
    const { spec: written } = await k8s.configurations.get('metallb-node-1')
    expect(JSON.stringify(written)).not.toContain('"password":')
    await has(six.prefix)
  })

  test('[R8.19] what frr-k8s refuses is said in its words, and is over with its cause', async () => {
    await k8s.configurations.create({
      ...{ apiVersion: 'frrk8s.metallb.io/v1beta1', kind: 'FRRConfiguration' },
      metadata: { name: 'of-another' },
      spec: { bgp: { routers: [{ asn: 64999 }] } },
    })
    const more = asked([plain, rich], inSecret)
    const trouble = await until('a refusal', async () => {
      const said = await k8s.object.write(more)
      return said.startsWith('frr-k8s: ') ? said : undefined
    })
    expect(trouble).toMatch(/64999|asn/i)
    expect(router.paths(plain.prefix)).toHaveLength(1)
    await k8s.configurations.remove('of-another')
    await put(more)
    await has(rich.prefix)
  })

  test('nothing that FRR sent was malformed', async () => {
    expect(wireFaults(await its.record())).toEqual([])
  })
})
