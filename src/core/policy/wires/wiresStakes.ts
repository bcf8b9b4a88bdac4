// What is claimed on the wires, all in all? Every stake, from the lowest address up.
import type { ReadonlyWorld } from '../../model/world.ts'
import { wiresNamed } from './wires.ts'
import { attachmentStakes, isMade, netConfigStakes, reservationStakes } from './wiresOfNetworks.ts'
import { nodeStakes, policyStakes } from './wiresOfNodes.ts'
import { poolStakes, tenantStakes } from './wiresOfPools.ts'
import type { Stake } from './wiresStake.ts'
import { byFirst } from './wiresSubtract.ts'

export function stakesOf(world: ReadonlyWorld): readonly Stake[] {
  const policies = [...world.all('NodeNetworkConfigurationPolicy').values()]
  const named = wiresNamed(policies)
  const configs = [...world.all('NetConfig').values()]
  const attachments = [...world.all('NetworkAttachmentDefinition').values()]
  const stakes = [
    poolStakes(world, named),
    [...world.all('Tenant').values()].flatMap((tenant) => tenantStakes(tenant, named)),
    configs.filter(isHandmade).flatMap(netConfigStakes),
    attachments.filter(isHandmade).flatMap((attachment) => {
      const belonging = world.tenantOfNamespace(attachment.namespace)
      const tenant = belonging.kind === 'tenant' ? belonging.name : ''
      return attachmentStakes(attachment, { named, tenant })
    }),
    policies.filter(isHandmade).flatMap((policy) => policyStakes(policy, named)),
    nodeStakes(world, named),
    [...world.all('Reservation').values()].flatMap((one) => reservationStakes(one, configs)),
  ]
  return stakes.flat().sort(byPlace)
}

const isHandmade = (view: object): boolean => !isMade(view)

/** Ties are broken by name, so that no result depends on the order in which objects came. */
function byPlace(one: Stake, other: Stake): number {
  const order = byFirst(one.range, other.range)
  if (order !== 0) return order
  const [mine, theirs] = [textOf(one), textOf(other)]
  return mine === theirs ? 0 : mine < theirs ? -1 : 1
}

const textOf = ({ object, role, field, what }: Stake): string =>
  `${object} ${role} ${field} ${what}`
