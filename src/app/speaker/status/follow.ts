// What follows from an announcement? A status and an event, behind everything else.
import type { Key } from '../../../core/model/service.ts'
import type { Sighting } from '../../../core/session/layer2/claim.ts'
import type { L2Status } from '../../../edge/kube/decode/decodeL2Status.ts'
import type { EventText } from '../../../edge/kube/write/events.ts'
import type { Standing } from '../announcer.ts'

type Known = {
  readonly node: string
  readonly before: Standing | undefined
  readonly after: Standing
  /** What is said of the Service already. */
  readonly statuses: readonly L2Status[]
}

/** On transitions alone; what a former life of this speaker announced is none. */
export function eventsOf({ node, before, after, statuses }: Known): readonly EventText[] {
  const wasOurs = statuses.some((status) => status.node === node && status.isComplete)
  if (after.isOurs && before?.isOurs !== true && !wasOurs) {
    const message = `announcing from node "${node}" with protocol "layer2"`
    return [{ type: 'Normal', reason: 'nodeAssigned', message }]
  }
  if (!after.isFailed || before?.isFailed === true) return []
  return after.addresses.map((address) => ({
    type: 'Warning',
    reason: 'announceFailed',
    message:
      `the interfaces specified by LB IP "${address}" doesn't exist in ` +
      `assigned node "${node}" with protocol "layer2"`,
  }))
}

export function sightingEvent({ kind, address, mac, interface: where }: Sighting): EventText {
  const isForeign = kind === 'foreign-owner'
  const who = isForeign
    ? `another machine has ${address}`
    : `another speaker answers for ${address}`
  const reason = isForeign ? 'announceFailed' : 'twoOwners'
  return { type: 'Warning', reason, message: `${who}: ${mac} on ${where}` }
}

/**
 * Whose is it to delete what a dead node left behind? The new owner's; where there is none, that of
 * the first node that lives, so that it is one alone.
 */
export function isToClear(
  { node: from, service }: L2Status,
  {
    node,
    live,
    standings,
  }: {
    readonly node: string
    readonly live: ReadonlySet<string>
    readonly standings: ReadonlyMap<Key, Standing>
  },
): boolean {
  if (live.has(from) || !live.has(node)) return false
  const owner = standings.get(service)?.owner
  if (owner !== undefined) return owner === node
  const [first] = [...live].sort()
  return first === node
}
