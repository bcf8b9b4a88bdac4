// Which kinds have to be served before hosts get addresses, and what is said while they are not?
import type { Kind } from '../../core/model/view.ts'

/** Without one of these nothing is decided: what is not known could be given twice (R3.13). */
export const neededKinds: readonly Kind[] = ['NetConfig', 'IPSet', 'Reservation', 'AddressBlock']

/** Empty if nothing is. */
export function whatIsMissing(isServed: (kind: Kind) => boolean): string {
  const kinds = neededKinds.filter((kind) => !isServed(kind))
  if (kinds.length === 0) return ''
  const them = kinds.length === 1 ? 'it' : 'them'
  const what = `the API does not serve ${kinds.join(', ')}, or does not let Berth use ${them}`
  const theirs = 'apply deploy/openstack/crds (chart: openstack.crds) if infra-operator does not'
  const ours = 'apply deploy/crds'
  const remedy = kinds.some((kind) => kind !== 'AddressBlock') ? theirs : ours
  return `${what}: no host gets an address; ${remedy}`
}
