// A node and its routers in virtual time, with the speaker's own sessions: what is late, cut or restarted
// is the seed's doing. What the node says is checked where it says it, what routers know where it
// comes to rest.
import { vi } from 'vitest'
import { BgpPeers } from '../../src/app/speaker/bgp/bgpPeers.ts'
import type { PeerPlan } from '../../src/app/speaker/bgp/peerPlan.ts'
import type { Family, Ip } from '../../src/core/net/ip.ts'
import type { Route } from '../../src/core/session/bgp/routes.ts'
import { headerBytes } from '../../src/core/wire/bgp/header.ts'
import { shutdownNotice } from '../../src/core/wire/bgp/notification.ts'
import { decodeUpdate } from '../../src/core/wire/bgp/update.ts'
import type { TcpConnection, TcpHandlers, TcpTarget } from '../../src/edge/host/tcp/dialTcp.ts'
import { messagesIn, prefixTexts } from '../build/bgpMessages.ts'
import { holdMs, routerAsn, SimRouter, toldText } from './bgpRouter.ts'

const own = [
  { interface: 'eth0', address: '192.0.2.9' as Ip, prefixLength: 24 },
  { interface: 'eth0', address: '2001:db8::9' as Ip, prefixLength: 64 },
]
/** Unread bytes after which a socket says that there is no room. */
const roomBytes = 300

/** One connection: bytes come in order, in pieces, late, and not at all while the link is cut. */
class SimTcp implements TcpConnection {
  readonly #network: BgpNetwork
  readonly #router: SimRouter
  readonly #handlers: TcpHandlers
  readonly #said = new Map<string, string>()
  #hear: ((bytes: Uint8Array | undefined) => void) | undefined
  #unread = 0
  #isFull = false
  #lastMs = 0
  readonly #underway: (() => void)[] = []
  isOver = false
  /** The process is gone: nothing comes in or out any more. */
  isSilent = false

  constructor(network: BgpNetwork, router: SimRouter, handlers: TcpHandlers) {
    this.#network = network
    this.#router = router
    this.#handlers = handlers
    this.#later(() => this.#connected())
  }

  write(bytes: Uint8Array): boolean {
    if (this.isSilent || this.isOver) return false
    for (const message of messagesIn(bytes)) this.#judge(message)
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + Math.floor(this.#network.random() * 200)
      const piece = bytes.slice(at, at + size)
      at += size
      this.#unread += piece.length
      this.#later(() => this.#arrived(piece))
    }
    this.#isFull = this.#unread > roomBytes
    return !this.#isFull
  }

  async hangUp(): Promise<void> {
    if (!this.isOver && !this.isSilent) this.#later(() => this.#hear?.(undefined))
    this.isOver = true
  }

  rekey(): string {
    return ''
  }

  destroy(): void {
    void this.hangUp()
  }

  /** The process was killed: its kernel ends the connection, unless the node is gone with it. */
  vanish(isNoticed: boolean): void {
    if (isNoticed) void this.hangUp()
    this.isSilent = true
  }

  #connected(): void {
    if (this.isOver || this.isSilent) return
    this.#hear = this.#router.accept({
      write: (bytes) => this.#later(() => this.#toNode(() => this.#handlers.received(bytes))),
      close: () => this.#later(() => this.#toNode(() => this.#ended())),
    })
    this.#handlers.connected('192.0.2.9' as Ip)
  }

  #arrived(piece: Uint8Array): void {
    this.#hear?.(piece)
    this.#unread -= piece.length
    if (!this.#isFull || this.#unread > roomBytes / 2) return
    this.#isFull = false
    this.#toNode(() => this.#handlers.drained())
  }

  #ended(): void {
    this.isOver = true
    this.#handlers.ended('the peer closed the connection')
  }

  #toNode(act: () => void): void {
    if (!this.isOver && !this.isSilent) act()
  }

  /** Never before what went before it, and not over a link that is cut. */
  #later(act: () => void): void {
    const dueMs = Math.max(Date.now() + this.#network.delayMs(), this.#lastMs)
    this.#lastMs = dueMs
    this.#underway.push(act)
    setTimeout(() => this.#deliver(), dueMs - Date.now())
  }

  #deliver(): void {
    if (this.#network.isCut(this.#router)) setTimeout(() => this.#deliver(), 50)
    else this.#underway.shift()?.()
  }

  /** What the node says must be so when it says it. */
  #judge(message: Uint8Array): void {
    if (message[18] === 1) this.#said.clear()
    if (message[18] !== 2) return
    const read = decodeUpdate(message.subarray(headerBytes), { asSize: 4, isInternal: false })
    const { network, wanted } = { network: this.#network, wanted: this.#network.wanted() }
    if (!read.ok || read.value.errors.length > 0) {
      network.broken.push('an UPDATE that cannot be read')
      return
    }
    const { announced, withdrawn, attributes, endOf } = read.value
    for (const prefix of prefixTexts(withdrawn)) {
      this.#said.delete(prefix)
      const isMeant = network.leaving.has(this.#router)
      if (wanted.has(prefix) && !isMeant) network.broken.push(`withdrew ${prefix}`)
    }
    for (const prefix of prefixTexts(announced)) {
      this.#said.set(prefix, toldText(attributes))
      if (wanted.get(prefix) !== toldText(attributes)) network.broken.push(`announced ${prefix}`)
    }
    if (endOf === undefined) return
    const isSix = endOf === 'IPv6'
    for (const [prefix, what] of wanted) {
      if (prefix.includes(':') === isSix && this.#said.get(prefix) !== what) {
        network.broken.push(`the end without ${prefix}`)
      }
    }
  }
}

/** All communities, and the lowest MED that anybody asks for. */
function mergedText(routes: readonly Route[]): string {
  const asked = routes.flatMap(({ med }) => med ?? [])
  const numbers = routes.flatMap(({ communities }) =>
    communities.map((text) => 64512 * 65536 + Number(text.split(':')[1])),
  )
  const med = asked.length === 0 ? 0 : Math.min(...asked)
  return toldText({ med, communities: [...new Set(numbers)] })
}

const planFor = (router: SimRouter, name: string): PeerPlan => ({
  name,
  options: {
    ...{ localAsn: 64512, peerAsn: routerAsn, families: ['IPv4', 'IPv6'] },
    ...{ holdSeconds: holdMs / 1000, keepaliveSeconds: undefined, retrySeconds: undefined },
    restartSeconds: 120,
  },
  ...{ address: router.address, port: 179, source: undefined, routerId: undefined, ttl: 1 },
  ...{ isOneHop: true, vrf: '', link: '', password: 'none', secret: '' },
})

export class BgpNetwork {
  readonly random: () => number
  /** One that keeps routes of a node that restarts, and one that does not. */
  readonly routers = {
    keeping: new SimRouter('192.0.2.1' as Ip, true),
    plain: new SimRouter('192.0.2.2' as Ip, false),
  }
  /** What the node said and should not have. */
  readonly broken: string[] = []
  readonly #cut = new Set<SimRouter>()
  readonly #held = new Map<string, readonly Route[]>()
  #wires: SimTcp[] = []
  #peers: BgpPeers | undefined
  #port = 179
  /** Those that are to lose everything. */
  leaving: ReadonlySet<SimRouter> = new Set()
  mostDelayMs = 5

  constructor(random: () => number) {
    this.random = random
  }

  delayMs(): number {
    // One in twenty is sent again: the kernel takes at least 200 ms for it.
    return this.random() * this.mostDelayMs + (this.random() < 0.05 ? 200 : 0)
  }

  isCut = (router: SimRouter): boolean => this.#cut.has(router)

  cut(name: keyof BgpNetwork['routers']): void {
    this.#cut.add(this.routers[name])
  }

  heal(): void {
    this.#cut.clear()
  }

  /** By prefix, what routers are to be told of it. */
  wanted(): ReadonlyMap<string, string> {
    const all = [...this.#held.values()].flat()
    return new Map(
      all.map(({ prefix }) => [prefix, mergedText(all.filter((one) => one.prefix === prefix))]),
    )
  }

  hold(holder: string, after: readonly Route[]): void {
    const before = this.#held.get(holder) ?? []
    this.#held.set(holder, after)
    for (const name of Object.keys(this.routers)) {
      this.#peers?.change(name, holder, before, after)
    }
    this.#peers?.flush()
  }

  refresh(name: keyof BgpNetwork['routers'], family: Family): void {
    this.routers[name].refresh(family)
  }

  start(): void {
    if (this.#peers !== undefined) return
    this.leaving = new Set()
    const peers = new BgpPeers(() => ({
      ...{ style: 'frr', node: 'node-1', nowMs: () => Date.now(), random: this.random },
      timestamp: () => '2026-01-01T00:00:00Z',
      ...{ ownAddresses: () => own, keyOf: async () => undefined, log: () => undefined },
      dial: (target, handlers) => this.#dial(target, handlers),
    }))
    this.#peers = peers
    this.#run()
    const begin = (holders: readonly string[]): void => {
      const [holder, ...others] = holders
      if (this.#peers !== peers) return
      if (holder === undefined) peers.begin()
      else {
        this.#decide(peers, holder)
        setTimeout(() => begin(others), this.random() * 600)
      }
    }
    begin([...this.#held.keys()])
  }

  /** For the first time: some at a time, and nothing is said before all are. */
  #decide(peers: BgpPeers, holder: string): void {
    const routes = this.#held.get(holder) ?? []
    for (const name of Object.keys(this.routers)) peers.change(name, holder, [], routes)
    peers.flush()
  }

  /** Another port needs new sessions. */
  move(): void {
    this.leaving = new Set(Object.values(this.routers))
    this.#port = 358 - this.#port
    this.#run()
    this.leaving = new Set()
  }

  /** The process is told to end, and comes back. */
  async restart(how: 'stop' | 'pause'): Promise<void> {
    const peers = this.#peers
    if (peers === undefined) return
    const { keeping, plain } = this.routers
    this.leaving = new Set(how === 'stop' ? [keeping, plain] : [plain])
    const ended = peers[how](shutdownNotice('maintenance'))
    this.#peers = undefined
    await vi.advanceTimersByTimeAsync(100)
    await ended
    this.start()
  }

  /** Without a word: of the process alone, or of the whole machine, whose kernel says nothing either. */
  kill(what: 'process' | 'machine'): void {
    for (const wire of this.#wires) wire.vanish(what === 'process')
    this.#wires = []
    void this.#peers?.stop(shutdownNotice('nobody hears this'))
    this.#peers = undefined
  }

  #run(): void {
    const plans = Object.entries(this.routers).map(([name, router]) => planFor(router, name))
    this.#peers?.run(plans.map((plan) => ({ ...plan, port: this.#port })))
  }

  #dial({ address }: TcpTarget, handlers: TcpHandlers): TcpConnection {
    const router = Object.values(this.routers).find((one) => one.address === address)
    if (router === undefined) throw new Error(`nobody is at ${address}`)
    const wire = new SimTcp(this, router, handlers)
    this.#wires = [...this.#wires.filter(({ isOver }) => !isOver), wire]
    return wire
  }
}
