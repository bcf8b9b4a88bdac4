// Who has been seen how, and since when? For people and metrics; nothing is decided by it.
import type { Member } from '../../../core/session/membership/member.ts'
import type { Message } from '../../../core/wire/gossip/message.ts'

export type Described = {
  readonly node: string
  readonly state: Member['state']
  /** RFC 3339. */
  readonly since: string
  readonly endpoint: string
  readonly isReady: boolean
  readonly hasApi: boolean
  readonly isLeaving: boolean
  readonly links: readonly {
    readonly name: string
    readonly mac: string
    readonly isUp: boolean
    /** Its fellows on the segment no longer hear it there. */
    readonly isSilent: boolean
  }[]
}

export type Happened = Record<
  'beatsSent' | 'beatsHeard' | 'accusations' | 'refutations' | 'deaths',
  number
>

type Noted = {
  readonly state: Member['state']
  readonly incarnation: number
  readonly since: string
}

export class MemberJournal {
  readonly #timestamp: () => string
  readonly #noted = new Map<string, Noted>()
  readonly #accused = new Set<string>()
  readonly happened: Happened = {
    beatsSent: 0,
    beatsHeard: 0,
    accusations: 0,
    refutations: 0,
    deaths: 0,
  }

  constructor(timestamp: () => string) {
    this.#timestamp = timestamp
  }

  sent(message: Message, copies: number): void {
    if (message.kind === 'beat') this.happened.beatsSent += copies
    else this.#noteClaims(message)
  }

  heard(message: Message): void {
    if (message.kind === 'beat') this.happened.beatsHeard++
    else this.#noteClaims(message)
  }

  /** The nodes whose state is another one than before. */
  note(members: readonly Member[]): readonly Member[] {
    const changed = members.filter((member) => this.#noteOne(member))
    const present = new Set(members.map(({ node }) => node))
    for (const node of this.#noted.keys()) if (!present.has(node)) this.#noted.delete(node)
    return changed
  }

  describe(members: readonly Member[]): readonly Described[] {
    return members.map(({ node, state, facts, silentLinks }) => ({
      node,
      state,
      since: this.#noted.get(node)?.since ?? this.#timestamp(),
      endpoint: `${facts.endpoint.address} port ${facts.endpoint.port}`,
      isReady: facts.isReady,
      hasApi: facts.hasApi,
      isLeaving: facts.isLeaving,
      links: facts.links.map(({ name, mac, isUp }) => ({
        name,
        mac,
        isUp,
        isSilent: silentLinks.has(name),
      })),
    }))
  }

  #noteOne({ node, state, facts: { incarnation } }: Member): boolean {
    const before = this.#noted.get(node)
    const isRefuted = before !== undefined && incarnation === before.incarnation + 1
    if (isRefuted && this.#isAccused(node, before.incarnation)) this.happened.refutations++
    const hasChanged = before?.state !== state
    if (hasChanged && state === 'dead') this.happened.deaths++
    const since = before && !hasChanged ? before.since : this.#timestamp()
    this.#noted.set(node, { state, incarnation, since })
    return hasChanged
  }
  /** Each once, however often it is said and by whom. */
  #noteClaims(message: Message): void {
    if (message.kind !== 'reports') return
    for (const { node, incarnation, link, isHeard } of message.reports) {
      if (isHeard || this.#isAccused(node, incarnation, link)) continue
      if (this.#accused.size >= mostAccused) this.#accused.clear()
      this.#accused.add(reportText(node, incarnation, link))
      this.happened.accusations++
    }
  }

  #isAccused(...report: Parameters<typeof reportText>): boolean {
    return this.#accused.has(reportText(...report))
  }
}

const mostAccused = 1000
const reportText = (node: string, incarnation: number, link = ''): string =>
  `${node} ${incarnation} ${link}`
