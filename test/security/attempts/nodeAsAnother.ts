// Does a speaker speak for another node?
import { expect } from 'vitest'
import { merge, verbs } from '../../kube/cluster.ts'
import { type Attempt, berthKind, metallb } from '../attempt.ts'

const spec = {
  interfaces: [{ name: 'eth0', mac: '02:00:00:00:00:01', addresses: ['10.0.0.1/24'] }],
}

/** With the policy that binds a token to the node of its pod. */
export const nodeAsAnother: Attempt = {
  name: 'A node reports in the name of another node, of none, or of the controller',
  holds: "a node's account",
  mustHold: 'every report is refused, and none exists',
  before: 'reports in the name of another were accepted unless the policy was installed by hand',
  engines: ['kubernetes'],
  needsPolicies: true,
  async run({ node, admin }) {
    if (node === undefined) throw new Error('there is no node')
    const reports = verbs(node, berthKind('nodeinterfaces'))
    const named = (name: string, kind: string, apiVersion: string) => ({
      ...{ apiVersion, kind, metadata: { name, labels: { 'metallb.io/node': 'node-b' } } },
    })
    const asked = [
      reports.create({ ...named('node-b', 'NodeInterfaces', 'berth.dev/v1alpha1'), spec }),
      reports.create({ ...named('no-such-node', 'NodeInterfaces', 'berth.dev/v1alpha1'), spec }),
      verbs(node, metallb('servicel2statuses')).create(
        named('forged', 'ServiceL2Status', 'metallb.io/v1beta1'),
      ),
      verbs(node, metallb('servicebgpstatuses')).create(
        named('forged', 'ServiceBGPStatus', 'metallb.io/v1beta1'),
      ),
      verbs(node, metallb('configurationstates')).create(
        named('controller-2', 'ConfigurationState', 'metallb.io/v1beta1'),
      ),
      verbs(node, metallb('configurationstates')).patch('controller', {
        ...{ type: merge, subresource: 'status', body: { status: { result: 'Invalid' } } },
      }),
    ]
    await Promise.all(asked.map(isRefused))
    const kept = await verbs(admin, berthKind('nodeinterfaces')).list()
    expect(kept.items.map(({ metadata }) => metadata.name)).toEqual([])
  },
}

/** By RBAC or by the policy. */
async function isRefused(asked: Promise<unknown>): Promise<void> {
  const answer = await asked.then(
    () => 'accepted',
    (error: unknown) => String(error),
  )
  expect(answer).toMatch(/forbidden|denied|40[34]|422/i)
}
