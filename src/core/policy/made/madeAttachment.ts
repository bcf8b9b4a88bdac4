// Which NetworkAttachmentDefinitions are made from a tenant? One for each network with attachments
// in each listed namespace: macvlan on the network's interface, addresses by whereabouts (R4.16).
import { apiGroups, apiVersionOf } from '../../model/apiGroups.ts'
import type { JsonObject } from '../../model/gate.ts'
import { linkOf, type Network, type Tenant } from '../../model/tenant.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { covers, overlap } from '../../net/intervals.ts'
import { fromBigInt } from '../../net/ip.ts'
import { prefixText, type Range, rangeOf } from '../../net/range.ts'
import { madeFromTenant } from './madeObject.ts'

/** What Multus' own examples and OpenStack's generators write. */
const cniVersion = '0.3.1'

export const attachedNetworks = ({ networks, generate }: Tenant): readonly Network[] =>
  generate.includes('Attachments')
    ? networks.filter(({ attachments }) => attachments.length > 0)
    : []

export function madeAttachments(world: ReadonlyWorld, tenant: Tenant): readonly JsonObject[] {
  return attachedNetworks(tenant).flatMap((network) => {
    const networkName = networkNameOf(world, tenant, network)
    const config = JSON.stringify(configOf(network, networkName))
    return tenant.namespaces.map((namespace) =>
      madeFromTenant(
        tenant,
        { name: network.name, namespace },
        {
          apiVersion: apiVersionOf(apiGroups.cni),
          kind: 'NetworkAttachmentDefinition',
          spec: { config },
        },
      ),
    )
  })
}

/** Without a gateway: OpenStack's operators would make it the default route of every pod. */
function configOf(network: Network, networkName: string): JsonObject {
  const link = linkOf(network)
  const [first, second] = network.attachments.map((range) => rangesOf(network, range))
  return {
    cniVersion,
    name: network.name,
    type: 'macvlan',
    ...(link === '' ? {} : { master: link }),
    ...(network.mtu === undefined ? {} : { mtu: network.mtu }),
    ipam: {
      type: 'whereabouts',
      ...(second === undefined ? first : { ipRanges: [first, second] }),
      ...(networkName === '' ? {} : { network_name: networkName }),
    },
  }
}

function rangesOf({ cidrs }: Network, range: Range): JsonObject {
  const cidr = cidrs.find((one) => covers(rangeOf(one), range))
  return {
    ...(cidr === undefined ? {} : { range: prefixText(cidr) }),
    range_start: fromBigInt(range.family, range.first),
    range_end: fromBigInt(range.family, range.last),
  }
}

/**
 * whereabouts keeps one record of addresses for a range in the whole cluster: where two tenants
 * have one range on two wires, the second keeps a record of its own. It keeps it for good, since
 * what was given is written there.
 */
function networkNameOf(world: ReadonlyWorld, tenant: Tenant, network: Network): string {
  const made = madeFor(world, tenant, network)
  if (made !== undefined) return made.networkName
  const isElsewhere = [...world.all('Tenant').values()]
    .filter(({ name }) => name !== tenant.name)
    .some((other) =>
      attachedNetworks(other).some(
        (one) =>
          linkOf(one) !== linkOf(network) &&
          areOneRange(one, network) &&
          comesFirst(world, { tenant: other, network: one }, tenant) &&
          (madeFor(world, other, one)?.networkName ?? '') === '',
      ),
    )
  return isElsewhere ? `${tenant.name}-${network.name}` : ''
}

const madeFor = (world: ReadonlyWorld, { name, namespaces }: Tenant, network: Network) =>
  namespaces
    .map((namespace) => {
      return world.all('NetworkAttachmentDefinition').get(`${namespace}/${network.name}`)
    })
    .find((one) => one?.maker === `Tenant/${name}`)

type Attached = { readonly tenant: Tenant; readonly network: Network }

function comesFirst(world: ReadonlyWorld, one: Attached, other: Tenant): boolean {
  return madeFor(world, one.tenant, one.network) !== undefined || one.tenant.name < other.name
}

export const areOneRange = (one: Network, other: Network): boolean =>
  one.cidrs.some((cidr) =>
    other.cidrs.some((beside) => overlap(rangeOf(cidr), rangeOf(beside)) !== undefined),
  )
