// What is the state of an address on one interface? Probing, announced, or held by another machine.
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { ipOctets } from '../../net/octets.ts'
import type { Announcement, Counts } from './announcement.ts'
import type { Owners } from './owners.ts'
import type { Port } from './port.ts'

/** An address that this node is to announce. */
export type Entry = {
  readonly address: Ip
  /** An array: a Uint8Array this small takes three times the memory. */
  readonly octets: readonly number[]
  announcement: Announcement
  /** One per interface: for so few, an array is smaller than a map and as fast. */
  bindings: readonly Binding[]
  /** Announced on some interface: the address is ours in this cluster and is not probed again. */
  hasStarted: boolean
  readonly counts: Counts
}

export type Binding = {
  readonly entry: Entry
  port: Port
  /** Only a binding that answers owns the address. */
  phase: 'probing' | 'answering' | 'refused'
  /** When the phase began, and how many of its steps are done. */
  since: number
  step: number
  dueAt: number
  isUrgent: boolean
  place: number
  /** Undefined for most. */
  owners: Owners | undefined
  /** The MAC that has the address, while refused. */
  refusedFor: Mac | undefined
}

export const newEntry = (announcement: Announcement): Entry => ({
  address: announcement.address,
  octets: Array.from(ipOctets(announcement.address)),
  announcement,
  bindings: [],
  hasStarted: false,
  counts: { requests: 0, responses: 0, gratuitous: 0 },
})

export const newBinding = (entry: Entry, port: Port): Binding => ({
  entry,
  port,
  phase: 'probing',
  since: 0,
  step: 0,
  dueAt: 0,
  isUrgent: false,
  place: -1,
  owners: undefined,
  refusedFor: undefined,
})

export function bindingOn(entry: Entry | undefined, port: number): Binding | undefined {
  if (entry === undefined) return undefined
  for (const binding of entry.bindings) if (binding.port.index === port) return binding
  return undefined
}
