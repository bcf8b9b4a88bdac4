// Which addresses are announced on which interfaces? Announcements and interfaces come and go
// independently; after every change, each address is bound to each interface it belongs on.
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { AddressTable } from './addressTable.ts'
import type { Announcement, Effect } from './announcement.ts'
import type { Announcing } from './announcing.ts'
import { type Binding, bindingOn, type Entry, newBinding, newEntry } from './binding.ts'
import { announcesOn, type Port } from './port.ts'

/** Solicited-node: ff02::1:ff00:0/104 (RFC 4291 §2.7.1). */
const groupPrefix = Uint8Array.of(0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff, 0, 0, 0)

type BindingsOptions = { readonly announcing: Announcing; readonly effects: Effect[] }

export class Bindings {
  readonly table = new AddressTable<Entry>()
  readonly #entries = new Map<Ip, Entry>()
  readonly #announcing: Announcing
  readonly #effects: Effect[]
  #ports: ReadonlyMap<number, Port> = new Map()

  constructor({ announcing, effects }: BindingsOptions) {
    this.#announcing = announcing
    this.#effects = effects
  }

  /** Adds or replaces an announcement; bindings that stay the same are not disturbed. */
  put(now: number, announcement: Announcement): void {
    const entry = this.#entries.get(announcement.address) ?? this.#newEntry(announcement)
    entry.announcement = announcement
    this.#settle(entry, now)
    if (announcement.shouldAnnounceAnyway !== true) return
    for (const binding of entry.bindings) {
      if (binding.phase === 'refused') this.#announcing.start(binding, now)
    }
  }

  remove(address: Ip): void {
    const entry = this.#entries.get(address)
    if (entry === undefined) return
    for (const binding of entry.bindings) this.#drop(binding)
    this.#entries.delete(address)
    this.table.remove(entry)
  }

  /** Replaces the list of ports. An address is announced again where the MAC changed. */
  ports(now: number, ports: readonly Port[]): void {
    this.#ports = new Map(ports.map((port) => [port.index, port]))
    for (const entry of this.#entries.values()) {
      this.#settle(entry, now)
      for (const binding of entry.bindings) this.#move(binding, now)
    }
  }

  /** Probes again for addresses that were refused because one of these MACs had them. */
  pardon(now: number, macs: Pick<ReadonlySet<Mac>, 'has'>): void {
    for (const { bindings } of this.#entries.values()) {
      for (const binding of bindings) {
        const { refusedFor } = binding
        if (refusedFor !== undefined && macs.has(refusedFor)) this.#announcing.probe(binding, now)
      }
    }
  }

  #newEntry(announcement: Announcement): Entry {
    const entry = newEntry(announcement)
    this.#entries.set(announcement.address, entry)
    this.table.put(entry)
    return entry
  }

  #settle(entry: Entry, now: number): void {
    for (const binding of entry.bindings) {
      const port = this.#ports.get(binding.port.index)
      if (port === undefined || !announcesOn(entry.announcement, port)) this.#drop(binding)
    }
    for (const port of this.#ports.values()) {
      if (bindingOn(entry, port.index) === undefined && announcesOn(entry.announcement, port)) {
        this.#add(newBinding(entry, port), now)
      }
    }
  }

  /** An address that is already ours in this cluster is not probed again on a new interface. */
  #add(binding: Binding, now: number): void {
    const { entry } = binding
    entry.bindings = entry.bindings.concat(binding)
    this.#group('join', binding)
    const isOurs = entry.announcement.start === 'burst' || entry.hasStarted
    if (isOurs) this.#announcing.start(binding, now)
    else this.#announcing.probe(binding, now)
  }

  #drop(binding: Binding): void {
    const { entry } = binding
    entry.bindings = entry.bindings.filter((one) => one !== binding)
    this.#announcing.stop(binding)
    this.#group('leave', binding)
  }

  #move(binding: Binding, now: number): void {
    const port = this.#ports.get(binding.port.index)
    if (port === undefined || port === binding.port) return
    const isOther = port.mac !== binding.port.mac
    binding.port = port
    if (isOther && binding.phase === 'answering') this.#announcing.start(binding, now)
  }

  #group(kind: 'join' | 'leave', { entry, port }: Binding): void {
    if (entry.octets.length === 4) return
    const group = groupPrefix.slice()
    group.set(entry.octets.slice(13), 13)
    this.#effects.push({ kind, port: port.index, group })
  }
}
