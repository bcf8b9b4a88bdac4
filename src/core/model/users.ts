// Which objects have an address on a wire, and in whose pools does that count? What a tenant's
// namespace says does not count in the pool of another tenant. Thousands of objects can name one.

export class Users {
  /** By object: the tenant whose namespace says so, or ''. */
  readonly #tenants = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  /** By tenant of a pool; until something changes. */
  readonly #first = new Map<string, string | undefined>()

  get size(): number {
    return this.#tenants.size
  }

  put(object: string, tenant: string): void {
    this.delete(object)
    this.#first.clear()
    this.#tenants.set(object, tenant)
    this.#counts.set(tenant, (this.#counts.get(tenant) ?? 0) + 1)
  }

  delete(object: string): void {
    const tenant = this.#tenants.get(object)
    if (tenant === undefined) return
    this.#first.clear()
    this.#tenants.delete(object)
    const left = (this.#counts.get(tenant) ?? 1) - 1
    if (left === 0) this.#counts.delete(tenant)
    else this.#counts.set(tenant, left)
  }

  /** Whether any counts in a pool of the tenant; '' is a pool of all. */
  countIn(tenant: string): boolean {
    if (tenant === '') return this.size > 0
    return this.#counts.has('') || this.#counts.has(tenant)
  }

  *of(tenant: string): Generator<string, void> {
    for (const [object, theirs] of this.#tenants) {
      if (theirs === '' || tenant === '' || theirs === tenant) yield object
    }
  }

  /** By text. */
  firstOf(tenant: string): string | undefined {
    if (!this.#first.has(tenant)) this.#first.set(tenant, least(this.of(tenant)))
    return this.#first.get(tenant)
  }
}

function least(texts: Iterable<string>): string | undefined {
  let found: string | undefined
  for (const text of texts) if (found === undefined || text < found) found = text
  return found
}
