// Which interfaces of this node may announce, up or not, and has anything about them changed?
import type { L2Advertisement } from '../../../core/model/announcing.ts'
import type { HostLink } from '../../../edge/host/packet/hostLink.ts'

/** Whether an advertisement uses it: only then must peers be heard there. */
export type AnnouncingLink = HostLink & { readonly isUsed: boolean }

export class AnnouncingLinks {
  readonly #excluded: RegExp
  #text: string | undefined
  #links: readonly HostLink[] | undefined
  #names: ReadonlySet<string> = new Set()
  #closed: ReadonlySet<string> = new Set()
  #used: readonly string[] | 'all' = []
  #areOpen = false

  constructor(excluded: RegExp) {
    this.#excluded = excluded
  }

  /** Undefined until they have been read. */
  get all(): readonly HostLink[] | undefined {
    return this.#links
  }

  get names(): ReadonlySet<string> {
    return this.#names
  }

  /** Whether every interface that needs a socket has one. */
  get areOpen(): boolean {
    return this.#areOpen && this.#links !== undefined
  }

  /** An interface with carrier but without a socket is reported as down. */
  get usable(): readonly AnnouncingLink[] {
    const [used, closed] = [this.#used, this.#closed]
    return (this.#links ?? []).map((link) => ({
      ...link,
      isUp: link.isUp && !closed.has(link.name),
      isUsed: used === 'all' || used.includes(link.name),
    }))
  }

  /** Returns whether anything changed. An empty interface list means all of them (M5.4). */
  useFor(advertisements: Iterable<L2Advertisement>): boolean {
    const lists = [...advertisements].map(({ interfaces }) => interfaces)
    const before = JSON.stringify(this.#used)
    const isForAll = lists.some(({ length }) => length === 0)
    this.#used = isForAll ? 'all' : [...new Set(lists.flat())].sort()
    return JSON.stringify(this.#used) !== before
  }

  /** Names of the interfaces with sockets, and of those where none can be opened. */
  open(interfaces: readonly string[], closed: readonly string[]): void {
    this.#areOpen = interfaces.length > 0 || closed.length === 0
    this.#closed = new Set(closed)
  }

  /** Returns whether anything relevant changed: interfaces of Pods come and go all the time. */
  read(links: readonly HostLink[]): boolean {
    const announcing = links.filter(
      ({ name, hasMaster, isNoArp }) => !this.#excluded.test(name) && !hasMaster && !isNoArp,
    )
    const text = JSON.stringify([...announcing].sort((one, other) => one.index - other.index))
    if (text === this.#text) return false
    this.#text = text
    this.#links = announcing
    this.#names = new Set(announcing.map(({ name }) => name))
    return true
  }
}
