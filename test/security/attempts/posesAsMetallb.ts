// Can a tenant stop the controller by passing for MetalLB's, beside which it writes nothing?
import { expect } from 'vitest'
import { verbs } from '../../kube/cluster.ts'
import { type Attempt, betaIsServed, ownNamespace, settle } from '../attempt.ts'
import { withObjects } from '../hosts.ts'

const labels = { app: 'metallb', component: 'controller' }
const deployment = {
  metadata: { name: 'controller', labels },
  spec: {
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'controller', image: 'metallb' }] },
    },
  },
}
const deployments = { group: 'apps', version: 'v1', plural: 'deployments', namespace: 'alpha' }
const leases = {
  ...{ group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespace: ownNamespace },
}

/** Once adoption is over, which the Lease says. */
export const posesAsMetallb: Attempt = {
  name: "A tenant poses as MetalLB's controller, beside which Berth writes nothing",
  holds: "a tenant's account or token",
  mustHold: 'Services of other tenants get addresses, and no status counts as adopted again',
  before: 'no Service got an address',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    await withObjects(stand, [{ of: deployments, object: deployment }], async () => {
      await settle()
      await betaIsServed(stand)
    })
    const { metadata } = await verbs(stand.admin, leases).get('berth-controller')
    expect(metadata.annotations?.['berth.dev/adoption']).toBe('done')
  },
}
