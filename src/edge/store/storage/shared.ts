// Which values are there many times? They are made once and shared: namespaces, labels, nothing.
import type { Stored } from './stored.ts'

/** What an object is searched by. */
export type Tags = Pick<Stored, 'labels' | 'fields' | 'owners'>
/** What many objects have in common. */
export type Common = Tags & Pick<Stored, 'resource' | 'namespace'>

/** As it is written to disk; equal texts share one value in memory. */
export const tagsText = ({ labels, fields, owners }: Tags): string =>
  JSON.stringify([labels, fields, owners])

type WrittenTags = [Tags['labels'], Tags['fields'], Tags['owners']]

/** Frozen, since many objects have it. */
export function tagsFrom(text: string): Tags {
  const [labels, fields, owners] = JSON.parse(text) as WrittenTags
  return {
    labels: Object.freeze(labels),
    fields: Object.freeze(fields),
    owners: Object.freeze(owners),
  }
}

export class Shared<T> {
  readonly #made = new Map<string, T>()
  readonly #make: (text: string) => T
  readonly #most: number

  constructor(make: (text: string) => T, most = 4096) {
    this.#make = make
    this.#most = most
  }

  /** When there are too many kinds of it all are forgotten: values then are made again, no more. */
  of(text: string): T {
    const known = this.#made.get(text)
    if (known !== undefined) return known
    if (this.#made.size === this.#most) this.#made.clear()
    const made = this.#make(text)
    this.#made.set(text, made)
    return made
  }
}
