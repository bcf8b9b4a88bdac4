// Which router is at the other end of an interface? The one that advertises itself there; this node
// advertises itself too, as nobody's way out, because routers wait for it (R8.18).
import type { Ip } from '../../../core/net/ip.ts'
import {
  decodeAdvertisement,
  encodeAdvertisement,
  encodeSolicitation,
} from '../../../core/wire/routerAdvertisement.ts'
import type { OwnAddress } from '../../../edge/host/ownAddresses.ts'
import type { openRouterDiscovery, RouterDiscovery } from '../../../edge/host/routerDiscovery.ts'
import { interfaceAddressOfLink } from './nextHops.ts'

type NeighbourParts = {
  readonly open: typeof openRouterDiscovery
  readonly ownAddresses: () => readonly OwnAddress[]
  readonly nowMs: () => number
  /** Again and again, until it is called off. */
  readonly every: (ms: number, act: () => void) => () => void
  /** The router of an interface is another one. */
  readonly changed: () => void
}

type Link = {
  discovery: RouterDiscovery | undefined
  neighbour: { readonly address: Ip; heardMs: number } | undefined
  said: number
  saidMs: number
  trouble: string
}

const lookMs = 1_000
/** As FRR: a few soon after one another, then every ten seconds. */
const [firstFew, laterMs] = [3, 10_000] as const
/** Several advertisements were missed: another may take its place. */
const silenceMs = 45_000

export class LinkNeighbours {
  readonly #parts: NeighbourParts
  readonly #links = new Map<string, Link>()
  #callOff: (() => void) | undefined

  constructor(parts: NeighbourParts) {
    this.#parts = parts
  }

  addressOf(name: string): Ip | undefined {
    return this.#links.get(name)?.neighbour?.address
  }

  /** What keeps its router from being found; '' for nothing. */
  troubleOf(name: string): string {
    return this.#links.get(name)?.trouble ?? ''
  }

  /** On these interfaces, and no others. */
  run(names: ReadonlySet<string>): void {
    for (const [name, link] of this.#links) {
      if (names.has(name)) continue
      link.discovery?.close()
      this.#links.delete(name)
    }
    for (const name of names) {
      if (this.#links.has(name)) continue
      const fresh = { discovery: undefined, neighbour: undefined, trouble: '' }
      const link = { ...fresh, said: 0, saidMs: Number.NEGATIVE_INFINITY }
      this.#links.set(name, link)
      this.#look(name, link)
    }
    if (this.#links.size === 0) {
      this.#callOff?.()
      this.#callOff = undefined
    } else this.#callOff ??= this.#parts.every(lookMs, () => this.#lookAtAll())
  }

  #lookAtAll(): void {
    for (const [name, link] of this.#links) this.#look(name, link)
  }

  #look(name: string, link: Link): void {
    const { nowMs } = this.#parts
    if (link.discovery === undefined) this.#open(name, link)
    const isDue = link.said < firstFew || nowMs() - link.saidMs >= laterMs
    if (isDue && link.discovery !== undefined) this.#advertise(name, link, link.discovery)
  }

  #open(name: string, link: Link): void {
    try {
      link.discovery = this.#parts.open(name, {
        received: (frame) => this.#heard(name, frame),
        ended: (why) => {
          link.discovery = undefined
          link.trouble = why
        },
      })
      link.said = 0
    } catch (error) {
      link.trouble = error instanceof Error ? error.message : String(error)
    }
  }

  #advertise(name: string, link: Link, { mac, send }: RouterDiscovery): void {
    const address = interfaceAddressOfLink(name, this.#parts.ownAddresses())
    if (address === undefined) {
      link.trouble = `${name} has no link-local address`
      return
    }
    const own = { mac, address }
    const isSent = send(encodeAdvertisement(own))
    if (link.neighbour === undefined) send(encodeSolicitation(own))
    link.trouble = isSent ? '' : `${name} is down`
    if (!isSent) return
    link.said++
    link.saidMs = this.#parts.nowMs()
  }

  #heard(name: string, frame: Uint8Array): void {
    const [link, found] = [this.#links.get(name), decodeAdvertisement(frame)]
    if (link === undefined || !found.ok) return
    const { ownAddresses, nowMs, changed } = this.#parts
    const address = found.value
    const before = link.neighbour
    const now = nowMs()
    if (before?.address === address) before.heardMs = now
    // Anybody on the link can send thousands of these: what is costly to ask comes last.
    if (before !== undefined && now - before.heardMs <= silenceMs) return
    if (ownAddresses().some((one) => one.interface === name && one.address === address)) return
    link.neighbour = { address, heardMs: now }
    changed()
  }
}
