// Which sessions run on this node? One for each peer that acts here; a change touches only its own
// session, and ends it only where it must.
import { Encodings } from '../../../core/session/bgp/encodings.ts'
import { PeerRoutes } from '../../../core/session/bgp/routes.ts'
import { type Notice, notice } from '../../../core/wire/bgp/notice.ts'
import { needsNewSession, type PeerPlan } from './peerPlan.ts'
import { type Means, PeerSession } from './peerSession.ts'

const [deconfigured, changed] = [notice(6, 3), notice(6, 6)] as const

export class BgpPeers {
  readonly #meansFor: (peer: string) => Means
  readonly #sessions = new Map<string, PeerSession>()
  /** By peer, whether or not a session runs. */
  readonly #routes = new Map<string, PeerRoutes>()
  readonly #encodings = new Encodings()
  readonly #leaving = new Set<Promise<void>>()
  #mayAnnounce = false
  #rekeying: Promise<unknown> | undefined

  constructor(meansFor: (peer: string) => Means) {
    this.#meansFor = meansFor
  }

  /** By name of the peer. */
  get sessions(): readonly PeerSession[] {
    return [...this.#sessions.values()].sort((one, other) =>
      one.plan.name < other.plan.name ? -1 : 1,
    )
  }

  sessionOf(peer: string): PeerSession | undefined {
    return this.#sessions.get(peer)
  }

  run(plans: readonly PeerPlan[]): void {
    const wanted = new Map(plans.map((plan) => [plan.name, plan]))
    for (const [name, session] of this.#sessions) {
      const after = wanted.get(name)
      if (after === undefined) this.#end(name, deconfigured)
      else if (needsNewSession(session.plan, after)) this.#end(name, changed)
      else session.replan(after)
    }
    for (const plan of plans) if (!this.#sessions.has(plan.name)) this.#start(plan)
  }

  /** `before` and `after`: of one Service, to one peer. */
  change(peer: string, ...change: Parameters<PeerRoutes['change']>): void {
    this.#routesTo(peer).change(...change)
  }

  flush(): void {
    for (const session of this.#sessions.values()) session.flush()
  }

  /** Passwords are read again, and new ones are used from now on; one look at a time. */
  async rekey(): Promise<void> {
    const all = [...this.#sessions.values()]
    this.#rekeying ??= Promise.all(all.map((session) => session.rekey())).finally(() => {
      this.#rekeying = undefined
    })
    await this.#rekeying
  }

  /** Every Service has been decided once. */
  begin(): void {
    if (this.#mayAnnounce) return
    this.#mayAnnounce = true
    for (const session of this.#sessions.values()) session.begin()
  }

  /** Ends once every peer has been told, or has had its time. */
  async stop(why: Notice): Promise<void> {
    for (const name of [...this.#sessions.keys()]) this.#end(name, why)
    await Promise.all(this.#leaving)
  }

  /** As `stop`, but routers that keep routes until we are back keep them. */
  async pause(why: Notice): Promise<void> {
    for (const name of [...this.#sessions.keys()]) {
      this.#leave(name, (session) => session.pause(why))
    }
    await Promise.all(this.#leaving)
  }

  #start(plan: PeerPlan): void {
    const { name } = plan
    // Later the router cannot have anything of an earlier process.
    const begun = this.#mayAnnounce ? 'anew' : 'restarted'
    const [routes, means] = [this.#routesTo(name), this.#meansFor(name)]
    const session = new PeerSession({ plan, routes, means, begun, encodings: this.#encodings })
    this.#sessions.set(name, session)
    if (this.#mayAnnounce) session.begin()
  }

  #end(name: string, why: Notice): void {
    this.#leave(name, (session) => session.stop(why))
  }

  #leave(name: string, how: (session: PeerSession) => Promise<void>): void {
    const session = this.#sessions.get(name)
    if (session === undefined) return
    this.#sessions.delete(name)
    const ended = how(session)
    this.#leaving.add(ended)
    void ended.finally(() => this.#leaving.delete(ended))
  }

  #routesTo(peer: string): PeerRoutes {
    const known = this.#routes.get(peer)
    if (known !== undefined) return known
    const routes = new PeerRoutes()
    this.#routes.set(peer, routes)
    return routes
  }
}
