// Can a tenant keep others from their addresses by what it writes for hosts of its own?
import type { Resource } from '../../../src/edge/kube/api/resource.ts'
import { type KubeObject, verbs } from '../../kube/cluster.ts'
import { until } from '../../kube/waits.ts'
import { type Attempt, betaIsServed, type Stand, settle } from '../attempt.ts'

const openstack = (plural: string, namespace: string): Resource => ({
  ...{ group: 'network.openstack.org', version: 'v1beta1', plural, namespace },
})
const all = Array.from({ length: 16 }, (_, at) => `198.51.100.${16 + at}`)
const apiVersion = 'network.openstack.org/v1beta1'
const reservation = {
  ...{ apiVersion, kind: 'Reservation' },
  metadata: { name: 'grab' },
  spec: {
    ipSetRef: { name: 'grab', namespace: 'alpha' },
    reservation: Object.fromEntries(
      all.map((address, at) => [`n${at}`, { network: `n${at}`, subnet: 's1', address }]),
    ),
  },
}
const networks = (more: object = {}) => [
  {
    name: 'ctlplane',
    dnsDomain: 'ctlplane.example.com',
    subnets: [
      {
        ...{ name: 's1', cidr: '192.168.122.0/24' },
        allocationRanges: [{ start: '192.168.122.10', end: '192.168.122.20' }],
        ...more,
      },
    ],
  },
]
const netConfig = (more?: object) => ({
  ...{ apiVersion, kind: 'NetConfig', metadata: { name: 'netconfig' } },
  spec: { networks: networks(more) },
})
const routes = all.map((nexthop) => ({ destination: '10.0.0.0/8', nexthop }))
const lease = {
  metadata: { name: 'c8c223a1.openstack.org' },
  spec: {
    holderIdentity: 'me',
    leaseDurationSeconds: 2_000_000_000,
    renewTime: '2100-01-01T00:00:00.000000Z',
  },
}

const onTheirs = { cidr: '198.51.100.0/24', allocationRanges: [], routes }

type Given = { readonly of: Resource; readonly object: { readonly metadata: { name: string } } }

/** By the tenant; gone when the work is done. */
async function withObjects(
  { tenant, admin }: Stand,
  objects: readonly Given[],
  work: () => Promise<void>,
): Promise<void> {
  for (const { of, object } of objects) await verbs(tenant, of).create(object)
  try {
    await work()
  } finally {
    for (const { of, object } of objects) await verbs(admin, of).remove(object.metadata.name)
  }
}

export const othersHosts: Attempt = {
  name: "A tenant has all addresses of another tenant's pool taken by hosts and gateways of its own",
  holds: "a tenant's account or token",
  mustHold: 'the other tenant gets addresses of its pool',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const objects = [
      { of: openstack('reservations', 'alpha'), object: reservation },
      { of: openstack('netconfigs', 'alpha'), object: netConfig(onTheirs) },
    ]
    await withObjects(stand, objects, async () => {
      await settle()
      await betaIsServed(stand)
    })
  },
}

export const operatorsLease: Attempt = {
  name: 'A tenant passes for infra-operator, beside which Berth writes nothing',
  holds: "a tenant's account or token",
  mustHold: 'hosts of other tenants get addresses',
  engines: ['kubernetes', 'embedded'],
  async run(stand) {
    const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' }
    const given = { of: { ...leases, namespace: 'alpha' }, object: lease }
    await withObjects(stand, [given], async () => {
      await settle()
      const [configs, ipSets] = ['netconfigs', 'ipsets'].map((plural) =>
        verbs(stand.admin, openstack(plural, 'beta')),
      )
      await configs?.create(netConfig())
      await ipSets?.create({
        ...{ apiVersion, kind: 'IPSet', metadata: { name: 'host' } },
        spec: { networks: [{ name: 'ctlplane', subnetName: 's1' }] },
      })
      try {
        await until('the host has an address', async () =>
          addressesOf(await ipSets?.get('host')).length > 0 ? true : undefined,
        )
      } finally {
        await ipSets?.remove('host')
        await configs?.remove('netconfig')
      }
    })
  },
}

const addressesOf = (ipSet: KubeObject | undefined): readonly unknown[] => {
  const status = ipSet?.['status'] as { reservations?: readonly unknown[] } | undefined
  return status?.reservations ?? []
}
