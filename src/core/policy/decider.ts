// What decides? From the World and one key to what is written, said and looked at again. The
// controller, the simulator and the shadow run the same list of these, and know none by name.
import type { Changed } from '../model/changed.ts'
import type { Key } from '../model/service.ts'
import type { Kind } from '../model/view.ts'
import type { ReadonlyWorld } from '../model/world.ts'
import type { Ip } from '../net/ip.ts'
import type { AddressWrite, BlockWrite, Decision } from './claims.ts'
import type { Claimed, Hosted, Kept, Reserved } from './decided.ts'

export type EventWrite = {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

type Named = {
  /** In logs and metrics. */
  readonly name: string
  /** What its keys are keys of. */
  readonly kind: string
  /** It hears of changes of these kinds only. */
  readonly reads: readonly Kind[]
}
/** The keys that a change wakes. */
type Wakes<K> = (changed: Changed, world: ReadonlyWorld) => Iterable<K>

/** The keeper writes what it decides, and only to objects that we made (R4.19). */
export type KeptDecider<K extends string = string> = Named & {
  readonly isClaimed?: never
  /** Somebody waits for what it writes: it does not put off anything for a second. */
  readonly isPrompt?: true
  /** Its events tell how things stand: they are said when they change, not each time. */
  readonly tellsState?: true
  /** So many objects of one kind are written at a time, since none of them needs another one. */
  readonly atOnce?: number
  /** So many keys are carried out at a time, since none of them needs what another one writes. */
  readonly keysAtOnce?: number
  readonly wakes: Wakes<K>
  /** `now` is RFC 3339, for transition times and for what is kept for a while. */
  decide(world: ReadonlyWorld, key: K, now?: string): Kept
}

/** Who holds which addresses: written claim by claim, in a protocol of its own (R3.12). */
export type HolderDecider = Named & {
  readonly isClaimed: 'holders'
  /** The World itself ranks who is next. */
  readonly wakes: 'queue'
  /** What `decide` answers, as the claim protocol carries it out. */
  claim(world: ReadonlyWorld, key: Key): Decision
  decide(world: ReadonlyWorld, key: Key, now?: string): Claimed
}

/** What the record of each address says: written in the same protocol. */
export type RecordDecider = Named & {
  readonly isClaimed: 'records'
  readonly wakes: Wakes<Ip>
  /** The same; undefined while the record is right. */
  record(world: ReadonlyWorld, ip: Ip): AddressWrite | undefined
  decide(world: ReadonlyWorld, key: string, now?: string): Claimed
}

/** The same for the addresses of hosts, which are claimed in blocks (R12.5). */
export type HostDecider = Named & {
  readonly isClaimed: 'hosts'
  readonly wakes: 'node-queue'
  decide(world: ReadonlyWorld, key: string, now?: string): Hosted
}

/** What each block says. */
export type BlockDecider = Named & {
  readonly isClaimed: 'blocks'
  readonly wakes: Wakes<string>
  /** undefined while the block is right. */
  record(world: ReadonlyWorld, name: string, now: string): BlockWrite | undefined
  decide(world: ReadonlyWorld, key: string, now?: string): Reserved
}

export type Decider = KeptDecider | HolderDecider | RecordDecider | HostDecider | BlockDecider
