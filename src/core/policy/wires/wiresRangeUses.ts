// What is claimed on the wires, all in all? Every use, from the lowest address up.
import { wireNamed } from '../../model/ipam/wireNames.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { byFirst } from '../../net/subtract.ts'
import { wiresNamed } from './wires.ts'
import { takerBehind } from './wiresBehind.ts'
import type { Effort } from './wiresEffort.ts'
import {
  attachmentRangeUses,
  isMade,
  netConfigRangeUses,
  reservationRangeUses,
} from './wiresOfNetworks.ts'
import { nodeRangeUses, policyRangeUses } from './wiresOfNodes.ts'
import { poolRangeUses, tenantRangeUses } from './wiresOfPools.ts'
import type { RangeUse } from './wiresRangeUse.ts'

export function rangeUsesOf(world: ReadonlyWorld, effort: Effort): readonly RangeUse[] {
  const bounded = (uses: readonly RangeUse[]) => effort.bounded(uses)
  const policies = [...world.all('NodeNetworkConfigurationPolicy').values()]
  const named = wiresNamed(policies)
  const namespaces = world.all('Namespace')
  const configs = [...world.all('NetConfig').values()]
  const attachments = [...world.all('NetworkAttachmentDefinition').values()]
  const uses = [
    poolRangeUses(world, named),
    [...world.all('Tenant').values()].flatMap((tenant) => tenantRangeUses(tenant, named)),
    configs
      .filter(isHandmade)
      .flatMap((config) =>
        bounded(netConfigRangeUses(config, wireNamed({ namespaces }, config.namespace))),
      ),
    attachments.filter(isHandmade).flatMap((attachment) => {
      const belonging = world.tenantOfNamespace(attachment.namespace)
      const tenant = belonging.kind === 'tenant' ? belonging.name : ''
      const taker = takerBehind(world, attachment)
      return bounded(attachmentRangeUses(attachment, { named, tenant, taker }))
    }),
    policies.filter(isHandmade).flatMap((policy) => bounded(policyRangeUses(policy, named))),
    nodeRangeUses(world, named),
    [...world.all('Reservation').values()].flatMap((one) =>
      bounded(reservationRangeUses(one, configs)),
    ),
  ]
  return uses.flat().sort(byPlace)
}

const isHandmade = (view: object): boolean => !isMade(view)

/** Ties are broken by name, so that no result depends on the order in which objects came. */
function byPlace(one: RangeUse, other: RangeUse): number {
  const order = byFirst(one.range, other.range)
  if (order !== 0) return order
  const [mine, theirs] = [textOf(one), textOf(other)]
  return mine === theirs ? 0 : mine < theirs ? -1 : 1
}

const textOf = ({ object, role, field, what }: RangeUse): string =>
  `${object} ${role} ${field} ${what}`
