// What do attempts write for hosts of OpenStack, and are the hosts of others served meanwhile?
import type { Resource } from '../../src/edge/kube/api/resource.ts'
import { type KubeObject, verbs } from '../kube/cluster.ts'
import { until } from '../kube/waits.ts'
import type { Stand } from './attempt.ts'

const apiVersion = 'network.openstack.org/v1beta1'

export const openstack = (plural: string, namespace: string): Resource => ({
  ...{ group: 'network.openstack.org', version: 'v1beta1', plural, namespace },
})

export const hostObject = (kind: string, name: string, spec: object) => ({
  ...{ apiVersion, kind, metadata: { name }, spec },
})

/** With one network of one subnet. */
export const netConfig = (more: object = {}, name = 'ctlplane') => {
  const range = { start: '192.168.122.10', end: '192.168.200.20' }
  const subnet = { name: 's1', cidr: '192.168.0.0/16', allocationRanges: [range], ...more }
  const network = { name, dnsDomain: 'ctlplane.example.com', subnets: [subnet] }
  return hostObject('NetConfig', 'netconfig', { networks: [network] })
}

export const ipSet = (name: string, network = 'ctlplane') =>
  hostObject('IPSet', name, { networks: [{ name: network, subnetName: 's1' }] })

type Given = { readonly of: Resource; readonly object: { readonly metadata: { name: string } } }

/** By the tenant; gone when the work is done. */
export async function withObjects(
  { tenant, admin }: Stand,
  objects: readonly Given[],
  work: () => Promise<void>,
): Promise<void> {
  for (const { of, object } of objects) await verbs(tenant, of).create(object)
  try {
    await work()
  } finally {
    // A NetConfig goes after the hosts that get their addresses from it.
    for (const { of, object } of objects.toReversed()) {
      await verbs(admin, of).remove(object.metadata.name)
    }
  }
}

export async function hostOfBetaIsServed({ admin }: Stand, config = netConfig()): Promise<void> {
  const configs = verbs(admin, openstack('netconfigs', 'beta'))
  const ipSets = verbs(admin, openstack('ipsets', 'beta'))
  await configs.create(config)
  await ipSets.create(ipSet('host'))
  try {
    await until('the host has an address', async () =>
      addressesOf(await ipSets.get('host')).length > 0 ? true : undefined,
    )
  } finally {
    await ipSets.remove('host')
    await configs.remove('netconfig')
  }
}

const addressesOf = (host: KubeObject): readonly unknown[] => {
  const status = host['status'] as { reservations?: readonly unknown[] } | undefined
  return status?.reservations ?? []
}
