// Do two other speakers answer for one address? What they announce, or ask in its name, reaches
// everybody on the wire, so that also who has nothing to do with the address sees them contradict
// each other. An answer goes to who asked, a neighbour solicitation to the group of whom it asks
// for: two that say nothing to all are noticed by nobody else.
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { isArpProbe } from './arpFrame.ts'

/** In a handover both may speak for a while. */
const handoverMs = 2_000
/** They took turns, but not in this time: an address that moved, and later moved again. */
const forgottenMs = 3_000
/** There and back are two, and a few more when both speak at the moment of each. */
const leastTurns = 5
/** As often is it told of one address. */
const pauseMs = 10_000
/** When there are more that speak at the same time, the first ones tell it. */
const most = 4_096
const sweepMs = 1_000

/** `node` is whose MAC it is. */
export type Spoken = {
  readonly address: Ip
  readonly mac: Mac
  readonly node: string
  readonly now: number
}

type Track = {
  mac: Mac
  node: string
  lastAt: number
  /** How often it was another one's turn, and since when. */
  turns: number
  turnedAt: number
  sinceAt: number
  toldAt: number
}

export class Overheard {
  readonly #tracks = new Map<Ip, Track>()
  #sweptAt = Number.NEGATIVE_INFINITY

  /** The other speaker's MAC, when it is time to tell that there are two. */
  heard({ address, mac, node, now }: Spoken): Mac | undefined {
    const track = this.#tracks.get(address)
    if (track === undefined) {
      this.#begin(address, { mac, node, now })
      return undefined
    }
    const [other, isOther] = [track.mac, track.node !== node]
    Object.assign(track, { mac, node, lastAt: now })
    return isOther && isContradiction(track, now) ? other : undefined
  }

  #begin(address: Ip, { mac, node, now }: Omit<Spoken, 'address'>): void {
    if (this.#tracks.size >= most) this.#sweep(now)
    if (this.#tracks.size >= most) return
    const never = Number.NEGATIVE_INFINITY
    const turns = { turns: 0, turnedAt: never, sinceAt: now, toldAt: never }
    this.#tracks.set(address, { mac, node, lastAt: now, ...turns })
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < sweepMs) return
    this.#sweptAt = now
    for (const [address, { lastAt, toldAt }] of this.#tracks) {
      const isOver = now - lastAt > forgottenMs && now - toldAt > pauseMs
      if (isOver) this.#tracks.delete(address)
    }
  }
}

/** Another one's turn: is it one of many, for longer than any handover? */
function isContradiction(track: Track, now: number): boolean {
  const isNew = now - track.turnedAt > forgottenMs
  track.turns = isNew ? 1 : track.turns + 1
  track.turnedAt = now
  if (isNew) track.sinceAt = now
  if (track.turns < leastTurns || now - track.sinceAt <= handoverMs) return false
  if (now - track.toldAt < pauseMs) return false
  track.toldAt = now
  return true
}

/**
 * Whatever is said to all names whose the sender's address is: announcements, and also questions
 * of a host that has the address on an interface. Who has none yet names none (RFC 5227 §1.1).
 */
export const isArpToAll = (frame: Uint8Array): boolean => frame[0] === 0xff && !isArpProbe(frame)

/** A neighbour advertisement to a group: nobody asked for it (RFC 4861 §7.2.6). */
export const isNdpAnnouncement = (frame: Uint8Array): boolean =>
  frame[54] === 136 && frame[38] === 0xff
