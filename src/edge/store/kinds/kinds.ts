// Which kinds are served right now? The built-in ones, and those that definitions added.
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields } from '../../kube/decode/fields.ts'
import { builtInKinds } from './builtIn.ts'
import { crdKind } from './crdKind.ts'
import { resourceOf, type ServedVersion, type StoredKind } from './storedKind.ts'

export type Found = { readonly kind: StoredKind; readonly version: ServedVersion }

export class Kinds {
  readonly #byResource = new Map(builtInKinds.map((kind) => [resourceOf(kind), kind]))
  readonly #going = new Set<string>()
  readonly #listeners = new Set<() => void>()
  #sorted: readonly StoredKind[] | undefined
  #generation = 0

  /** Counts up with every change: what is made from all kinds is good for one generation. */
  get generation(): number {
    return this.#generation
  }

  /** Built-in kinds first, then by group and plural. */
  all(): readonly StoredKind[] {
    this.#sorted ??= [...this.#byResource.values()].sort(byPlace)
    return this.#sorted
  }

  find(group: string, version: string, plural: string): Found | undefined {
    const kind = this.#byResource.get(resourceOf({ group, plural }))
    const served = kind?.versions.find(({ name }) => name === version)
    return kind === undefined || served === undefined ? undefined : { kind, version: served }
  }

  /** By what objects are kept under. */
  get(resource: string): StoredKind | undefined {
    return this.#byResource.get(resource)
  }

  /** By what an owner reference or a manifest calls it. */
  named(group: string, kind: string): StoredKind | undefined {
    return this.all().find((one) => one.group === group && one.kind === kind)
  }

  /** Whether its definition is being withdrawn: nothing new may come. */
  isGoing(kind: StoredKind): boolean {
    return this.#going.has(resourceOf(kind))
  }

  /** Told after every change; the answer ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A definition as it is stored; what cannot be served (any more) is not. Built-in kinds stay. */
  define(definition: JsonObject): void {
    const metadata = new Fields(definition, []).inner('metadata')
    const name = metadata.text('name')
    const before = this.#byResource.get(name)
    if (before?.isBuiltIn === true) return
    if (metadata.has('deletionTimestamp')) this.#going.add(name)
    const kind = crdKind(definition)
    if (kind === undefined) this.forget(name)
    // The same kind stays the same value: who watches it need not begin again.
    else if (!isDeepStrictEqual(kind, before)) {
      this.#change(() => this.#byResource.set(name, kind))
    }
  }

  /** By the name of its definition, which is its resource; built-in kinds stay. */
  forget(resource: string): void {
    this.#going.delete(resource)
    if (this.#byResource.get(resource)?.isBuiltIn !== false) return
    this.#change(() => this.#byResource.delete(resource))
  }

  #change(apply: () => void): void {
    apply()
    this.#generation += 1
    this.#sorted = undefined
    for (const listener of this.#listeners) listener()
  }
}

function byPlace(one: StoredKind, other: StoredKind): number {
  if (one.isBuiltIn !== other.isBuiltIn) return one.isBuiltIn ? -1 : 1
  if (one.group !== other.group) return one.group < other.group ? -1 : 1
  return one.plural < other.plural ? -1 : 1
}
