// Which pools and tenants are there but cannot be used, with no earlier version known? After a
// restart nobody can tell what they were, so what was given from them is left as it is (P2).
import type { Pool } from './pool.ts'
import type { Key, ServiceView } from './service.ts'
import type { Kind } from './view.ts'
import type { Claimed } from './viewStore.ts'

type Surroundings = {
  readonly pools: ReadonlyMap<string, Pool>
  readonly services: ReadonlyMap<Key, ServiceView>
  readonly claimsOf: (service: ServiceView) => readonly Claimed[]
}

export type InertObject = {
  readonly kind: Kind
  readonly key: string
  /** Of a pool: the names beside its own that it answers to (R1.1), as far as they can be read. */
  readonly serves?: readonly string[]
}

/** What policy may ask. */
export type ReadonlyInert = {
  has(kind: Kind, key: string): boolean
  hasAny(kind: Kind): boolean
  /** Whether that pool is one of them and answers to the name beside its own. */
  serves(pool: string, name: string): boolean
  /** Whether what the Service has came from one of them. */
  isInDoubt(service: ServiceView): boolean
  /** As recorded with the Service (R1.4), else with its address. */
  poolOf(service: ServiceView): string
}

export class Inert implements ReadonlyInert {
  readonly #around: Surroundings
  /** With the names that each serves. */
  readonly #objects = new Map<string, readonly string[]>()

  constructor(around: Surroundings) {
    this.#around = around
  }

  has(kind: Kind, key: string): boolean {
    return this.#objects.has(idOf(kind, key))
  }

  hasAny(kind: Kind): boolean {
    return [...this.#objects.keys()].some((id) => id.startsWith(`${kind}/`))
  }

  add({ kind, key, serves = [] }: InertObject): void {
    this.#objects.set(idOf(kind, key), serves)
  }

  serves(pool: string, name: string): boolean {
    return this.#objects.get(idOf('IPAddressPool', pool))?.includes(name) === true
  }

  /** It can be used now, or is gone; answers the Services that were in doubt until then. */
  end(kind: Kind, key: string): readonly Key[] {
    if (!this.has(kind, key)) return []
    const all = [...this.#around.services.values()]
    const doubted = all.filter((service) => this.isInDoubt(service)).map((service) => service.key)
    this.#objects.delete(idOf(kind, key))
    return doubted
  }

  isInDoubt(service: ServiceView): boolean {
    if (this.#objects.size === 0) return false
    const name = this.poolOf(service)
    const pool = this.#around.pools.get(name)
    if (pool === undefined) return this.has('IPAddressPool', name)
    return pool.tenant !== '' && this.has('Tenant', pool.tenant)
  }

  poolOf(service: ServiceView): string {
    return service.recordedPool || (this.#around.claimsOf(service)[0]?.address.pool ?? '')
  }
}

const idOf = (kind: Kind, key: string): string => `${kind}/${key}`
