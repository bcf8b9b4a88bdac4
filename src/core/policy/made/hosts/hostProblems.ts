// Why has a node not got what a tenant wants on it? Said on the Tenant, for each interface once.
import type { Problem } from '../../../model/problem.ts'
import { linkOf } from '../../../model/tenant.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'
import { hostNetworks } from './hostLinks.ts'
import { nodePlans } from './madeNodePolicy.ts'
import { policyNameOf } from './ownPolicies.ts'

export function hostProblems(world: ReadonlyWorld): readonly Problem[] {
  const wanting = [...world.all('Tenant').values()].filter((one) => hostNetworks(one).length > 0)
  if (wanting.length === 0) return []
  const plans = nodePlans(world)
  return wanting.flatMap((tenant) => {
    const object = `Tenant/${tenant.name}`
    const networks = hostNetworks(tenant)
    return plans.flatMap(({ node, current, untouched, without }): Problem[] => {
      const name = policyNameOf(node)
      const isTaken = current === undefined && world.all('NodeNetworkConfigurationPolicy').has(name)
      const taken = `NodeNetworkConfigurationPolicy/${name} was not made from Node/${node}`
      const links = new Set(networks.map(linkOf))
      return [
        ...(isTaken
          ? [{ code: 'name-taken', severity: 'error', object, message: taken } as const]
          : []),
        ...[...untouched]
          .filter(([link]) => links.has(link))
          .map(
            ([, message]) =>
              ({ code: 'host-interface-in-use', severity: 'error', object, message }) as const,
          ),
        ...networks
          .filter((network) => without.includes(`${tenant.name} ${network.name}`))
          .map((network) => {
            const field = `spec.networks[${tenant.networks.indexOf(network)}].hosts`
            const message = `network ${network.name} has no address left for ${node}`
            return { code: 'hosts-full', severity: 'error', object, field, message } as const
          }),
      ]
    })
  })
}
