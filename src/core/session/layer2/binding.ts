// How far is an address on one interface? Asked for, announced, or found with somebody else.
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { ipOctets } from '../../net/octets.ts'
import type { Announcement, Counts } from './announcement.ts'
import type { Owners } from './owners.ts'
import type { Port } from './port.ts'

/** An address that we shall announce. */
export type Entry = {
  readonly address: Ip
  /** A list: a Uint8Array of so few takes three times the room. */
  readonly octets: readonly number[]
  announcement: Announcement
  /** One for each interface: few, so that a list is smaller than a map and as fast. */
  bindings: readonly Binding[]
  /** On some interface: it is ours in this cluster, and nobody is asked any more. */
  hasStarted: boolean
  readonly counts: Counts
}

export type Binding = {
  readonly entry: Entry
  port: Port
  /** Only who answers owns. */
  phase: 'probing' | 'answering' | 'refused'
  /** When the phase began, and how much of its schedule is done. */
  since: number
  step: number
  dueAt: number
  isUrgent: boolean
  place: number
  /** Most have none. */
  owners: Owners | undefined
  /** Who has it, while it is refused. */
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
