// Which interfaces of this node may announce, up or not, and is anything about them different?
import type { HostLink } from '../../edge/host/packet/hostLink.ts'

export class AnnouncingLinks {
  readonly #excluded: RegExp
  #text: string | undefined
  #links: readonly HostLink[] | undefined

  constructor(excluded: RegExp) {
    this.#excluded = excluded
  }

  /** Undefined until they have been read. */
  get all(): readonly HostLink[] | undefined {
    return this.#links
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
