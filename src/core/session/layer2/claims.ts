// Which addresses are announced on which interfaces? Claims and interfaces come and go, each at its
// own time; whatever changes, every address is on every interface that it should be on.
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { AddressTable } from './addressTable.ts'
import type { Announcing } from './announcing.ts'
import { type Binding, bindingOn, type Entry, newBinding, newEntry } from './binding.ts'
import type { Claimed, Effect } from './claim.ts'
import { announcesOn, type Port } from './port.ts'

/** Solicited-node: ff02::1:ff00:0/104 (RFC 4291 §2.7.1). */
const groupPrefix = Uint8Array.of(0xff, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff, 0, 0, 0)

type ClaimsOptions = { readonly announcing: Announcing; readonly effects: Effect[] }

export class Claims {
  readonly table = new AddressTable<Entry>()
  readonly #entries = new Map<Ip, Entry>()
  readonly #announcing: Announcing
  readonly #effects: Effect[]
  #ports: ReadonlyMap<number, Port> = new Map()

  constructor({ announcing, effects }: ClaimsOptions) {
    this.#announcing = announcing
    this.#effects = effects
  }

  /** New, or instead of the claim before: what stays as it was goes on undisturbed. */
  put(now: number, claim: Claimed): void {
    const entry = this.#entries.get(claim.address) ?? this.#newEntry(claim)
    entry.claim = claim
    this.#settle(entry, now)
    if (claim.shouldAnnounceAnyway !== true) return
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

  /** These and no others; where a MAC is another, it is announced. */
  ports(now: number, ports: readonly Port[]): void {
    this.#ports = new Map(ports.map((port) => [port.index, port]))
    for (const entry of this.#entries.values()) {
      this.#settle(entry, now)
      for (const binding of entry.bindings) this.#move(binding, now)
    }
  }

  /** What was refused for one of these is asked for again: nobody else has it. */
  pardon(now: number, macs: Pick<ReadonlySet<Mac>, 'has'>): void {
    for (const { bindings } of this.#entries.values()) {
      for (const binding of bindings) {
        const { refusedFor } = binding
        if (refusedFor !== undefined && macs.has(refusedFor)) this.#announcing.probe(binding, now)
      }
    }
  }

  #newEntry(claim: Claimed): Entry {
    const entry = newEntry(claim)
    this.#entries.set(claim.address, entry)
    this.table.put(entry)
    return entry
  }

  #settle(entry: Entry, now: number): void {
    for (const binding of entry.bindings) {
      const port = this.#ports.get(binding.port.index)
      if (port === undefined || !announcesOn(entry.claim, port)) this.#drop(binding)
    }
    for (const port of this.#ports.values()) {
      if (bindingOn(entry, port.index) === undefined && announcesOn(entry.claim, port)) {
        this.#add(newBinding(entry, port), now)
      }
    }
  }

  /** An address that is ours in this cluster is not asked for again on an interface that comes. */
  #add(binding: Binding, now: number): void {
    const { entry } = binding
    entry.bindings = entry.bindings.concat(binding)
    this.#group('join', binding)
    const isOurs = entry.claim.start === 'burst' || entry.hasStarted
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
