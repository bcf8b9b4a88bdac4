// A Service asks for a BGP community that changes how routers treat its route or the routes of others.
// The attacker may annotate Services in its namespace. Afterwards: its route has only the communities
// that the administrator allows the tenant, and a problem names the others.
// Before: prevented.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { berth, folderOf } from '../build/terminal.ts'

const blackhole = '65535:666'
/** The labels of pools and of the Service itself are the attacker's to write on its Service only. */
const service = (name: string, annotations: string): string => `
  - apiVersion: v1
    kind: Service
    metadata: {name: ${name}, namespace: alpha, annotations: {berth.dev/endpoints: node-a, ${annotations}}}
    spec: {type: LoadBalancer, ports: [{port: 80}]}`
const scenario = `
apiVersion: berth.dev/v1alpha1
kind: Scenario
metadata: {name: communities}
spec:
  given:
  - {apiVersion: v1, kind: Node, metadata: {name: node-a}}
  - apiVersion: metallb.io/v1beta2
    kind: BGPPeer
    metadata: {name: tor, namespace: metallb-system}
    spec: {myASN: 64500, peerASN: 64501, peerAddress: 10.0.0.1}
  - {apiVersion: metallb.io/v1beta1, kind: BGPAdvertisement, metadata: {name: ad, namespace: metallb-system}}
  - apiVersion: berth.dev/v1alpha1
    kind: Tenant
    metadata: {name: alpha, annotations: {berth.dev/allowed-communities: '64500:7'}}
    spec:
      namespaces: {names: [alpha]}
      networks: [{name: lan, cidrs: [192.0.2.0/24], loadBalancer: [192.0.2.16/28], announce: None}]${service('asks', `berth.dev/communities: '64500:7,${blackhole}'`)}${service('allows-itself', `berth.dev/communities: '${blackhole}', berth.dev/allowed-communities: '${blackhole}'`)}
  steps:
  - advance: 1s
    expect:
      announcements:
      - {service: alpha/asks, protocol: bgp, prefix: 192.0.2.17/32, communities: ['64500:7']}
      - {service: alpha/allows-itself, protocol: bgp, prefix: 192.0.2.16/32, communities: []}
      problems:
      - {code: community-not-allowed, object: Service/alpha/asks}
      - {code: community-not-allowed, object: Service/alpha/allows-itself}
`

test('[R8.16] a route carries no community that the tenant may not ask for', async () => {
  const folder = folderOf({ 'communities.yaml': scenario })
  const { exit, out, err } = await berth(['test', join(folder, 'communities.yaml')])
  expect(exit, out + err).toBe(0)
})
