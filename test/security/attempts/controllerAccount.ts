// Does the account of the controller reach further than its webhooks' certificate?
import { resourceOf } from '../../../src/edge/kube/kinds.ts'
import { merge, strategic, verbs } from '../../kube/cluster.ts'
import { type Attempt, betaIsServed, isForbidden } from '../attempt.ts'

const name = 'berth-openstack-webhook-configuration'
const everything = [
  { apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'], scope: '*' },
]
const changes = (webhook: string) => {
  const hook = (fields: object) => ({
    ...{ type: strategic, query: { dryRun: 'All' } },
    body: { webhooks: [{ name: webhook, ...fields }] },
  })
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'gone', uid: 'gone' }
  const collected = { metadata: { ownerReferences: [owner] } }
  return [
    hook({ clientConfig: { service: null, url: 'https://192.0.2.1/' } }),
    hook({ rules: everything }),
    hook({ matchConditions: [{ name: 'always', expression: 'true' }], failurePolicy: 'Fail' }),
    hook({ rules: [] }),
    { type: merge, query: { dryRun: 'All' }, body: collected },
  ]
}
const kinds = [
  ['MutatingWebhookConfiguration', 'netconfigcompletionwebhook.network.openstack.org'],
  ['ValidatingWebhookConfiguration', 'ipsetvalidationwebhook.network.openstack.org'],
] as const

/** Whoever is asked about every Pod, and may change it, has the cluster. */
export const controllerAccount: Attempt = {
  name: 'The controller has all objects of the cluster sent to it to change them',
  holds: "the controller's account",
  mustHold: 'every change of a webhook except of its CA bundle is answered 403',
  before: 'all objects could be sent to it and changed',
  engines: ['kubernetes'],
  needsPolicies: true,
  async run(stand) {
    const { controller } = stand
    if (controller === undefined) throw new Error('there is no controller')
    for (const [kind, webhook] of kinds) {
      const configurations = verbs(controller, resourceOf(kind))
      for (const change of changes(webhook)) {
        await isForbidden(configurations.patch(name, change))
      }
    }
    await betaIsServed(stand)
  },
}
