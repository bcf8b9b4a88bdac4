// Which interfaces does this host have now? Maintained from the kernel's messages.
import type { Ip } from '../../../core/net/ip.ts'
import type { HostAddress, HostLink } from './hostLink.ts'
import type { AddressFacts, LinkFacts, NetlinkMessage } from './netlinkMessages.ts'

const flag = { up: 1, broadcast: 2, noArp: 0x80, lowerUp: 0x10000 } as const

export class LinkTable {
  readonly #links = new Map<number, LinkFacts>()
  readonly #addresses = new Map<string, AddressFacts>()
  /** During a full dump: entries that are not mentioned by its end are gone. */
  #heard: { readonly links: Set<number>; readonly addresses: Set<string> } | undefined

  startAnew(): void {
    this.#heard = { links: new Set(), addresses: new Set() }
  }

  endAnew(): void {
    const heard = this.#heard
    if (heard === undefined) return
    for (const index of this.#links.keys()) if (!heard.links.has(index)) this.#links.delete(index)
    for (const key of this.#addresses.keys()) {
      if (!heard.addresses.has(key)) this.#addresses.delete(key)
    }
    this.#heard = undefined
  }

  apply(message: NetlinkMessage): void {
    if (message.kind === 'link') this.#applyLink(message.link, message.isGone)
    if (message.kind === 'address') this.#applyAddress(message.address, message.isGone)
  }

  /** Sorted by index, so that an unchanged table gives an equal list. */
  links(): readonly HostLink[] {
    const byLink = new Map<number, AddressFacts[]>()
    for (const index of this.#links.keys()) byLink.set(index, [])
    for (const facts of this.#addresses.values()) byLink.get(facts.index)?.push(facts)
    return [...this.#links.values()]
      .sort((a, b) => a.index - b.index)
      .map((link) => hostLink(link, byLink.get(link.index) ?? []))
  }

  #applyLink(link: LinkFacts, isGone: boolean): void {
    if (isGone) this.#forget(link.index)
    else this.#links.set(link.index, link)
    this.#heard?.links.add(link.index)
  }

  #forget(index: number): void {
    this.#links.delete(index)
    for (const [key, facts] of this.#addresses) {
      if (facts.index === index) this.#addresses.delete(key)
    }
  }

  #applyAddress(facts: AddressFacts, isGone: boolean): void {
    const key = `${facts.index} ${facts.address}/${facts.prefixLength}`
    if (isGone) this.#addresses.delete(key)
    else this.#addresses.set(key, facts)
    this.#heard?.addresses.add(key)
  }
}

function hostLink(link: LinkFacts, found: readonly AddressFacts[]): HostLink {
  const sorted = [...found].sort((a, b) => (a.address < b.address ? -1 : 1))
  const has = (bit: number): boolean => (link.flags & bit) !== 0
  return {
    index: link.index,
    name: link.name,
    mac: link.mac,
    isUp: has(flag.up),
    hasCarrier: has(flag.lowerUp),
    hasMaster: link.hasMaster,
    isNoArp: has(flag.noArp),
    canBroadcast: has(flag.broadcast),
    ...(link.type === '' ? {} : { type: link.type }),
    linkLocal: sorted.find(({ address }) => isOfTheLink(address))?.address,
    addresses: sorted.filter(({ address }) => !isOfTheLink(address)).map(withoutIndex),
  }
}

const withoutIndex = ({ address, prefixLength, isPermanent }: AddressFacts): HostAddress => ({
  address,
  prefixLength,
  ...(isPermanent ? {} : { isTemporary: true }),
})

/** fe80::/10. */
const isOfTheLink = (address: Ip): boolean => /^fe[89ab][0-9a-f]:/.test(address)
