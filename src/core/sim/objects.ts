// Where does the virtual cluster keep its objects? By kind, namespace and name, as the API would.
import { apiGroups, apiVersionOf } from '../model/apiGroups.ts'
import { type Json, recordAt, textAt } from '../model/json.ts'
import type { View } from '../model/view.ts'

type Stored = {
  readonly json: Json
  readonly view: View | undefined
  /** What the last manifest said, as kubectl apply remembers it; absent for what we made. */
  readonly manifest: Json | undefined
  /** What we applied last, as server-side apply remembers it. */
  readonly applied?: Json | undefined
}

/** Kind/namespace/name, or Kind/name. */
export function idOf(json: Json): string {
  const metadata = recordAt(json, 'metadata')
  const namespace = textAt(metadata, 'namespace')
  const name = textAt(metadata, 'name')
  const kind = textAt(json, 'kind')
  return namespace === '' ? `${kind}/${name}` : `${kind}/${namespace}/${name}`
}

export const isService = ({ kind, apiVersion }: Json): boolean =>
  kind === 'Service' && apiVersion === apiVersionOf(apiGroups.core)

export class Objects {
  readonly #stored = new Map<string, Stored>()
  readonly #byOwner = new Map<string, Set<string>>()

  get(id: string): Stored | undefined {
    return this.#stored.get(id)
  }

  put(stored: Stored): void {
    const id = idOf(stored.json)
    this.delete(id)
    this.#stored.set(id, stored)
    for (const uid of ownersOf(stored)) {
      const owned = this.#byOwner.get(uid) ?? new Set()
      this.#byOwner.set(uid, owned.add(id))
    }
  }

  delete(id: string): void {
    const stored = this.#stored.get(id)
    this.#stored.delete(id)
    for (const uid of stored === undefined ? [] : ownersOf(stored)) {
      this.#byOwner.get(uid)?.delete(id)
    }
  }

  all(): IterableIterator<Stored> {
    return this.#stored.values()
  }

  /** What the API server's garbage collector would take with the owner. */
  ownedBy(uid: string): string[] {
    return [...(this.#byOwner.get(uid) ?? [])]
  }
}

function ownersOf({ json }: Stored): string[] {
  const { ownerReferences } = recordAt(json, 'metadata')
  const owners = Array.isArray(ownerReferences) ? ownerReferences : []
  return owners.map((owner) => textAt(owner, 'uid')).filter((uid) => uid !== '')
}
