// A router in virtual time, by what the RFCs say a receiver does: which routes does it have, and why did
// it lose one? It keeps those of a node that restarts (RFC 4724, RFC 8538) if it `keeps`.

import type { Family, Ip } from '../../src/core/net/ip.ts'
import { Inbox } from '../../src/core/session/bgp/inbox.ts'
import type { Capabilities } from '../../src/core/wire/bgp/capabilities.ts'
import { encodeKeepalive, type MessageType } from '../../src/core/wire/bgp/header.ts'
import { notice } from '../../src/core/wire/bgp/notice.ts'
import { decodeNotification, encodeNotification } from '../../src/core/wire/bgp/notification.ts'
import { decodeOpen, encodeOpen } from '../../src/core/wire/bgp/open.ts'
import { decodeRouteRefresh, encodeRouteRefresh } from '../../src/core/wire/bgp/routeRefresh.ts'
import { decodeUpdate } from '../../src/core/wire/bgp/update.ts'
import { prefixTexts } from '../build/bgpMessages.ts'

export const routerAsn = 64513
export const holdMs = 9_000
/** What a node asks for, as FRR has it. */
const restartMs = 120_000

/** Where the router writes to, and how it hangs up. */
export type RouterSide = { write(bytes: Uint8Array): void; close: () => void }

type Told = { readonly what: string; isStale: boolean; isAsked: boolean }
type Talk = {
  readonly side: RouterSide
  readonly inbox: Inbox
  isUp: boolean
  /** What the node offered. */
  restart: Capabilities['restart']
  hold: NodeJS.Timeout | undefined
  keepalive: NodeJS.Timeout | undefined
}

export class SimRouter {
  readonly address: Ip
  readonly #keeps: boolean
  readonly #routes = new Map<string, Told>()
  #talk: Talk | undefined
  #sweep: NodeJS.Timeout | undefined
  /** Each route that it no longer has, and why. */
  readonly lost: { readonly prefix: string; readonly why: string }[] = []
  /** What no router should ever hear. */
  readonly complaints: string[] = []

  constructor(address: Ip, keeps: boolean) {
    this.address = address
    this.#keeps = keeps
  }

  /** By prefix: in text what was told of it. */
  get table(): ReadonlyMap<string, string> {
    return new Map([...this.#routes].map(([prefix, { what }]) => [prefix, what]))
  }

  get isUp(): boolean {
    return this.#talk?.isUp === true
  }

  /** The node has opened a connection; what it sends from now on, and undefined at its end. */
  accept(side: RouterSide): (bytes: Uint8Array | undefined) => void {
    // Who keeps routes takes a second connection for a restart; anybody else waits for the hold time.
    if (this.#talk !== undefined && !this.#keeps && this.#talk.isUp) {
      side.write(encodeNotification(notice(6, 7)))
      side.close()
      return () => undefined
    }
    this.#end('another connection', 'kept')
    const inbox = new Inbox({
      mostBytes: () => 65_535,
      deliver: (incoming) => {
        if (incoming.kind === 'garbage') this.complaints.push('garbage')
        else if (this.#talk === talk) this.#heard(talk, incoming.type, incoming.body)
      },
    })
    const none = { restart: undefined, hold: undefined, keepalive: undefined }
    const talk: Talk = { side, inbox, isUp: false, ...none }
    this.#talk = talk
    this.#listen(talk)
    return (bytes) => {
      if (this.#talk !== talk) return
      if (bytes === undefined) this.#end('the connection ended', 'kept')
      else inbox.take(bytes)
    }
  }

  /** It knows nothing any more; after a power cut the node is not told that the connection is over. */
  restart(what: 'daemon' | 'machine'): void {
    if (what === 'machine' && this.#talk !== undefined) this.#talk.side.close = () => undefined
    this.#end('the router restarted', 'gone')
    clearTimeout(this.#sweep)
    this.#drop(() => true, 'the router restarted')
  }

  refresh(family: Family): void {
    if (this.isUp) this.#talk?.side.write(encodeRouteRefresh(family, 'request'))
  }

  #heard(talk: Talk, type: MessageType, body: Uint8Array): void {
    this.#listen(talk)
    if (type === 'OPEN') this.#opened(talk, body)
    else if (type === 'KEEPALIVE') this.#rose(talk)
    else if (type === 'NOTIFICATION') this.#noticed(talk, body)
    else if (!talk.isUp) this.complaints.push(`${type} before the session is up`)
    else if (type === 'UPDATE') this.#updated(body)
    else this.#refreshed(body)
  }

  #opened(talk: Talk, body: Uint8Array): void {
    const open = decodeOpen(body)
    if (!open.ok) {
      this.complaints.push('an OPEN that cannot be read')
      return
    }
    const { restart } = open.value.capabilities
    talk.restart = this.#keeps ? restart : undefined
    const capabilities = {
      ...{ families: ['IPv4', 'IPv6'] as const, asn: routerAsn },
      ...{ canRefresh: true, canRefreshEnhanced: true, canExtend: false },
      restart: this.#keeps
        ? { isRestarting: false, survivesNotice: true, seconds: 120, forwards: [] }
        : undefined,
    }
    const [asn, routerId] = [routerAsn, this.address]
    talk.side.write(encodeOpen({ asn, holdSeconds: holdMs / 1000, routerId, capabilities }))
    talk.side.write(encodeKeepalive())
    talk.keepalive = setInterval(() => talk.side.write(encodeKeepalive()), holdMs / 3)
  }

  #rose(talk: Talk): void {
    if (talk.isUp) return
    talk.isUp = true
    clearTimeout(this.#sweep)
    // Those of a node that no longer says that it keeps them are of no use (RFC 4724 §4.2).
    if (talk.restart === undefined) this.#drop(({ isStale }) => isStale, 'no restart any more')
  }

  #updated(body: Uint8Array): void {
    const read = decodeUpdate(body, { asSize: 4, isInternal: false })
    if (!read.ok || read.value.errors.length > 0) {
      this.complaints.push('an UPDATE that cannot be read')
      return
    }
    const { announced, withdrawn, attributes, endOf } = read.value
    for (const prefix of prefixTexts(withdrawn)) this.#remove(prefix, 'withdrawn')
    const what = toldText(attributes)
    for (const prefix of prefixTexts(announced)) {
      this.#routes.set(prefix, { what, isStale: false, isAsked: false })
    }
    if (endOf === undefined) return
    const isOf = isOfFamily(endOf)
    this.#drop(({ isStale }, prefix) => isStale && isOf(prefix), 'swept at the end of all routes')
  }

  /** RFC 7313: what was not told again between beginning and end is gone. */
  #refreshed(body: Uint8Array): void {
    const read = decodeRouteRefresh(body)
    const { family, subtype } = read.ok ? read.value : {}
    if (family === undefined) return
    const isOf = isOfFamily(family)
    if (subtype === 'begin') {
      for (const [prefix, told] of this.#routes) if (isOf(prefix)) told.isAsked = true
    }
    if (subtype !== 'end') return
    this.#drop(({ isAsked }, prefix) => isAsked && isOf(prefix), 'swept after a refresh')
  }

  #noticed(talk: Talk, body: Uint8Array): void {
    const { code, subcode } = decodeNotification(body)
    const isHard = code === 6 && subcode === 9
    const stay = talk.restart?.survivesNotice === true && !isHard
    this.#end(`NOTIFICATION ${code}/${subcode}`, stay ? 'kept' : 'gone')
  }

  #listen(talk: Talk): void {
    clearTimeout(talk.hold)
    talk.hold = setTimeout(() => {
      talk.side.write(encodeNotification(notice(4, 0)))
      this.#end('hold time', 'kept')
    }, holdMs)
  }

  #end(why: string, then: 'kept' | 'gone'): void {
    const talk = this.#talk
    if (talk === undefined) return
    this.#talk = undefined
    clearTimeout(talk.hold)
    clearInterval(talk.keepalive)
    talk.side.close()
    if (!talk.isUp) return
    if (then === 'gone' || talk.restart === undefined) {
      this.#drop(() => true, why)
      return
    }
    // What was not told again before the next end is not kept a second time (RFC 4724 §4.2).
    this.#drop(({ isStale }) => isStale, 'stale twice')
    for (const told of this.#routes.values()) told.isStale = true
    this.#sweep = setTimeout(() => this.#drop((one) => one.isStale, 'not back in time'), restartMs)
  }

  #drop(isMeant: (told: Told, prefix: string) => boolean, why: string): void {
    for (const [prefix, told] of this.#routes) if (isMeant(told, prefix)) this.#remove(prefix, why)
  }

  #remove(prefix: string, why: string): void {
    if (this.#routes.delete(prefix)) this.lost.push({ prefix, why })
  }
}

const isOfFamily =
  (family: Family) =>
  (prefix: string): boolean =>
    prefix.includes(':') === (family === 'IPv6')

type Attributes = { readonly med?: number; readonly communities?: readonly number[] }

export const toldText = ({ med, communities = [] }: Attributes): string =>
  [`MED ${med ?? 'none'}`, ...communities.toSorted((one, other) => one - other)].join(' ')
