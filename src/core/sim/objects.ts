// Where does the virtual cluster keep its objects? By kind, namespace and name, as the API would.
import type { View } from '../model/view.ts'
import { type Json, recordAt, textAt } from './json.ts'

export type Stored = {
  readonly json: Json
  readonly view: View | undefined
  /** What the last manifest said, as kubectl apply remembers it; absent for what we made. */
  readonly manifest: Json | undefined
}

/** Kind/namespace/name, or Kind/name. */
export function idOf(json: Json): string {
  const metadata = recordAt(json, 'metadata')
  const namespace = textAt(metadata, 'namespace')
  const name = textAt(metadata, 'name')
  const kind = textAt(json, 'kind')
  return namespace === '' ? `${kind}/${name}` : `${kind}/${namespace}/${name}`
}

export class Objects {
  readonly #stored = new Map<string, Stored>()

  get(id: string): Stored | undefined {
    return this.#stored.get(id)
  }

  put(stored: Stored): void {
    this.#stored.set(idOf(stored.json), stored)
  }

  delete(id: string): void {
    this.#stored.delete(id)
  }

  all(): IterableIterator<Stored> {
    return this.#stored.values()
  }

  /** What the API server's garbage collector would take with the owner. */
  ownedBy(uid: string): string[] {
    const isOwned = ({ json }: Stored) => {
      const { ownerReferences } = recordAt(json, 'metadata')
      const owners = Array.isArray(ownerReferences) ? ownerReferences : []
      return owners.some((owner) => textAt(owner, 'uid') === uid)
    }
    return [...this.#stored.values()].filter(isOwned).map(({ json }) => idOf(json))
  }
}
