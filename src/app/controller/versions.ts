// Is what a watch tells newer than what we know? The reply to a write arrives before its event, and
// older events must not undo it.
import { type Kind, keyOf, type View } from '../../core/model/view.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'

export class Versions {
  readonly #known = new Map<string, bigint>()
  readonly #replied = new Map<Kind, Set<string>>()

  /** Answers whether the object is newer than the last one seen, and remembers it. */
  isNews(view: View, json: unknown): boolean {
    const id = idOf(view.kind, keyOf(view))
    const version = versionOf(json)
    const known = this.#known.get(id)
    if (known !== undefined && version !== undefined && version <= known) return false
    if (version !== undefined) this.#known.set(id, version)
    return true
  }

  /** A deletion is older news when the object has been made again since. */
  isOldDeletion(kind: Kind, key: string, json: unknown): boolean {
    const [known, version] = [this.#known.get(idOf(kind, key)), versionOf(json)]
    return known !== undefined && version !== undefined && version < known
  }

  /** Gone by our own knowledge: events from before are no news, a new object is. */
  gone(kind: Kind, key: string): void {
    const id = idOf(kind, key)
    const known = this.#known.get(id)
    if (known !== undefined) this.#known.set(id, known + 1n)
  }

  forget(kind: Kind, key: string): void {
    this.#known.delete(idOf(kind, key))
  }

  /** From here on until `listed`, objects that a write or read of ours answered are noted. */
  listing(kind: Kind): void {
    this.#replied.set(kind, new Set())
  }

  reply(view: View): void {
    this.#replied.get(view.kind)?.add(keyOf(view))
  }

  /** The keys that a list which began before may lack although they are there. */
  listed(kind: Kind): ReadonlySet<string> {
    const replied = this.#replied.get(kind) ?? new Set<string>()
    this.#replied.delete(kind)
    return replied
  }
}

const idOf = (kind: Kind, key: string): string => `${kind}/${key}`

/** Versions of one kind are numbers that grow; Kubernetes says so since 1.35, etcd always did. */
function versionOf(json: unknown): bigint | undefined {
  const text = new Fields(json, []).inner('metadata').text('resourceVersion')
  return /^[0-9]+$/.test(text) ? BigInt(text) : undefined
}
