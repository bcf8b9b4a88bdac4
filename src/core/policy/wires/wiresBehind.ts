// Which addresses do operators take behind the range of an attachment, without asking whereabouts?
import type { Attachment } from '../../model/wires.ts'
import type { ReadonlyWorld } from '../../model/world.ts'
import { type Prefix, type Range, rangeOf } from '../../net/range.ts'

const operators = ['octavia', 'designate']

/** First 25 addresses for Neutron, then 25 for pods of the operator's own. */
const taken = 50n

/**
 * The operator that takes them: where a control plane is known in the namespace, the one that it
 * enables on the attachment, otherwise the one that the attachment is called after.
 */
export function takerBehind(
  world: Pick<ReadonlyWorld, 'all'>,
  { namespace, name }: Attachment,
): string {
  const planes = [...world.all('OpenStackControlPlane').values()].filter(
    (plane) => plane.namespace === namespace,
  )
  if (planes.length === 0) return operators.find((one) => one === name) ?? ''
  return operators.find((one) => planes.some(({ takers }) => takers[one] === name)) ?? ''
}

/** Never beyond the subnet. */
export function behind(given: Range, subnet: Prefix): Range {
  const { last } = rangeOf(subnet)
  const end = given.last + taken
  return { family: given.family, first: given.last + 1n, last: end < last ? end : last }
}
