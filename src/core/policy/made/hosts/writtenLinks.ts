// What does a node's policy say of an interface, as it stands in the API?
import type { JsonObject } from '../../../model/gate.ts'
import { isRecord, textAt } from '../../../model/json.ts'
import type { InterfaceAddress } from '../../../model/node.ts'
import type { HostAddress } from './hostAddresses.ts'
import type { Own } from './ownPolicies.ts'

export const interfacesIn = ({ own }: Own): readonly JsonObject[] => {
  const { interfaces } = own.desired
  return Array.isArray(interfaces) ? interfaces.filter(isRecord) : []
}

/** As the policy has it, if it wants it there. */
export const writtenIn = (policy: Own | undefined, link: string): JsonObject | undefined =>
  (policy === undefined ? [] : interfacesIn(policy)).find(
    (one) => textAt(one, 'name') === link && textAt(one, 'state') !== 'absent',
  )

/** What was there before stays in the policy, whether or not a report shows it just now. */
export const keptIn = (policy: Own | undefined, link: string): readonly HostAddress[] =>
  on(link, policy?.own.kept)

/** What it gave before, and a report may still show. */
export const leavingIn = (policy: Own | undefined, link: string): readonly HostAddress[] =>
  on(link, policy?.own.leaving)

const on = (link: string, all: readonly InterfaceAddress[] = []): readonly HostAddress[] =>
  all
    .filter((one) => one.interface === link)
    .map(({ address, prefixLength }) => ({ address, prefixLength }))

/** All that the policy gives to an interface, kept or not. */
export const listedIn = (policy: Own | undefined, link: string): readonly HostAddress[] =>
  (policy?.interfaces ?? [])
    .filter(({ name }) => name === link)
    .flatMap(({ addresses }) => addresses)
