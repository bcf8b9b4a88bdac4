// Can a tenant stop the controller by passing for the operator that it yields to?
import { type Attempt, settle } from '../attempt.ts'
import { hostOfBetaIsServed, withObjects } from '../hosts.ts'

const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' }
const lease = {
  metadata: { name: 'c8c223a1.openstack.org' },
  spec: {
    holderIdentity: 'me',
    leaseDurationSeconds: 2_000_000_000,
    renewTime: '2100-01-01T00:00:00.000000Z',
  },
}

/** R12.12. */
export const operatorsLease: Attempt = {
  name: 'A tenant poses as infra-operator, beside which Berth writes nothing',
  holds: "a tenant's account or token",
  mustHold: 'hosts of other tenants get addresses',
  before: 'no host got an address',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const given = { of: { ...leases, namespace: 'alpha' }, object: lease }
    await withObjects(stand, [given], async () => {
      await settle()
      await hostOfBetaIsServed(stand)
    })
  },
}
