// What if routers connect to us? We listen for peers that are configured here, and hear who it is
// before the connection becomes that of a session: there may be another one that stays.
import type { Family, Ip } from '../../../core/net/ip.ts'
import { judgeIncoming } from '../../../core/session/bgp/collision.ts'
import { Inbox } from '../../../core/session/bgp/inbox.ts'
import { mostBytes } from '../../../core/wire/bgp/header.ts'
import { type Notice, notice } from '../../../core/wire/bgp/notice.ts'
import { encodeNotification } from '../../../core/wire/bgp/notification.ts'
import { decodeOpen } from '../../../core/wire/bgp/open.ts'
import type { TcpConnection, TcpHandlers } from '../../../edge/host/tcp/dialTcp.ts'
import type { Arrival, TcpListener } from '../../../edge/host/tcp/listenTcp.ts'
import type { PeerPlan } from './peerPlan.ts'
import type { PeerSession } from './peerSession.ts'

type Listening = { readonly family: Family; readonly port: number }
type IncomingParts = {
  readonly port: number
  readonly listen: (place: Listening, arrived: (one: Arrival) => void) => TcpListener
  readonly take: (
    taken: { readonly fd: number; readonly address: Ip } & Pick<PeerPlan, 'ttl' | 'leastTtl'>,
    handlers: TcpHandlers,
  ) => TcpConnection
  readonly drop: (fd: number) => void
  readonly sessions: () => readonly PeerSession[]
  readonly keyOf: (plan: PeerPlan) => Promise<Uint8Array | undefined>
  readonly after: (ms: number, act: () => void) => () => void
}

type Keyed = { readonly family: Family; readonly key: Uint8Array }

/** As long as one waits that we have dialled. */
const openMs = 10_000
const families = ['IPv4', 'IPv6'] as const

export class Incoming {
  readonly #parts: IncomingParts
  readonly #listeners = new Map<Family, TcpListener>()
  /** Peers that have a key on a listener. */
  readonly #keyed = new Map<Ip, Keyed>()
  /** Why a peer lacks the key that it should have. */
  readonly #unkeyed = new Map<Ip, string>()
  /** One for each peer: who comes again has given up the one before. */
  readonly #waiting = new Map<string, () => void>()
  #trouble = ''
  #looking: Promise<void> | undefined
  #isAskedAgain = false
  #isOver = false

  constructor(parts: IncomingParts) {
    this.#parts = parts
  }

  /** Why routers cannot connect; '' if they can. */
  get trouble(): string {
    return this.#trouble
  }

  /** Why that peer cannot reach us with its password; '' for nothing. */
  keyTroubleOf(peer: Ip): string {
    return this.#unkeyed.get(peer) ?? ''
  }

  /** Again and again: a port may come free, and passwords change. One look at a time. */
  async look(): Promise<void> {
    if (this.#looking !== undefined) {
      this.#isAskedAgain = true
      return this.#looking
    }
    this.#looking = this.#look()
    await this.#looking
    this.#looking = undefined
    if (!this.#isAskedAgain) return
    this.#isAskedAgain = false
    await this.look()
  }

  async #look(): Promise<void> {
    const troubles = families.map((family) => this.#open(family))
    const wanted = new Map<Ip, PeerSession>()
    for (const session of this.#parts.sessions()) {
      const { password, vrf, address } = session.plan
      // Those of a VRF do not come in here, and may have the address of one that does.
      if (password !== 'none' && vrf === '') wanted.set(address, session)
    }
    for (const [ip, { family }] of this.#keyed) {
      if (!wanted.has(ip)) this.#listeners.get(family)?.setKey(ip, undefined)
      if (!wanted.has(ip)) this.#keyed.delete(ip)
    }
    for (const ip of this.#unkeyed.keys()) if (!wanted.has(ip)) this.#unkeyed.delete(ip)
    for (const [ip, { plan }] of wanted) {
      const key = await this.#parts.keyOf(plan).catch(() => undefined)
      const family = ip.includes(':') ? 'IPv6' : 'IPv4'
      if (key === undefined || this.#isOver) continue
      const known = this.#keyed.get(ip)
      if (known !== undefined && Buffer.compare(known.key, key) === 0) continue
      const why = this.#listeners.get(family)?.setKey(ip, key) ?? ''
      if (why === '') this.#keyed.set(ip, { family, key })
      if (why === '') this.#unkeyed.delete(ip)
      else this.#unkeyed.set(ip, `TCP MD5: ${why}`)
    }
    this.#trouble = troubles.find((why) => why !== '') ?? ''
  }

  stop(): void {
    this.#isOver = true
    for (const end of [...this.#waiting.values()]) end()
    for (const listener of this.#listeners.values()) listener.close()
    this.#listeners.clear()
  }

  /** '' or why not. */
  #open(family: Family): string {
    if (this.#isOver || this.#listeners.has(family)) return ''
    const { port, listen } = this.#parts
    try {
      this.#listeners.set(
        family,
        listen({ family, port }, (one) => this.#arrived(one)),
      )
      // Keys that were on another socket are not on this one.
      for (const [ip, of] of this.#keyed) if (of.family === family) this.#keyed.delete(ip)
      return ''
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }

  #arrived({ fd, from, link }: Arrival): void {
    const session = this.#parts.sessions().find(({ plan }) => {
      return plan.address === from && plan.vrf === '' && (plan.link === '' || plan.link === link)
    })
    // A peer with a password whose key is not there yet would come in without one.
    const isOpen = session?.plan.password === 'none' || this.#keyed.has(from)
    if (session === undefined || !isOpen || this.#isOver) {
      this.#parts.drop(fd)
      return
    }
    this.#hear(session, fd)
  }

  /** Until it has said who it is. */
  #hear(session: PeerSession, fd: number): void {
    const { name, address, ttl, leastTtl } = session.plan
    const chunks: Uint8Array[] = []
    let local: Ip | undefined
    let handlers: TcpHandlers | undefined
    const done = (): void => {
      cancel()
      if (this.#waiting.get(name) === refuse) this.#waiting.delete(name)
    }
    const refuse = (why: Notice = notice(6, 7)): void => {
      done()
      connection.write(encodeNotification(why))
      void connection.hangUp()
    }
    const inbox = new Inbox({
      mostBytes: () => mostBytes.usual,
      deliver: (incoming) => {
        if (handlers !== undefined || this.#waiting.get(name) !== refuse) return
        if (incoming.kind === 'garbage') return refuse(incoming.notice)
        const open = incoming.type === 'OPEN' ? decodeOpen(incoming.body) : undefined
        if (open === undefined) return refuse(notice(5, 1))
        if (!open.ok) return refuse(open.notice)
        const { session: now, wasAccepted } = session
        const why = judgeIncoming(now, open.value, !wasAccepted)
        if (why !== undefined) return refuse(why)
        done()
        if (local === undefined) return
        const key = this.#keyed.get(address)?.key
        handlers = session.accept(connection, { local, key })
      },
    })
    // Before the connection is taken, which may end it at once.
    const cancel = this.#parts.after(openMs, () => refuse(notice(4, 0)))
    this.#waiting.get(name)?.()
    this.#waiting.set(name, refuse)
    const connection = this.#parts.take(
      { fd, address, ttl, ...(leastTtl !== undefined && { leastTtl }) },
      {
        connected: (own) => {
          local = own
        },
        received: (bytes) => {
          if (handlers !== undefined) return handlers.received(bytes)
          chunks.push(bytes)
          inbox.take(bytes)
          const heard = chunks.splice(0)
          if (handlers === undefined) chunks.push(...heard)
          else for (const chunk of heard) (handlers as TcpHandlers).received(chunk)
        },
        drained: () => handlers?.drained(),
        ended: (why) => (handlers === undefined ? done() : handlers.ended(why)),
      },
    )
  }
}
