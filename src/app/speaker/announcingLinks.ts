// Which interfaces of this node may announce, up or not, and is anything about them different?
import type { HostLink } from '../../edge/host/packet/hostLink.ts'

export class AnnouncingLinks {
  readonly #excluded: RegExp
  #text: string | undefined
  #links: readonly HostLink[] | undefined
  #closed: ReadonlySet<string> = new Set()
  #areOpen = false

  constructor(excluded: RegExp) {
    this.#excluded = excluded
  }

  /** Undefined until they have been read. */
  get all(): readonly HostLink[] | undefined {
    return this.#links
  }

  /** Whether they have sockets, as far as there are any that should. */
  get areOpen(): boolean {
    return this.#areOpen && this.#links !== undefined
  }

  /** One that has a carrier and no socket is of no more use than one that is down. */
  get usable(): readonly HostLink[] {
    const isClosed = ({ name }: HostLink) => this.#closed.has(name)
    return (this.#links ?? []).map((link) => (isClosed(link) ? { ...link, isUp: false } : link))
  }

  /** By name: those with sockets, and those where none can be opened. */
  open(interfaces: readonly string[], closed: readonly string[]): void {
    this.#areOpen = interfaces.length > 0 || closed.length === 0
    this.#closed = new Set(closed)
  }

  /** Answers whether that is news: interfaces of Pods come and go all the time. */
  read(links: readonly HostLink[]): boolean {
    const announcing = links.filter(
      ({ name, hasMaster, isNoArp }) => !this.#excluded.test(name) && !hasMaster && !isNoArp,
    )
    const text = JSON.stringify([...announcing].sort((one, other) => one.index - other.index))
    if (text === this.#text) return false
    this.#text = text
    this.#links = announcing
    return true
  }
}
