// Which other speakers are there? None until this one has joined.
import type { Mac } from '../../../core/net/mac.ts'
import type { Speakers } from '../../../core/policy/announce/advertise.ts'
import type { MemberCounts } from '../membership/members.ts'
import type { MembersDriver, Own } from '../membership/membersDriver.ts'

const nobody: ReadonlySet<string> = new Set()
const noMacs: ReadonlyMap<Mac, string> = new Map()

export class PeerSpeakers {
  #members: MembersDriver | undefined

  join(members: MembersDriver): void {
    this.#members = members
  }

  get speakers(): Speakers {
    return this.#members?.speakers ?? { live: nobody, expected: nobody }
  }

  /** The nodes that may announce. */
  get live(): ReadonlySet<string> {
    return this.speakers.live
  }

  get isSettled(): boolean {
    return this.#members?.isSettled === true
  }

  /** Whether another process on this node speaks for it. */
  get isSuperseded(): boolean {
    return this.#members?.isSuperseded === true
  }

  /** Why peers cannot be found, and what to do about it. */
  get problem(): string | undefined {
    return this.#members?.problem
  }

  /** The peers' nodes, by MAC. */
  get macs(): ReadonlyMap<Mac, string> {
    return this.#members?.peerMacs ?? noMacs
  }

  /** How long the minority side of a split may keep answering (R8.3). */
  get safeDelayMs(): number {
    return this.#members?.safeDelayMs ?? 0
  }

  /** Undefined with --members nodes, where every Node counts as live. */
  get counts(): MemberCounts | undefined {
    return this.#members?.counts
  }

  /** Whether the node said goodbye before it went. */
  hasLeft(node: string): boolean {
    return this.#members?.hasLeft(node) === true
  }

  setOwn(own: Own): void {
    this.#members?.setOwn(own)
  }

  async leave(): Promise<void> {
    await this.#members?.leave()
  }

  async stop(): Promise<void> {
    await this.#members?.stop()
  }
}
