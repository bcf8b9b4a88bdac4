// What follows from an announcement? A status and an event, after all announcing is done.
import type { Key } from '../../../../core/model/service.ts'
import type { Sighting } from '../../../../core/session/layer2/announcement.ts'
import type { ServiceStatus } from '../../../../edge/kube/decode/decodeServiceStatus.ts'
import type { EventText } from '../../../../edge/kube/write/events.ts'
import type { Answers } from '../answers.ts'
import type { Election } from '../election.ts'

/** What was elected, and whether it is announced yet. */
export type Followed = Pick<Election, 'addresses' | 'isFailed'> & { readonly isAnnounced: boolean }

type Known = {
  readonly node: string
  readonly before: Followed | undefined
  readonly after: Followed
  /** The statuses that already exist for the Service. */
  readonly statuses: readonly ServiceStatus[]
}

/** Only on transitions; an announcement from before a restart is not one. */
export function eventsOf({ node, before, after, statuses }: Known): readonly EventText[] {
  const wasOurs = statuses.some((status) => status.node === node && status.isComplete)
  if (after.isAnnounced && before?.isAnnounced !== true && !wasOurs) {
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

/** Not before layer 2 answers, nor while another machine has one of the addresses. */
export const isAnnounced = (election: Election | undefined, answers: Begun): boolean =>
  election?.isOurs === true &&
  election.addresses.some((address) => answers.announced.has(address)) &&
  !election.addresses.some((address) => answers.refused.has(address))

/** An existing status, perhaps from before a restart, stays until an address is refused. */
export const mayStayTold = (election: Election | undefined, { refused }: Begun): boolean =>
  election?.isOurs === true && !election.addresses.some((address) => refused.has(address))

type Begun = Pick<Answers, 'announced' | 'refused'>

export function sightingEvent(sighting: Sighting): EventText {
  const { kind, address, mac, beside, interface: where } = sighting
  const isForeign = kind === 'foreign-owner'
  const who = isForeign
    ? `another machine has ${address}`
    : `${beside === undefined ? 'another speaker answers' : 'two speakers answer'} for ${address}`
  const reason = isForeign ? 'announceFailed' : 'twoOwners'
  const macs = beside === undefined ? mac : `${mac} and ${beside}`
  return { type: 'Warning', reason, message: `${who}: ${macs} on ${where}` }
}

/**
 * Which node deletes what a dead node left behind? The new owner, once it announces or cannot; if
 * there is no owner, the first live node, so that exactly one does it.
 */
export function isToClear(
  { node: from, service }: ServiceStatus,
  {
    node,
    live,
    elections,
    answers,
  }: {
    readonly node: string
    readonly live: ReadonlySet<string>
    readonly elections: ReadonlyMap<Key, Election>
    readonly answers: Begun
  },
): boolean {
  if (live.has(from) || !live.has(node)) return false
  const election = elections.get(service)
  const owner = election?.owner
  const isYetToBegin = mayStayTold(election, answers) && !isAnnounced(election, answers)
  if (owner !== undefined) return owner === node && !isYetToBegin
  const [first] = [...live].sort()
  return first === node
}
