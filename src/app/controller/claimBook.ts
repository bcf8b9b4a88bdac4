// What have we written about an address that a stale reader can no longer undo? A removal counts
// only on the version of the record at which its Service had parted from it (R3.12).
import type { AddressView } from '../../core/model/address.ts'
import type { ServiceView } from '../../core/model/service.ts'

type Page = { readonly version: string; readonly parted: Set<string> }

export class ClaimBook {
  readonly #pages = new Map<string, Page>()
  /** By the record's name and the Service's uid: the Service's version. */
  readonly #claims = new Map<string, Map<string, string>>()

  /** The record was written with this version of the Service before us. */
  claim(name: string, { uid, resourceVersion }: ServiceView): void {
    const claims = this.#claims.get(name) ?? new Map<string, string>()
    this.#claims.set(name, claims.set(uid, resourceVersion))
  }

  isClaimedFor(name: string, { uid, resourceVersion }: ServiceView): boolean {
    return this.#claims.get(name)?.get(uid) === resourceVersion
  }

  /** The Service was written: whatever comes next is decided from another version. */
  settle(name: string, uid: string): void {
    const claims = this.#claims.get(name)
    claims?.delete(uid)
    if (claims?.size === 0) this.#claims.delete(name)
  }

  /** The Service was written, without the address, while the record stood at this version. */
  part({ name, resourceVersion }: AddressView, uid: string): void {
    const known = this.#pages.get(name)
    if (known?.version === resourceVersion) known.parted.add(uid)
    else this.#pages.set(name, { version: resourceVersion, parted: new Set([uid]) })
  }

  hasParted({ name, resourceVersion }: AddressView, uid: string): boolean {
    const page = this.#pages.get(name)
    return page?.version === resourceVersion && page.parted.has(uid)
  }

  /** Our own write over the version that we knew: who had parted and did not return still has. */
  follow(before: AddressView, after: AddressView): void {
    const page = this.#pages.get(before.name)
    this.#pages.delete(before.name)
    if (page?.version !== before.resourceVersion) return
    const parted = new Set(page.parted)
    for (const { uid } of after.holders) parted.delete(uid)
    if (parted.size > 0) this.#pages.set(after.name, { version: after.resourceVersion, parted })
  }

  forget(name: string): void {
    this.#pages.delete(name)
    this.#claims.delete(name)
  }
}

/**
 * Names the Service's very version, so that completing a claim that somebody else made changes the
 * record: whoever is about to remove that holder is then refused.
 */
export const claimText = ({ uid, resourceVersion }: ServiceView): string =>
  `${uid}/${resourceVersion}`
