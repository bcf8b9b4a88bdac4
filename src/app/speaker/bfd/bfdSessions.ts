// What does BFD say about each peer? Peers at one address share a session; the thread that runs
// them exists only while there is one.
import type { BfdNews, BfdPlan, BfdView } from './bfdMessages.ts'
import type { BfdDriver, startBfdThread } from './startBfdThread.ts'

type BfdParts = {
  readonly start: typeof startBfdThread
  readonly nowMs: () => number
  readonly log: (level: 'info' | 'warn', peer: string, message: string) => void
  /** The path to these peers has failed. */
  readonly failed: (peers: readonly string[], why: string) => void
}

/** One session, as its peers see it. */
export type BfdSeen = {
  readonly plan: BfdPlan
  readonly view: BfdView | undefined
  /** Whether it is not up although it has had its time. */
  readonly isMissing: boolean
}

type Known = { plan: BfdPlan; peers: string[]; view: BfdView | undefined; notUpSinceMs: number }

/** Slow start, three packets each way, and a thread that starts. */
const patienceMs = 5_000
const restartMs = 1_000

export class BfdSessions {
  readonly #parts: BfdParts
  #sessions = new Map<string, Known>()
  #driver: BfdDriver | undefined
  #restarting: NodeJS.Timeout | undefined
  #leaving: Promise<unknown> = Promise.resolve()

  constructor(parts: BfdParts) {
    this.#parts = parts
  }

  /** In the order of the first peer of each. */
  get seen(): readonly BfdSeen[] {
    return [...this.#sessions.values()].map((known) => this.#seen(known))
  }

  seenBy(peer: string): BfdSeen | undefined {
    const known = [...this.#sessions.values()].find(({ peers }) => peers.includes(peer))
    return known && this.#seen(known)
  }

  /** By peer, in the order of their names: the first of an address decides its timers. */
  run(wanted: ReadonlyMap<string, BfdPlan>): void {
    const sessions = new Map<string, Known>()
    for (const [peer, plan] of wanted) {
      const shared = sessions.get(plan.key)
      if (shared === undefined) sessions.set(plan.key, this.#known(peer, plan))
      else shared.peers.push(peer)
    }
    this.#sessions = sessions
    if (sessions.size === 0) this.#end()
    else this.#order()
  }

  /** Ends once the peers have been told that it is on purpose. */
  async stop(): Promise<void> {
    this.run(new Map())
    await this.#leaving
  }

  #known(peer: string, plan: BfdPlan): Known {
    const before = this.#sessions.get(plan.key)
    const fresh = { view: undefined, notUpSinceMs: this.#parts.nowMs() }
    return { ...(before ?? fresh), plan, peers: [peer] }
  }

  #order(): void {
    if (this.#restarting !== undefined) return
    this.#driver ??= this.#parts.start({
      tell: (news) => this.#hear(news),
      ended: (why) => this.#lost(why),
    })
    this.#driver.run([...this.#sessions.values()].map(({ plan }) => plan))
  }

  #end(): void {
    clearTimeout(this.#restarting)
    this.#restarting = undefined
    const driver = this.#driver
    this.#driver = undefined
    if (driver !== undefined) this.#leaving = Promise.all([this.#leaving, driver.stop()])
  }

  #lost(why: string): void {
    this.#driver = undefined
    for (const known of this.#sessions.values()) this.#take(known, undefined)
    const [first] = this.#sessions.values()
    this.#parts.log('warn', first?.peers[0] ?? '', `BFD starts again: ${why}`)
    this.#restarting = setTimeout(() => {
      this.#restarting = undefined
      this.#order()
    }, restartMs)
  }

  #hear(news: BfdNews): void {
    for (const view of news.kind === 'views' ? news.views : [news.view]) {
      const known = this.#sessions.get(view.key)
      if (known !== undefined) this.#take(known, view)
    }
    if (news.kind === 'changed') this.#tell(news)
  }

  #tell({ view, down }: Extract<BfdNews, { kind: 'changed' }>): void {
    const peers = this.#sessions.get(view.key)?.peers ?? []
    const said = view.trouble === '' ? '' : `: ${view.trouble}`
    const level = view.trouble === '' ? 'info' : 'warn'
    for (const peer of peers) this.#parts.log(level, peer, `BFD ${view.state}${said}`)
    if (down?.cause === 'failure') this.#parts.failed(peers, down.why)
  }

  #take(known: Known, view: BfdView | undefined): void {
    const wasUp = known.view?.state === 'Up'
    if (wasUp && view?.state !== 'Up') known.notUpSinceMs = this.#parts.nowMs()
    known.view = view
  }

  #seen({ plan, view, notUpSinceMs }: Known): BfdSeen {
    const isLate = this.#parts.nowMs() - notUpSinceMs > patienceMs
    return { plan, view, isMissing: view?.state !== 'Up' && isLate }
  }
}
