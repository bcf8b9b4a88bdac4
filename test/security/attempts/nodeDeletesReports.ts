// Does a speaker delete what is known about another node?
import { verbs } from '../../kube/cluster.ts'
import { type Attempt, berthKind, isForbidden, metallb } from '../attempt.ts'

const about = (kind: string, apiVersion: string, name: string) => ({
  ...{ apiVersion, kind, metadata: { name } },
  spec: kind === 'NodeInterfaces' ? { interfaces: [] } : {},
})

/** With the policy that binds a token to the node of its pod. */
export const nodeDeletesReports: Attempt = {
  name: 'A node deletes the reports of another node, whose addresses Services then get',
  holds: "a node's account",
  mustHold: 'it is answered 403, the reports are there, and it may delete its own',
  before: 'the reports were gone for up to five minutes, as often as it liked',
  engines: ['kubernetes'],
  needsPolicies: true,
  async run({ node, admin }) {
    if (node === undefined) throw new Error('there is no node')
    const kinds = [
      ['NodeInterfaces', 'berth.dev/v1alpha1', berthKind('nodeinterfaces'), ''],
      ['ConfigurationState', 'metallb.io/v1beta1', metallb('configurationstates'), 'speaker-'],
    ] as const
    for (const [kind, apiVersion, resource, prefix] of kinds) {
      const [theirs, all] = [verbs(node, resource), verbs(admin, resource)]
      const [own, other] = [`${prefix}node-a`, `${prefix}node-b`]
      await all.create(about(kind, apiVersion, other))
      await isForbidden(theirs.remove(other))
      await all.get(other)
      await theirs.create(about(kind, apiVersion, own))
      await theirs.remove(own)
      await all.remove(other)
    }
  },
}
