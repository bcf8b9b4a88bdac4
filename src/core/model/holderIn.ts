// Which of an Address's holders is a Service? Thousands can share one.
import type { Holder } from './address.ts'
import { lastUpTo } from './space.ts'

type Named = Pick<Holder, 'kind' | 'namespace' | 'name'>

const inOrder = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1)

/** A list-map of these keys, recorded in this order, so that one of thousands is found. */
export const byName = (one: Named, other: Named): number =>
  inOrder(one.kind, other.kind) ||
  inOrder(one.namespace, other.namespace) ||
  inOrder(one.name, other.name)

/** The Service among them. */
export function holderIn(
  holders: readonly Holder[],
  { namespace, name, uid }: Pick<Holder, 'namespace' | 'name' | 'uid'>,
): Holder | undefined {
  const service = { kind: 'Service', namespace, name }
  const found = lastUpTo(holders, (one) => byName(one, service) <= 0)
  // Somebody may have edited them.
  return found?.uid === uid ? found : holders.find((one) => one.uid === uid)
}
