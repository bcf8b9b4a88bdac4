// Which node policies are ours, and has nmstate done what they say?
import type { NodePolicy, OwnPolicy } from '../../../model/nodePolicy.ts'
import type { ReadonlyWorld } from '../../../model/world.ts'

export type Own = NodePolicy & { readonly own: OwnPolicy }

export const policyNameOf = (node: string): string => `berth-${node}`

/** Undefined if there is none, or if it is not ours. */
export function ownPolicyOf(world: ReadonlyWorld, node: string): Own | undefined {
  const policy = world.all('NodeNetworkConfigurationPolicy').get(policyNameOf(node))
  return policy !== undefined && isOwn(policy) && policy.maker === `Node/${node}`
    ? policy
    : undefined
}

export const isOwn = (policy: NodePolicy): policy is Own => policy.own !== undefined

/**
 * nmstate says `Available` of the policy as a whole, and for a moment after an edit still of the
 * one before. Its record for the node has the generation that it is about.
 */
export function isDone(world: ReadonlyWorld, node: string, { name, own, progress }: Own): boolean {
  if (progress?.state !== 'Available') return false
  const record = world.all('NodeNetworkConfigurationEnactment').get(`${node}.${name}`)
  if (record === undefined) return true
  return record.policyGeneration === own.generation && record.progress?.state === 'Available'
}
