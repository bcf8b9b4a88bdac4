// Who waits for what? Services with the same wish wait in one line, oldest first; what is freed
// wakes the first of each line that it may concern, and whoever leaves a line wakes the next.
import type { Ip } from '../net/ip.ts'
import type { Key } from './service.ts'
import { countUpTo } from './space.ts'

export type Wait = {
  /** What the Service asks for by itself. */
  readonly request: string
  /** Equal for Services that the same change would serve. */
  readonly wish: string
  readonly pools: readonly string[]
  readonly addresses: readonly Ip[]
  /** Set when more room in this tenant's quota may serve it. */
  readonly tenant: string
}

type Waiter = { readonly key: Key; readonly createdAt: string }
type Line = { readonly wait: Wait; readonly waiters: Waiter[] }

export class Waiting {
  readonly #waits = new Map<Key, { readonly wish: string; readonly waiter: Waiter }>()
  readonly #lines = new Map<string, Line>()
  readonly #byPool = new Map<string, Set<string>>()
  readonly #byAddress = new Map<Ip, Set<string>>()
  readonly #byTenant = new Map<string, Set<string>>()

  has(key: Key): boolean {
    return this.#waits.has(key)
  }

  keys(): IterableIterator<Key> {
    return this.#waits.keys()
  }

  wishOf(key: Key): string | undefined {
    return this.#waits.get(key)?.wish
  }

  requestOf(key: Key): string | undefined {
    const wish = this.wishOf(key)
    return wish === undefined ? undefined : this.#lines.get(wish)?.wait.request
  }

  /** Answers whose turn it is now in the line that the Service left, if it left one. */
  enter(waiter: Waiter, wait: Wait): Key | undefined {
    if (this.wishOf(waiter.key) === wait.wish) return undefined
    const next = this.leave(waiter.key)
    const line = this.#lines.get(wait.wish) ?? this.#open(wait)
    const at = countUpTo(line.waiters, (other) => isOlder(other, waiter))
    line.waiters.splice(at, 0, waiter)
    this.#waits.set(waiter.key, { wish: wait.wish, waiter })
    return next
  }

  leave(key: Key): Key | undefined {
    const known = this.#waits.get(key)
    if (known === undefined) return undefined
    this.#waits.delete(key)
    const line = this.#lines.get(known.wish)
    if (line === undefined) return undefined
    const at = countUpTo(line.waiters, (other) => isOlder(other, known.waiter))
    line.waiters.splice(at, 1)
    if (line.waiters.length === 0) this.#close(line.wait)
    return line.waiters[0]?.key
  }

  /** The first of every line that a free address or port there may serve. */
  onPool(name: string): Key[] {
    return this.#firstOf(this.#byPool.get(name))
  }

  /** Those whom a quota holds back there: once the pool has run full, that is not why (R7). */
  onFullPool(name: string): Key[] {
    const wishes = [...(this.#byPool.get(name) ?? [])]
    return this.#firstOf(wishes.filter((wish) => this.#lines.get(wish)?.wait.tenant !== ''))
  }

  onAddress(ip: Ip): Key[] {
    return this.#firstOf(this.#byAddress.get(ip))
  }

  onQuota(tenant: string): Key[] {
    return this.#firstOf(this.#byTenant.get(tenant))
  }

  #firstOf(wishes: Iterable<string> | undefined): Key[] {
    return [...(wishes ?? [])].flatMap((wish) => this.#lines.get(wish)?.waiters[0]?.key ?? [])
  }

  #open(wait: Wait): Line {
    const line = { wait, waiters: [] }
    this.#lines.set(wait.wish, line)
    for (const pool of wait.pools) add(this.#byPool, pool, wait.wish)
    for (const ip of wait.addresses) add(this.#byAddress, ip, wait.wish)
    if (wait.tenant !== '') add(this.#byTenant, wait.tenant, wait.wish)
    return line
  }

  #close(wait: Wait): void {
    this.#lines.delete(wait.wish)
    for (const pool of wait.pools) remove(this.#byPool, pool, wait.wish)
    for (const ip of wait.addresses) remove(this.#byAddress, ip, wait.wish)
    if (wait.tenant !== '') remove(this.#byTenant, wait.tenant, wait.wish)
  }
}

const isOlder = (one: Waiter, other: Waiter): boolean =>
  one.createdAt === other.createdAt ? one.key < other.key : one.createdAt < other.createdAt

function add<K>(index: Map<K, Set<string>>, key: K, wish: string): void {
  const known = index.get(key)
  if (known === undefined) index.set(key, new Set([wish]))
  else known.add(wish)
}

function remove<K>(index: Map<K, Set<string>>, key: K, wish: string): void {
  const known = index.get(key)
  known?.delete(wish)
  if (known?.size === 0) index.delete(key)
}
