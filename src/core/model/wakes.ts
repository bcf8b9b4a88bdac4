// Whom does a change concern? Those are woken, to be decided again in order, and nobody else.
import type { Family, Ip } from '../net/ip.ts'
import type { Belonging } from './belonging.ts'
import type { Ledger } from './ledger.ts'
import type { Pinned } from './pinned.ts'
import type { Pool } from './pool.ts'
import type { PoolLedger } from './poolLedger.ts'
import { mayConcern } from './poolSense.ts'
import type { Key, ServiceView } from './service.ts'
import type { ServiceQueue } from './serviceQueue.ts'
import type { Slot } from './slot.ts'
import type { Waiter, Waiting } from './waiting.ts'

type Known = {
  readonly services: ReadonlyMap<Key, ServiceView>
  readonly ledger: Ledger
  readonly waiting: Waiting
  readonly queue: ServiceQueue
  readonly pinned: Pinned
  readonly tenantOf: (service: ServiceView) => Belonging
}

export class Wakes {
  readonly #known: Known

  constructor(known: Known) {
    this.#known = known
  }

  wake(key: Key): void {
    const { services, queue, pinned } = this.#known
    const service = services.get(key)
    if (service === undefined) return
    const holds = this.#holds(service)
    queue.push(key, { holds, createdAt: service.createdAt })
    if (holds || !pinned.asksForOne(service)) return
    queue.pin(key, service.createdAt, () => {
      const now = services.get(key)
      return now !== undefined && pinned.mayGoFirst(now)
    })
  }

  /** Services that ask for a specific address come before one that moves to any address (R2.4). */
  putsOff(key: Key): boolean {
    const service = this.#known.services.get(key)
    if (service === undefined || !this.#holds(service)) return false
    return this.#known.queue.putOff(key, service.createdAt)
  }

  /** One that shows an unrecorded address may keep it, so it comes before those without (R3.5). */
  #holds({ key, ingress }: ServiceView): boolean {
    return this.#known.ledger.holding(key) !== undefined || ingress.length > 0
  }

  /** A whole address, or a port of one that may be shared. */
  freed(slot: Slot): void {
    const { waiting } = this.#known
    const { pool, reservation, reflected } = slot
    this.#wakeAll(waiting.onAddress(slot.ip))
    if (reservation?.reservedFor !== undefined) this.wake(reservation.reservedFor)
    if (slot.isMixed) this.#wakeAll(slot.holders.keys())
    if (pool === undefined) return
    this.#wakeIfTurned(pool, slot.family)
    this.#wakeAll(waiting.onGroup(pool.pool.name, reflected.group))
    if (!reflected.isTaken) this.#offer(pool.pool.name, slot.family)
  }

  /** Services that wait for it, or for a quota, now wait for another reason; sharers may join. */
  taken(ip: Ip, by?: Key): void {
    const { waiting, ledger } = this.#known
    const others = (keys: readonly Key[]) => keys.filter((key) => key !== by)
    this.#wakeAll(others(waiting.onAddress(ip)))
    const slot = ledger.slot(ip)
    if (slot?.pool === undefined) return
    const { pool, reservation, reflected, family } = slot
    if (pool.isFull(family)) this.#wakeAll(waiting.onFullPool(pool.pool.name))
    if (slot.holders.size > 1) return
    if (reservation?.reservedFor !== undefined) this.#wakeAll(others([reservation.reservedFor]))
    this.#wakeIfTurned(pool, family)
    this.#wakeAll(others(waiting.onGroup(pool.pool.name, reflected.group)))
  }

  /** Their pool or its tenant has changed. */
  concernedOn(slots: Iterable<Slot>): void {
    for (const { holders, reservation } of slots) {
      this.#wakeAll(holders.keys())
      if (reservation?.reservedFor !== undefined) this.wake(reservation.reservedFor)
    }
  }

  waitersFor(pools: readonly (Pool | undefined)[]): void {
    const { waiting, services, tenantOf } = this.#known
    const changed = pools.filter((pool) => pool !== undefined)
    for (const key of waiting.keys()) {
      const service = services.get(key)
      if (service === undefined) continue
      const belonging = tenantOf(service)
      if (changed.some((pool) => mayConcern(pool, service, belonging))) this.wake(key)
    }
  }

  #wakeAll(keys: Iterable<Key>): void {
    for (const key of keys) this.wake(key)
  }

  /** Everybody in front of the pool says whether addresses are held back there (R7). */
  #wakeIfTurned(pool: PoolLedger, family: Family): void {
    if (pool.turnedHeldBack(family)) this.#wakeAll(this.#known.waiting.onPool(pool.pool.name))
  }

  /**
   * One address serves one Service: the first in front of the pool is asked, and the one after it
   * only if there is still something left by then, whatever became of the first.
   */
  #offer(pool: string, family: Family, last?: Waiter): void {
    const { waiting, ledger, queue } = this.#known
    const next = waiting.nextOnPool(pool, last)
    if (next === undefined) return
    queue.ask(`${family} ${pool}`, next, () => {
      if (ledger.pool(pool)?.isFull(family) !== false) return false
      this.#offer(pool, family, next)
      return waiting.has(next.key)
    })
  }
}
