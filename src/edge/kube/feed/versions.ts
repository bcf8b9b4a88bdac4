// Is what a watch tells newer than what we know? The reply to a write arrives before its event, and
// older events must not undo it.
import { type Kind, keyOf, type View } from '../../../core/model/view.ts'
import { Fields } from '../decode/fields.ts'

/** What a feed asks. */
export type FeedVersions = Pick<
  Versions,
  'isNews' | 'isEcho' | 'isOldDeletion' | 'deleted' | 'forget' | 'listing' | 'listed'
>

export class Versions {
  /** By kind, so that the keys are those of the views and no texts of their own. */
  readonly #known = new Map<Kind, Map<string, number>>()
  readonly #replied = new Map<Kind, Map<string, number>>()
  /** Up to this version the watch has shown everything, also what was deleted. */
  readonly #shown = new Map<Kind, number>()

  /** Answers whether the object is newer than the last one seen, and remembers it. */
  isNews(view: View, json: unknown): boolean {
    const [versions, key, version] = [this.#of(view.kind), keyOf(view), versionOf(json)]
    const known = versions.get(key)
    if (known !== undefined && version !== undefined && version <= known) return false
    if (version !== undefined) versions.set(key, version)
    return true
  }

  /**
   * The same of an object that a write or read of ours answered: the watch may have shown since
   * that it is gone again.
   */
  isNewsAnswered(view: View, json: unknown): boolean {
    const { kind } = view
    const [key, version] = [keyOf(view), versionOf(json) ?? Number.POSITIVE_INFINITY]
    const isGone = !this.#of(kind).has(key) && version <= (this.#shown.get(kind) ?? 0)
    if (isGone) return false
    this.#replied.get(kind)?.set(key, version)
    return this.isNews(view, json)
  }

  /** The same for an object that is not decoded yet; false also where its key cannot be told. */
  isEcho(kind: Kind, json: unknown): boolean {
    const metadata = new Fields(json, []).inner('metadata')
    const [namespace, name] = [metadata.text('namespace'), metadata.text('name')]
    const known = this.#of(kind).get(namespace === '' ? name : `${namespace}/${name}`)
    const version = versionOf(json)
    return known !== undefined && version !== undefined && version <= known
  }

  /** A deletion is older news when the object has been made again since. */
  isOldDeletion(kind: Kind, key: string, json: unknown): boolean {
    const [known, version] = [this.#of(kind).get(key), versionOf(json)]
    return known !== undefined && version !== undefined && version < known
  }

  /** The newest version that we know of. */
  known(kind: Kind, key: string): number | undefined {
    return this.#of(kind).get(key)
  }

  /**
   * Gone by our own knowledge: events from before are no news, a new object is. Answers false when
   * another version has come than was known as of then: it may have been made again meanwhile.
   */
  gone(kind: Kind, key: string, asOf: number | undefined): boolean {
    const known = this.known(kind, key)
    if (known !== asOf) return false
    if (known !== undefined) this.#of(kind).set(key, known + 1)
    return true
  }

  /** As the watch says. */
  deleted(kind: Kind, key: string, json: unknown): void {
    const shown = this.#shown.get(kind) ?? 0
    this.#shown.set(kind, Math.max(shown, versionOf(json) ?? 0))
    this.forget(kind, key)
  }

  forget(kind: Kind, key: string): void {
    this.#of(kind).delete(key)
  }

  /** From here on until `listed`, objects that a write or read of ours answered are noted. */
  listing(kind: Kind): void {
    this.#replied.set(kind, new Map())
  }

  /** The keys that a list of that version lacks although they are there: they were made since. */
  listed(kind: Kind, resourceVersion: string): ReadonlySet<string> {
    const replied = this.#replied.get(kind) ?? new Map<string, number>()
    const asOf = numberOf(resourceVersion) ?? 0
    this.#replied.delete(kind)
    this.#shown.set(kind, asOf)
    return new Set([...replied].filter(([, version]) => version > asOf).map(([key]) => key))
  }

  #of(kind: Kind): Map<string, number> {
    const known = this.#known.get(kind) ?? new Map<string, number>()
    this.#known.set(kind, known)
    return known
  }
}

const nothing: ReadonlySet<string> = new Set()

/** For who writes none of what it watches: lists and events come in order, and all is news. */
export const unwritten: FeedVersions = {
  isNews: () => true,
  isEcho: () => false,
  isOldDeletion: () => false,
  deleted: () => undefined,
  forget: () => undefined,
  listing: () => undefined,
  listed: () => nothing,
}

/** Versions of one kind are numbers that grow; Kubernetes says so since 1.35, etcd always did. */
function versionOf(json: unknown): number | undefined {
  return numberOf(new Fields(json, []).inner('metadata').text('resourceVersion'))
}

function numberOf(text: string): number | undefined {
  const version = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(version) ? version : undefined
}
