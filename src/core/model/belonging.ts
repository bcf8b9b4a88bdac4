// Whose is a Service? The tenant that lists it, else its namespace's: by name, by selector (R4.1).
import { type Labels, matches } from './selector.ts'
import type { Key, ServiceView } from './service.ts'
import type { Tenant } from './tenant.ts'

export type Belonging =
  | { readonly kind: 'none' }
  | { readonly kind: 'tenant'; readonly name: string }
  | { readonly kind: 'ambiguous'; readonly names: readonly string[] }

const none: Belonging = { kind: 'none' }

/** Every namespace carries its name, also while it is not known. */
export const labelsIn = (
  namespaces: ReadonlyMap<string, { readonly labels: Labels }>,
  name: string,
): Labels => namespaces.get(name)?.labels ?? { 'kubernetes.io/metadata.name': name }

export class Belongings {
  readonly #tenants: ReadonlyMap<string, Tenant>
  readonly #labelsOf: (namespace: string) => Labels
  readonly #byService = new Map<Key, Belonging>()
  readonly #byNamespace = new Map<string, Belonging>()
  #areListsRead = false

  constructor(tenants: ReadonlyMap<string, Tenant>, labelsOf: (namespace: string) => Labels) {
    this.#tenants = tenants
    this.#labelsOf = labelsOf
  }

  of({ key, namespace }: Pick<ServiceView, 'key' | 'namespace'>): Belonging {
    if (!this.#areListsRead) this.#readLists()
    return this.#byService.get(key) ?? this.ofNamespace(namespace)
  }

  ofNamespace(namespace: string): Belonging {
    if (!this.#areListsRead) this.#readLists()
    const known = this.#byNamespace.get(namespace)
    if (known !== undefined) return known
    const labels = this.#labelsOf(namespace)
    const names = [...this.#tenants.values()]
      .filter(({ selector }) => selector !== undefined && matches(selector, labels))
      .map(({ name }) => name)
      .sort()
    const belonging = belongingOf(names)
    this.#byNamespace.set(namespace, belonging)
    return belonging
  }

  /** After any change of tenants or of namespaces' labels. */
  forget(): void {
    this.#byService.clear()
    this.#byNamespace.clear()
    this.#areListsRead = false
  }

  /** Of two tenants that list the same, the older one counts: the other was refused (R4.2). */
  #readLists(): void {
    for (const { name, namespaces, services } of byAge(this.#tenants.values())) {
      const belonging: Belonging = { kind: 'tenant', name }
      for (const key of services) if (!this.#byService.has(key)) this.#byService.set(key, belonging)
      for (const space of namespaces) {
        if (!this.#byNamespace.has(space)) this.#byNamespace.set(space, belonging)
      }
    }
    this.#areListsRead = true
  }
}

const byAge = (tenants: Iterable<Tenant>): Tenant[] =>
  [...tenants].sort((a, b) => {
    if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1
    return a.name < b.name ? -1 : 1
  })

function belongingOf(names: readonly string[]): Belonging {
  const [name] = names
  if (name === undefined) return none
  return names.length === 1 ? { kind: 'tenant', name } : { kind: 'ambiguous', names }
}
