// Does an event tell when filters never meet, once a change?
import { expect, test } from 'vitest'
import { gatesOf } from '../../src/app/cli/gates.ts'
import { meetings } from '../../src/core/policy/announce/decideMeeting.ts'
import { Cluster } from '../../src/core/sim/cluster.ts'
import { settings } from '../../src/core/sim/runScenario.ts'
import { parseManifests } from '../../src/edge/manifests/readManifests.ts'
import { readCrds } from '../../src/edge/manifests/shippedCrds.ts'
import { bgp, labelled, node as nodeView, peer as peerView, worldOf } from '../build/announcing.ts'

const gate = gatesOf(await readCrds())('native')

function stand() {
  const cluster = new Cluster(gate, settings)
  return {
    cluster,
    /** What is said after it. */
    put(text: string): readonly string[] {
      for (const read of parseManifests(text, 'test')) {
        if (!read.ok) throw new Error(read.unreadable.why)
        const applied = cluster.apply(read.manifest.json)
        if (!applied.ok) throw new Error(JSON.stringify(applied.errors))
      }
      cluster.settle()
      const events = cluster.takeEvents().filter(({ type }) => type === 'Warning')
      return events.map(({ kind, key, reason }) => `${kind}/${key} ${reason}`)
    },
  }
}
const node = (name: string, rack: string): string => `---
apiVersion: v1
kind: Node
metadata: {name: ${name}, labels: {rack: ${rack}}}
`
const meta = 'namespace: metallb-system'
const pool = `---
apiVersion: metallb.io/v1beta1
kind: IPAddressPool
metadata: {name: lan, ${meta}}
spec: {addresses: [192.0.2.0/28]}
`
const advertisement = (kind: string, name: string, spec: string): string => `---
apiVersion: metallb.io/v1beta1
kind: ${kind}
metadata: {name: ${name}, ${meta}}
spec: {${spec}}
`
const onRack = (rack: string): string => `nodeSelectors: [{matchLabels: {rack: ${rack}}}]`
const peer = (rack: string): string => `---
apiVersion: metallb.io/v1beta2
kind: BGPPeer
metadata: {name: tor, ${meta}}
spec: {myASN: 64512, peerASN: 64513, peerAddress: 10.0.0.1, ${onRack(rack)}}
`
const service = `---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, ports: [{port: 80}]}
`

test('[R8.23] selectors that match no node are told, again only after they did', () => {
  const { put } = stand()
  put(node('a', 'one'))
  const nowhere = advertisement('L2Advertisement', 'l2', onRack('two'))
  expect(put(nowhere)).toEqual(['L2Advertisement/l2 NoNodeSelected'])
  expect(put(nowhere)).toEqual([])
  expect(put(node('b', 'three'))).toEqual([])
  expect(put(node('c', 'two'))).toEqual([])
  expect(put(node('c', 'one'))).toEqual(['L2Advertisement/l2 NoNodeSelected'])
})

test('[R8.23] an advertisement and its peers without a common node', () => {
  const { put } = stand()
  put(node('a', 'one') + node('b', 'two') + peer('two'))
  const apart = advertisement('BGPAdvertisement', 'bgp', onRack('one'))
  expect(put(apart)).toEqual(['BGPAdvertisement/bgp NoCommonNode'])
  expect(put(peer('one'))).toEqual([])
  expect(put(peer('three'))).toEqual(['BGPPeer/tor NoNodeSelected'])
})

test('[R8.23] a pool in use that nobody announces', () => {
  const { put, cluster } = stand()
  expect(put(pool)).toEqual([])
  expect(put(service)).toEqual(['IPAddressPool/lan NeverAnnounced'])
  expect(put(service.replace('name: web', 'name: more'))).toEqual([])
  expect(put(advertisement('L2Advertisement', 'other', 'ipAddressPools: [nope]'))).toEqual([])
  expect(put(advertisement('L2Advertisement', 'all', ''))).toEqual([])
  cluster.delete('L2Advertisement/metallb-system/all')
  expect(put('')).toEqual(['IPAddressPool/lan NeverAnnounced'])
})

test("[R8.23] a tenant's pool is announced by what is made with it", () => {
  const { put } = stand()
  const tenant = (announce: string): string => `---
apiVersion: berth.dev/v1alpha1
kind: Tenant
metadata: {name: red}
spec:
  namespaces: {names: [shop]}
  networks:
  - {name: edge, cidrs: [192.0.2.0/24], loadBalancer: [192.0.2.80/29], announce: ${announce}}
`
  expect(put(service + tenant('Layer2'))).toEqual([])
  expect(put(tenant('None'))).toEqual(['IPAddressPool/red-edge NeverAnnounced'])
})

test('[R8.23] who meets its first peer is not compared with all the others', () => {
  let looks = 0
  const labels = { rack: 'a' }
  const nodes = Array.from({ length: 40 }, (_, at) =>
    Object.defineProperty(nodeView(`n${at}`), 'labels', {
      get: () => {
        looks += 1
        return labels
      },
    }),
  )
  const peers = Array.from({ length: 40 }, (_, at) =>
    peerView(`p${at}`, { nodeSelectors: [labelled(labels)] }),
  )
  const world = worldOf(...nodes, ...peers, bgp('lan'))
  const [decider] = meetings.filter(({ kind }) => kind === 'BGPAdvertisement')
  const [key = ''] = world.all('BGPAdvertisement').keys()
  looks = 0
  expect(decider?.decide(world, key)).toEqual({ writes: [], events: [] })
  expect(looks).toBeLessThan(4 * nodes.length)
})
