// How do members' messages travel? Sealed, by UDP and over the links; bad ones are counted.
import { familyOf } from '../../../core/net/ip.ts'
import type { Mac } from '../../../core/net/mac.ts'
import type { Effect, Via } from '../../../core/session/membership/member.ts'
import { decodeMessage } from '../../../core/wire/gossip/decodeMessage.ts'
import { encodeMessage } from '../../../core/wire/gossip/encodeMessage.ts'
import type { Endpoint, Message } from '../../../core/wire/gossip/message.ts'
import type { HostLink } from '../../../edge/host/packet/hostLink.ts'
import { Sealer, type SealingCounts } from '../../../edge/host/sealing.ts'
import type { KeyRing } from '../../../edge/host/sealingKey.ts'
import { openUdp, type UdpSocket } from '../../../edge/host/udpSocket.ts'
import { LinkPorts, type LinkPortsOptions } from './linkPorts.ts'

export type ChannelOptions = {
  readonly keys: KeyRing
  /** One, or one for each family. */
  readonly bind: readonly Endpoint[]
  readonly nowMs: () => number
  readonly heard: (via: Via, message: Message) => void
  /** `port` answers differently now. */
  readonly portChanged: () => void
  readonly failed: (where: string, why: string) => void
  readonly openLink?: LinkPortsOptions['open']
}

type Sending = Exclude<Effect, { readonly kind: 'changed' }>

const mostHeld = 2
/** Far more than there are endpoints. */
const mostPlaces = 4096

export class Channel {
  readonly #options: ChannelOptions
  readonly #sealer: Sealer
  readonly #links: LinkPorts
  readonly #sockets: { readonly family: string; readonly socket: UdpSocket }[] = []
  /** What was said last to an endpoint of what all must know. */
  readonly #held = new Map<string, readonly Uint8Array[]>()
  #malformed = 0
  #datagrams = 0

  constructor(options: ChannelOptions) {
    this.#options = options
    this.#sealer = new Sealer(options.keys, options.nowMs)
    this.#links = new LinkPorts({
      received: (sealed, link, mac) => this.#receivedOnLink(sealed, link, mac),
      failed: options.failed,
      ...(options.openLink && { open: options.openLink }),
    })
  }

  async open(): Promise<void> {
    for (const bind of this.#options.bind) {
      const family = familyOf(bind.address)
      const socket = await openUdp({
        bind,
        received: (sealed, from) => this.#received(sealed, from),
        failed: (why) => this.#options.failed(`UDP ${bind.address} port ${bind.port}`, why),
        changed: () => this.#options.portChanged(),
      })
      this.#sockets.push({ family, socket })
    }
  }

  /** Of the first socket, once it is open. */
  get port(): number | undefined {
    return this.#sockets[0]?.socket.port
  }

  /** How many have come by UDP. */
  get datagrams(): number {
    return this.#datagrams
  }

  get counts(): SealingCounts {
    const { counts } = this.#sealer
    return { ...counts, malformed: counts.malformed + this.#malformed }
  }

  use(keys: KeyRing): void {
    this.#sealer.use(keys)
  }

  follow(links: readonly HostLink[]): void {
    this.#links.follow(links)
  }

  send(effect: Sending): void {
    const payload = encodeMessage(effect.message)
    const sealed = this.#sealer.seal(payload)
    if (effect.kind === 'sendOnLink') {
      for (const to of effect.to) this.#links.send(effect.link, to, sealed)
      return
    }
    const isHeld = effect.message.kind === 'facts' || effect.message.kind === 'digest'
    for (const to of effect.to) {
      if (isHeld) this.#hold(placeOf(to), payload)
      this.#transmit(sealed, to)
    }
  }

  /** What has come on the links by now; false where more is left. */
  receive(): boolean {
    return this.#links.receive()
  }

  /** Nobody is woken any more by what comes on the links: it lies until `receive`. */
  pause(): void {
    this.#links.pause()
  }

  resume(): void {
    this.#links.resume()
  }

  async close(): Promise<void> {
    this.#links.close()
    await Promise.all(this.#sockets.map(({ socket }) => socket.close()))
  }

  #transmit(sealed: Uint8Array, to: Endpoint): void {
    const family = familyOf(to.address)
    this.#sockets.find((one) => one.family === family)?.socket.send(sealed, to)
  }

  #received(sealed: Uint8Array, from: Endpoint): void {
    this.#datagrams++
    const { payload, reply, isGreeting } = this.#sealer.open(sealed)
    if (reply) this.#transmit(reply, from)
    if (isGreeting) this.#tellAgain(from)
    if (payload) this.#hear({ kind: 'udp', endpoint: from }, payload)
  }

  #receivedOnLink(sealed: Uint8Array, link: string, mac: Mac): void {
    const { payload, reply } = this.#sealer.open(sealed)
    if (reply) this.#links.send(link, mac, reply)
    if (payload) this.#hear({ kind: 'link', link, mac }, payload)
  }

  #hear(via: Via, payload: Uint8Array): void {
    const message = decodeMessage(payload)
    if (message.ok) this.#options.heard(via, message.value)
    else this.#malformed++
  }

  /** Whoever greets did not hear what we said before, and hears from now on. */
  #tellAgain(to: Endpoint): void {
    const held = this.#held.get(placeOf(to)) ?? []
    for (const payload of held) this.#transmit(this.#sealer.seal(payload), to)
  }

  #hold(place: string, payload: Uint8Array): void {
    if (this.#held.size >= mostPlaces) this.#held.clear()
    this.#held.set(place, [...(this.#held.get(place) ?? []), payload].slice(-mostHeld))
  }
}

const placeOf = ({ address, port }: Endpoint): string => `${address} ${port}`
