// Can a tenant write what decides about addresses?
import { configMap, core, jsonPatch, loadBalancer, merge, verbs } from '../../kube/cluster.ts'
import {
  type Attempt,
  berthKind,
  betaIsServed,
  isForbidden,
  metallb,
  ownNamespace,
  victimIp,
} from '../attempt.ts'

/** R4.3, R4.8 and all that decides who gets what. */
export const othersObjects: Attempt = {
  name: 'A tenant writes or reads objects that decide about addresses, or that belong to others',
  holds: "a tenant's account or token",
  mustHold: 'every request is answered 403',
  before: 'prevented',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const { tenant } = stand
    const labels = { metadata: { labels: { team: 'gamma' } } }
    const owned = { metadata: { labels: { 'berth.dev/tenant': 'alpha' } } }
    const spec = { addresses: ['198.51.100.16/28'] }
    const patch = { type: merge, body: { spec: { quota: { addresses: 1000 } } } }
    const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' }
    const asked = [
      verbs(tenant, core('namespaces')).patch('alpha', { type: merge, body: labels }),
      verbs(tenant, core('namespaces')).remove('beta'),
      verbs(tenant, berthKind('tenants')).patch('alpha', patch),
      verbs(tenant, berthKind('tenants')).remove('beta'),
      verbs(tenant, metallb('ipaddresspools')).patch('beta-lan', { type: merge, body: owned }),
      verbs(tenant, metallb('ipaddresspools')).create({ metadata: { name: 'mine' }, spec }),
      verbs(tenant, metallb('l2advertisements')).create({ metadata: { name: 'mine' } }),
      verbs(tenant, metallb('bgppeers', 'v1beta2')).list(),
      verbs(tenant, berthKind('sites')).create({ metadata: { name: 'cluster' } }),
      verbs(tenant, berthKind('releasedpools')).create({ metadata: { name: 'beta-lan' } }),
      verbs(tenant, berthKind('addressblocks')).create({ metadata: { name: 'mine' } }),
      verbs(tenant, berthKind('addressblocks')).list(),
      verbs(tenant, berthKind('addresses')).remove(victimIp),
      verbs(tenant, berthKind('addresses')).patch(victimIp, { type: jsonPatch, body: [] }),
      verbs(tenant, core('services', 'beta')).create(loadBalancer('mine')),
      verbs(tenant, core('services', 'beta')).remove('victim'),
      verbs(tenant, core('secrets', ownNamespace)).list(),
      verbs(tenant, core('secrets', 'kube-system')).create({ metadata: { name: 'mine' } }),
      verbs(tenant, core('configmaps', 'beta')).create(configMap('mine')),
      verbs(tenant, core('nodes')).patch('node-a', { type: merge, body: labels }),
      verbs(tenant, { ...leases, namespace: ownNamespace }).list(),
    ]
    await Promise.all(asked.map(isForbidden))
    await betaIsServed(stand)
  },
}
