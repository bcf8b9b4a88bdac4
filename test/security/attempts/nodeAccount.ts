// Does the account of a speaker reach further than its node?
import { core, merge, verbs } from '../../kube/cluster.ts'
import {
  type Attempt,
  berthKind,
  betaIsServed,
  isForbidden,
  metallb,
  ownNamespace,
  victimIp,
} from '../attempt.ts'

const account = (name: string): string =>
  `/api/v1/namespaces/${ownNamespace}/serviceaccounts/${name}/token`
const inOurs = { namespace: ownNamespace, version: 'v1' }

/** A node that is taken over has the token of the speaker's pod on it. */
export const nodeAccount: Attempt = {
  name: 'A node gives out addresses, becomes the controller, or reads objects that are not its own',
  holds: "a node's account",
  mustHold: 'every request is answered 403, and Services keep their addresses',
  before: 'prevented',
  engines: ['kubernetes'],
  async run(stand) {
    const { node } = stand
    if (node === undefined) throw new Error('there is no node')
    const of = (plural: string, namespace?: string) => verbs(node, core(plural, namespace))
    const status = { status: { loadBalancer: { ingress: [{ ip: victimIp }] } } }
    const patch = { type: merge, body: status, subresource: 'status' }
    const leases = verbs(node, { ...inOurs, group: 'coordination.k8s.io', plural: 'leases' })
    const [addresses, tenants] = ['addresses', 'tenants'].map((one) => verbs(node, berthKind(one)))
    const pools = verbs(node, metallb('ipaddresspools'))
    const asked = [
      of('services', 'alpha').patch('any', patch),
      of('services', 'beta').remove('victim'),
      addresses?.remove(victimIp),
      addresses?.create({ metadata: { name: '198.51.100.25' }, spec: {} }),
      tenants?.remove('beta'),
      pools.patch('beta-lan', { type: merge, body: { spec: { addresses: [] } } }),
      pools.remove('open'),
      leases.list(),
      of('secrets', ownNamespace).list(),
      of('secrets', 'kube-system').list(),
      of('pods', ownNamespace).create({ metadata: { name: 'mine' } }),
      of('nodes').patch('node-b', { type: merge, body: {} }),
      node.call({ method: 'POST', path: account('berth-controller'), body: {} }),
      node.call({ method: 'POST', path: account('berth-speaker'), body: {} }),
      node.call({ method: 'GET', path: '/api/v1/secrets' }),
    ]
    await Promise.all(asked.map((one) => isForbidden(Promise.resolve(one))))
    await betaIsServed(stand)
  },
}
