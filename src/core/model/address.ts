// What is an Address object? A claim with its holders, a reservation, or an address kept free (R3).
import type { Ip } from '../net/ip.ts'
import type { Key } from './service.ts'

export type Holder = {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly ports: readonly string[]
  readonly backend: string
}

export type AddressView = {
  readonly kind: 'Address'
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly address: Ip
  /** Labelled managed-by: berth; without it a person made the object (R3.1). */
  readonly isOurs: boolean
  readonly reservedFor: Key | undefined
  readonly note: string
  readonly pool: string
  readonly sharingKey: string
  readonly holders: readonly Holder[]
  /** As `sharedWith` says it; empty where there is one or none. */
  readonly sharedWith?: string
}

export const keyOfHolder = ({ namespace, name }: Pick<Holder, 'namespace' | 'name'>): Key =>
  `${namespace}/${name}`

/** For tables, in which a list shows its first element alone. */
export function sharedWith(holders: readonly Holder[]): string {
  const [first, ...others] = holders
  const names = others.slice(0, 3).map((one) => {
    return one.namespace === first?.namespace ? one.name : keyOfHolder(one)
  })
  const more = others.length - names.length
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

export const isSameHolder = (one: Holder, other: Holder): boolean =>
  one.kind === other.kind && one.uid === other.uid && keyOfHolder(one) === keyOfHolder(other)

type Terms = Pick<Holder, 'ports' | 'backend'> & {
  /** Absent of a holder: its Address has it. */
  readonly sharingKey?: string
}

/** What decides who may share (M3.4). Ports in their order, as they are recorded. */
export const hasSameTerms = (one: Terms, other: Terms): boolean =>
  one.sharingKey === other.sharingKey &&
  one.backend === other.backend &&
  one.ports.length === other.ports.length &&
  one.ports.every((port, at) => port === other.ports[at])

/** A reservation, or an address that a person keeps free (R3.2, R3.3). */
export const reserves = ({ reservedFor, isOurs }: AddressView): boolean =>
  reservedFor !== undefined || !isOurs
