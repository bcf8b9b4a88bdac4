// Do two other speakers answer for one address? Announcements and requests sent from the address
// are broadcast, so every node on the link can see the two contradict each other, even one that has
// nothing to do with the address. Replies are unicast, and neighbour solicitations go to the group
// of their target: two speakers that broadcast nothing stay undetected by others.
import type { Ip } from '../../net/ip.ts'
import type { Mac } from '../../net/mac.ts'
import { isArpProbe } from './arpFrame.ts'

/** During a handover both may speak for this long. */
const handoverMs = 2_000
/** A longer gap between changes means that the address moved, and later moved again. */
const forgottenMs = 3_000
/** Moving there and back is two changes, plus a few while both speak. */
const leastChanges = 5
/** Minimum interval between reports about one address. */
const pauseMs = 10_000
/** If more addresses are active at the same time, the first ones are enough to report. */
const most = 4_096
const sweepMs = 1_000

/** `node` is the node that the MAC belongs to. */
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
  /** How many times the speaker alternated, and since when. */
  changes: number
  changedAt: number
  sinceAt: number
  toldAt: number
}

export class Overheard {
  readonly #tracks = new Map<Ip, Track>()
  #sweptAt = Number.NEGATIVE_INFINITY

  /** Returns the other speaker's MAC when it is time to report a conflict. */
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
    this.#sweep(now)
    if (this.#tracks.size >= most) return
    const never = Number.NEGATIVE_INFINITY
    const history = { changes: 0, changedAt: never, sinceAt: now, toldAt: never }
    this.#tracks.set(address, { mac, node, lastAt: now, ...history })
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

/** The speakers alternated: often enough, and for longer than any handover? */
function isContradiction(track: Track, now: number): boolean {
  const isNew = now - track.changedAt > forgottenMs
  track.changes = isNew ? 1 : track.changes + 1
  track.changedAt = now
  if (isNew) track.sinceAt = now
  if (track.changes < leastChanges || now - track.sinceAt <= handoverMs) return false
  if (now - track.toldAt < pauseMs) return false
  track.toldAt = now
  return true
}

/**
 * A broadcast names the sender's address: announcements do, and so do requests from a host that
 * has the address on an interface. A probe names none (RFC 5227 §1.1).
 */
export const isArpToAll = (frame: Uint8Array): boolean => frame[0] === 0xff && !isArpProbe(frame)

/** A neighbour advertisement to a group is unsolicited (RFC 4861 §7.2.6). */
export const isNdpAnnouncement = (frame: Uint8Array): boolean =>
  frame[54] === 136 && frame[38] === 0xff
