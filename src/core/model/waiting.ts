// Who waits for what? Services with the same request wait in one line, oldest first; what is freed
// concerns the first of a line, and whoever leaves a line wakes the next.
import type { Ip } from '../net/ip.ts'
import type { Key } from './service.ts'
import { goesBefore, type Ranked } from './serviceQueue.ts'
import { countUpTo } from './space.ts'

export type Wait = {
  /** What the Service asks for by itself. */
  readonly requestKey: string
  /** Equal for Services that the same change would serve. */
  readonly lineKey: string
  readonly pools: readonly string[]
  readonly addresses: readonly Ip[]
  /** Set when more room in this tenant's quota may serve it. */
  readonly tenant: string
}

/** With whom it may share an address; equal in the whole line, empty for nobody. */
export type Waiter = Ranked & { readonly group: string }
type Line = { readonly wait: Wait; readonly group: string; readonly waiters: Waiter[] }

/** What policy may ask. */
export type ReadonlyWaiting = {
  has(key: Key): boolean
  keys(): IterableIterator<Key>
  lineKeyOf(key: Key): string | undefined
  requestKeyOf(key: Key): string | undefined
}

export class Waiting implements ReadonlyWaiting {
  readonly #waits = new Map<Key, { readonly lineKey: string; readonly waiter: Waiter }>()
  readonly #lines = new Map<string, Line>()
  /** For each pool the first of every line, in the order of the queue. */
  readonly #heads = new Map<string, Waiter[]>()
  readonly #byGroup = new Map<string, Set<string>>()
  readonly #limitedByPool = new Map<string, Set<string>>()
  readonly #byAddress = new Map<Ip, Set<string>>()
  readonly #byTenant = new Map<string, Set<string>>()

  has(key: Key): boolean {
    return this.#waits.has(key)
  }

  keys(): IterableIterator<Key> {
    return this.#waits.keys()
  }

  lineKeyOf(key: Key): string | undefined {
    return this.#waits.get(key)?.lineKey
  }

  requestKeyOf(key: Key): string | undefined {
    return this.#lineOf(key)?.wait.requestKey
  }

  /** Answers who is first now in the line that the Service left, if it left one. */
  enter(waiter: Waiter, wait: Wait): Key | undefined {
    const known = this.#waits.get(waiter.key)
    if (known?.lineKey === wait.lineKey && known.waiter.holds === waiter.holds) return undefined
    const next = this.leave(waiter.key)
    const line = this.#lines.get(wait.lineKey) ?? this.#open(wait, waiter.group)
    const at = countUpTo(line.waiters, (other) => isOlder(other, waiter))
    this.#change(line, () => line.waiters.splice(at, 0, waiter))
    this.#waits.set(waiter.key, { lineKey: wait.lineKey, waiter })
    return next
  }

  leave(key: Key): Key | undefined {
    const known = this.#waits.get(key)
    if (known === undefined) return undefined
    this.#waits.delete(key)
    const line = this.#lines.get(known.lineKey)
    if (line === undefined) return undefined
    const at = countUpTo(line.waiters, (other) => isOlder(other, known.waiter))
    this.#change(line, () => line.waiters.splice(at, 1))
    if (line.waiters.length === 0) this.#close(line)
    return line.waiters[0]?.key
  }

  /** The first of every line that waits for something of the pool. */
  onPool(name: string): Key[] {
    return (this.#heads.get(name) ?? []).map(({ key }) => key)
  }

  /** Those that somebody waits for. */
  pools(): readonly string[] {
    return [...this.#heads.keys()]
  }

  /** Who is asked first when an address becomes free there, and who next. */
  nextOnPool(name: string, last?: Waiter): Waiter | undefined {
    const heads = this.#heads.get(name) ?? []
    return heads[last === undefined ? 0 : countUpTo(heads, (head) => !goesBefore(last, head))]
  }

  /** Those whom a quota holds back there: once the pool has run full, that is not why (R7). */
  onFullPool(name: string): Key[] {
    return this.#firstOf(this.#limitedByPool.get(name))
  }

  /** The first of every line that may share an address of that group. */
  onGroup(pool: string, group: string): Key[] {
    return this.#firstOf(this.#byGroup.get(groupIn(pool, group)))
  }

  onAddress(ip: Ip): Key[] {
    return this.#firstOf(this.#byAddress.get(ip))
  }

  onQuota(tenant: string): Key[] {
    return this.#firstOf(this.#byTenant.get(tenant))
  }

  #firstOf(lineKeys: Iterable<string> | undefined): Key[] {
    return [...(lineKeys ?? [])].flatMap(
      (lineKey) => this.#lines.get(lineKey)?.waiters[0]?.key ?? [],
    )
  }

  #lineOf(key: Key): Line | undefined {
    const lineKey = this.lineKeyOf(key)
    return lineKey === undefined ? undefined : this.#lines.get(lineKey)
  }

  /** Whoever is the first of a line stands for it in front of its pools. */
  #change({ wait, waiters }: Line, change: () => void): void {
    const [before] = waiters
    change()
    const [after] = waiters
    if (before === after) return
    for (const pool of wait.pools) {
      const heads = this.#heads.get(pool) ?? []
      if (before !== undefined) heads.splice(placeOf(before, heads), 1)
      if (after !== undefined) heads.splice(placeOf(after, heads), 0, after)
      if (heads.length === 0) this.#heads.delete(pool)
      else this.#heads.set(pool, heads)
    }
  }

  #open(wait: Wait, group: string): Line {
    const line = { wait, group, waiters: [] }
    this.#lines.set(wait.lineKey, line)
    for (const pool of wait.pools) {
      if (group !== '') add(this.#byGroup, groupIn(pool, group), wait.lineKey)
      if (wait.tenant !== '') add(this.#limitedByPool, pool, wait.lineKey)
    }
    for (const ip of wait.addresses) add(this.#byAddress, ip, wait.lineKey)
    if (wait.tenant !== '') add(this.#byTenant, wait.tenant, wait.lineKey)
    return line
  }

  #close({ wait, group }: Line): void {
    this.#lines.delete(wait.lineKey)
    for (const pool of wait.pools) {
      remove(this.#byGroup, groupIn(pool, group), wait.lineKey)
      remove(this.#limitedByPool, pool, wait.lineKey)
    }
    for (const ip of wait.addresses) remove(this.#byAddress, ip, wait.lineKey)
    if (wait.tenant !== '') remove(this.#byTenant, wait.tenant, wait.lineKey)
  }
}

const groupIn = (pool: string, group: string): string => `${pool}\n${group}`

const placeOf = (waiter: Waiter, heads: readonly Waiter[]): number =>
  countUpTo(heads, (head) => goesBefore(head, waiter))

const isOlder = (one: Waiter, other: Waiter): boolean =>
  one.createdAt === other.createdAt ? one.key < other.key : one.createdAt < other.createdAt

function add<K>(index: Map<K, Set<string>>, key: K, lineKey: string): void {
  const known = index.get(key)
  if (known === undefined) index.set(key, new Set([lineKey]))
  else known.add(lineKey)
}

function remove<K>(index: Map<K, Set<string>>, key: K, lineKey: string): void {
  const known = index.get(key)
  known?.delete(lineKey)
  if (known?.size === 0) index.delete(key)
}
