// Does the account of the controller have frr-k8s do more than announce single pods?
import { typeOf } from '../../../src/edge/kube/kinds.ts'
import { merge } from '../../kube/cluster.ts'
import { type Attempt, betaIsServed, isForbidden } from '../attempt.ts'
import { routerIp, routesOf, withRouters } from '../routes.ts'

const prefixes = ['198.51.100.200/32']
const labels = { 'bgpconfiguration.openstack.org/name': 'bgp' }
const neighbour = { address: routerIp, asn: 64_513, toAdvertise: { allowed: { prefixes } } }
const router = { asn: 64_512, prefixes, neighbors: [neighbour] }
const nodeSelector = { matchLabels: { 'kubernetes.io/hostname': 'node-a' } }
const route = (routers: readonly object[], more: object = {}, marked: object = labels) => ({
  ...typeOf('FRRConfiguration'),
  metadata: { name: 'alpha-pod', labels: marked },
  spec: { nodeSelector, bgp: { routers }, ...more },
})
const from = (more: object) => [{ ...router, neighbors: [{ ...neighbour, ...more }] }]
const told = (more: object) => from({ toAdvertise: { allowed: { prefixes }, ...more } })

const all: readonly object[] = [
  route([router], {}, {}),
  route([{ ...router, prefixes: ['198.51.100.0/24'] }]),
  route([{ ...router, prefixes: ['2001:db8::/64'] }]),
  route([router], { raw: { rawConfig: 'router bgp 64512' } }),
  // What a neighbour sends would lead the traffic of the node itself.
  route(from({ toReceive: { allowed: { mode: 'all' } } })),
  route(from({ toReceive: { allowed: { prefixes: [{ prefix: '0.0.0.0/0' }] } } })),
  route([{ ...router, imports: [{ vrf: 'red' }] }]),
  route([{ ...router, id: '192.0.2.1' }]),
  // What others announce would go to a neighbour of the attacker's choice.
  route(told({ allowed: { mode: 'all' } })),
  route(told({ allowed: { prefixes: ['198.51.100.0/24'] } })),
  route(told({ withLocalPref: [{ localPref: 4_000_000_000, prefixes }] })),
  route(told({ withCommunity: [{ community: '65535:666', prefixes }] })),
  route([router], { nodeSelector: {} }),
]

/** With the rights for OpenStack, by which it may write FRRConfigurations in every namespace. */
export const controllerRoutes: Attempt = {
  name: 'The controller has frr-k8s take routes in, pass on those of others, or announce a network',
  holds: "the controller's account",
  mustHold: 'it is answered 403, and routes to single pods are made and changed as before',
  before: 'a neighbour of its choice was told all routes of a node, and led its traffic',
  engines: ['kubernetes'],
  needsPolicies: true,
  async run(stand) {
    const { controller, admin } = stand
    if (controller === undefined) throw new Error('there is no controller')
    await withRouters(stand, async () => {
      const routes = routesOf(controller)
      const dryRun = { dryRun: 'All' }
      for (const body of all) await isForbidden(routes.create(body, dryRun))
      await routes.create(route([router]), dryRun)
      const edit = { type: merge, body: { metadata: { labels }, spec: { bgp: { routers: [] } } } }
      await isForbidden(routes.patch('routers-node-a', edit))
      await isForbidden(routes.remove('routers-node-a'))
      await routesOf(admin).get('routers-node-a')
    })
    await betaIsServed(stand)
  },
}
