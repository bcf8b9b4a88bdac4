// Is what a watch tells newer than what we know? The reply to a write arrives before its event, and
// older events must not undo it.
import { type Kind, keyOf, type View } from '../../core/model/view.ts'
import { Fields } from '../../edge/kube/decode/fields.ts'

export class Versions {
  readonly #known = new Map<string, bigint>()

  /** Answers whether the object is at least as new as the last one seen, and remembers it. */
  isNews(view: View, json: unknown): boolean {
    const id = `${view.kind}/${keyOf(view)}`
    const version = versionOf(json)
    const known = this.#known.get(id)
    if (known !== undefined && version !== undefined && version < known) return false
    if (version !== undefined) this.#known.set(id, version)
    return true
  }

  forget(kind: Kind, key: string): void {
    this.#known.delete(`${kind}/${key}`)
  }
}

/** Versions of one kind are numbers that grow; Kubernetes says so since 1.35, etcd always did. */
function versionOf(json: unknown): bigint | undefined {
  const text = new Fields(json, []).inner('metadata').text('resourceVersion')
  return /^[0-9]+$/.test(text) ? BigInt(text) : undefined
}
