// Which kinds are served now? The built-in ones and those of applied definitions.
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../../core/model/gate.ts'
import { Fields } from '../../kube/decode/fields.ts'
import { builtInKinds } from './builtIn.ts'
import { crdKind } from './crdKind.ts'
import { resourceOf, type ServedVersion, type StoredKind } from './storedKind.ts'

export type RequestedKind = { readonly kind: StoredKind; readonly version: ServedVersion }

export class Kinds {
  readonly #byResource = new Map(builtInKinds.map((kind) => [resourceOf(kind), kind]))
  readonly #going = new Set<string>()
  readonly #listeners = new Set<() => void>()
  #sorted: readonly StoredKind[] | undefined
  #generation = 0

  /** Grows with every change; documents made from all kinds are cached for one generation. */
  get generation(): number {
    return this.#generation
  }

  /** Built-in kinds first, then by group and plural. */
  all(): readonly StoredKind[] {
    this.#sorted ??= [...this.#byResource.values()].sort(byPlace)
    return this.#sorted
  }

  find(group: string, version: string, plural: string): RequestedKind | undefined {
    const kind = this.#byResource.get(resourceOf({ group, plural }))
    const served = kind?.versions.find(({ name }) => name === version)
    return kind === undefined || served === undefined ? undefined : { kind, version: served }
  }

  /** By the resource name that objects are stored under. */
  get(resource: string): StoredKind | undefined {
    return this.#byResource.get(resource)
  }

  /** By apiVersion and kind, as in an owner reference or a manifest. */
  named(group: string, kind: string): StoredKind | undefined {
    return this.all().find((one) => one.group === group && one.kind === kind)
  }

  /** Whether its definition is being deleted; no new objects are allowed then. */
  isGoing(kind: StoredKind): boolean {
    return this.#going.has(resourceOf(kind))
  }

  /** Calls back after every change; returns a function that stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes a stored definition; one that cannot be served is removed. Built-in kinds stay. */
  define(definition: JsonObject): void {
    const metadata = new Fields(definition, []).inner('metadata')
    const name = metadata.text('name')
    const before = this.#byResource.get(name)
    if (before?.isBuiltIn === true) return
    if (metadata.has('deletionTimestamp')) this.#going.add(name)
    const kind = crdKind(definition)
    if (kind === undefined) this.forget(name)
    // An unchanged kind stays the same value, so that its watches do not have to restart.
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
