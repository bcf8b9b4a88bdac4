// Would we have decided as MetalLB did? Our decisions beside what its controller wrote; where they
// differ the World goes on from what is written, so that one difference does not breed others.
import type { Key, ServiceView } from '../../core/model/service.ts'
import type { Intent, World } from '../../core/model/world.ts'
import type { Ip } from '../../core/net/ip.ts'
import type { Decided } from '../../core/policy/decided.ts'
import type { Decider } from '../../core/policy/decider.ts'
import { deciders as all } from '../../core/policy/deciders.ts'
import { WorkQueue } from '../../core/policy/workQueue.ts'
import { type GuardedDecider, guardedDecider } from './guardedDecider.ts'
import type { Troubles } from './troubles.ts'

type ShadowParts = {
  readonly world: World
  readonly nowMs: () => number
  readonly troubles: Troubles
  readonly deciders?: readonly Decider[]
}

type Difference = {
  readonly service: Key
  readonly written: readonly Ip[]
  readonly decided: readonly Ip[]
  readonly why: string
}
type Expected = { readonly ips: readonly Ip[]; readonly sinceMs: number; readonly why: string }

/** The other controller needs time too, above all after a start. */
const patienceMs = 10_000

export class Shadow {
  readonly #world: World
  readonly #nowMs: () => number
  readonly #troubles: Troubles
  readonly #deciding: readonly { readonly decider: GuardedDecider; readonly queue: WorkQueue }[]
  /** What we gave to Services that show nothing yet. */
  readonly #expected = new Map<Key, Expected>()
  /** What has been told of each, so that it is told once. */
  readonly #told = new Map<Key, string>()

  constructor({ world, nowMs, troubles, deciders = all }: ShadowParts) {
    this.#world = world
    this.#nowMs = nowMs
    this.#troubles = troubles
    this.#deciding = deciders.map((one) => {
      const decider = guardedDecider(one, troubles)
      return { decider, queue: new WorkQueue(world, decider) }
    })
  }

  /** How many Services we would serve otherwise than they are served. */
  get differing(): number {
    return this.#told.size
  }

  /** Whatever is due is decided, and nothing written; answers what differs and is not told yet. */
  round(): Difference[] {
    const found: Difference[] = []
    for (const { decider, queue } of this.#deciding) {
      for (const key of queue.take()) {
        if (decider.wakes === 'queue') this.#dropIfWritten(key)
        const decided = decider.decide(this.#world, key)
        if (decided === undefined) continue
        this.#troubles.over(decider.name, `${decider.kind} ${key}`)
        const { intent, events = [] } = decided
        if (intent !== undefined && this.#world.putsOff(intent)) continue
        if (intent !== undefined) found.push(...this.#enter(intent, events))
      }
    }
    return found
  }

  /** What we would have given counts until something is written. */
  #dropIfWritten(service: Key): void {
    const { ingress = [] } = this.#world.services.get(service) ?? {}
    if (ingress.length > 0) this.#world.apply({ type: 'drop', service })
  }

  /** Services that got an address here and nowhere else, for too long. */
  overdue(): Difference[] {
    const latest = this.#nowMs() - patienceMs
    const late = [...this.#expected].filter(([, { sinceMs }]) => sinceMs <= latest)
    return late.flatMap(([service, { ips, why }]) =>
      this.#tell({ service, written: [], decided: ips, why }),
    )
  }

  /** Others decide the same from what Services hold, so that only these are compared. */
  #enter(intent: Intent, events: NonNullable<Decided['events']>): Difference[] {
    const { service: key } = intent
    const service = this.#world.services.get(key)
    if (service === undefined || !this.#world.isOurs(service)) {
      this.#forget(key)
      this.#world.apply({ type: 'intent', intent })
      return []
    }
    const why = events.map(({ message }) => message).join('; ')
    if (service.ingress.length > 0) return this.#compare(service, intent.ips, why)
    this.#world.apply({ type: 'intent', intent })
    const before = this.#expected.get(key)
    if (intent.ips.length === 0) this.#forget(key)
    else if (before === undefined || !same(before.ips, intent.ips)) {
      const given = 'no address has been written for it'
      this.#expected.set(key, { ips: intent.ips, sinceMs: this.#nowMs(), why: given })
    }
    return []
  }

  #compare({ key, ingress }: ServiceView, decided: readonly Ip[], why: string): Difference[] {
    const expected = this.#expected.get(key)
    this.#expected.delete(key)
    if (!same(decided, ingress)) return this.#tell({ service: key, written: ingress, decided, why })
    this.#told.delete(key)
    if (expected === undefined || same(expected.ips, ingress)) return []
    // Another choice that we would keep all the same: told, and not counted from then on.
    const chosen = 'another address has been chosen'
    return [{ service: key, written: ingress, decided: expected.ips, why: chosen }]
  }

  #tell(difference: Difference): Difference[] {
    const { service, written, decided } = difference
    const text = `${written} ${decided}`
    if (this.#told.get(service) === text) return []
    this.#told.set(service, text)
    return [difference]
  }

  #forget(key: Key): void {
    this.#expected.delete(key)
    this.#told.delete(key)
  }
}

/** Order is not compared: MetalLB writes families as it finds them. */
const same = (one: readonly Ip[], other: readonly Ip[]): boolean =>
  one.length === other.length && one.every((ip) => other.includes(ip))
