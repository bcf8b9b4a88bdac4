// Which NetConfigs are made from a tenant? One in each listed namespace, with a network for each
// entry that has data-plane nodes, spelt as OpenStack spells it (R4.18).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import type { Network, Tenant } from '../../model/tenant.ts'
import { contains, covers } from '../../net/intervals.ts'
import { fromBigInt } from '../../net/ip.ts'
import { type Prefix, prefixText, rangeOf } from '../../net/range.ts'
import { madeFromTenant } from './madeObject.ts'

const spelt: Readonly<Record<string, string>> = {
  ctlplane: 'CtlPlane',
  internalapi: 'InternalApi',
  storage: 'Storage',
  tenant: 'Tenant',
  storagemgmt: 'StorageMgmt',
  external: 'External',
  octavia: 'Octavia',
  designate: 'Designate',
  designateext: 'DesignateExt',
}

export function madeNetConfigs(tenant: Tenant): readonly JsonObject[] {
  const networks = tenant.networks.filter(({ nodes }) => nodes.length > 0)
  if (!tenant.generate.includes('NetConfig') || networks.length === 0) return []
  const spec = { networks: networks.map((network) => networkOf(tenant, network)) }
  return tenant.namespaces.map((namespace) =>
    madeFromTenant(
      tenant,
      { name: 'netconfig', namespace },
      { apiVersion: apiVersionOf(apiGroups.openstack), kind: 'NetConfig', spec },
    ),
  )
}

function networkOf(tenant: Tenant, network: Network): JsonObject {
  const { name, mtu, cidrs } = network
  const raised = name.charAt(0).toUpperCase() + name.slice(1)
  return {
    name: (Object.hasOwn(spelt, name) ? spelt[name] : undefined) ?? raised,
    dnsDomain: `${name}.${tenant.name}.internal`,
    ...(mtu === undefined ? {} : { mtu }),
    subnets: cidrs.map((cidr, index) => subnetOf(network, cidr, `subnet${index + 1}`)),
  }
}

function subnetOf(network: Network, cidr: Prefix, name: string): JsonObject {
  const { vlan, gateway, nodes } = network
  const range = rangeOf(cidr)
  return {
    name,
    cidr: prefixText(cidr),
    ...(vlan === undefined ? {} : { vlan }),
    ...(gateway !== undefined && contains(range, gateway) ? { gateway } : {}),
    allocationRanges: nodes
      .filter((one) => covers(range, one))
      .map(({ family, first, last }) => ({
        start: fromBigInt(family, first),
        end: fromBigInt(family, last),
      })),
  }
}
