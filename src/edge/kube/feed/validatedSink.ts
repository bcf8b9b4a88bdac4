// Which objects of the configuration count? Those that claim nothing that another one has, in the
// order of R9.2; the rest do nothing and say why, until what stood in their way is gone (P6).

import type { Check } from '../../../core/model/admission.ts'
import { errorsText } from '../../../core/model/fieldError.ts'
import type { InertObject } from '../../../core/model/inert.ts'
import { type Kind, keyOf, objectOf, type View } from '../../../core/model/view.ts'
import type { World } from '../../../core/model/world.ts'

/** An object that cannot be read as what it should be. */
export type Unread = InertObject & { readonly why: string }

/** Where the views of a kind go. */
export type Sink = {
  readonly has: (kind: Kind, key: string) => boolean
  readonly keys: (kind: Kind) => readonly string[]
  readonly put: (view: View) => void
  /** Somebody deleted it. */
  readonly drop: (kind: Kind, key: string) => void
  /** It is no longer there, and nobody was seen to delete it. */
  readonly lose: (kind: Kind, key: string) => void
  readonly refuse: (unread: Unread) => void
  /** Whether the API serves a kind that need not be there. */
  readonly serve?: (kind: Kind, isServed: boolean) => void
}

export const plainSink = (world: World): Sink => ({
  has: (kind, key) => world.all(kind).has(key),
  keys: (kind) => [...world.all(kind).keys()],
  put: (view) => world.apply({ type: 'upsert', view }),
  drop: (kind, key) => world.apply({ type: 'delete', kind, key }),
  lose: (kind, key) => world.apply({ type: 'lose', kind, key }),
  refuse: ({ kind, key }) => world.apply({ type: 'delete', kind, key }),
  serve: (kind, isServed) => world.apply({ type: 'served', kind, isServed }),
})

/** What an Address says of a Service counts until that Service has been decided (R3.12). */
export function enter(world: World, view: View): void {
  world.apply({ type: 'upsert', view })
  if (view.kind !== 'Address') return
  for (const { namespace, name } of view.holders) world.wake(`${namespace}/${name}`)
}

type Refused = { readonly view: View | undefined; readonly why: string }

export class ValidatedSink implements Sink {
  readonly #world: World
  readonly #check: Check
  readonly #refused = new Map<string, Refused>()
  /** Until all of them are known: then the order of age decides, not that of arrival. */
  #early: Map<string, View> | undefined = new Map()

  constructor(world: World, check: Check) {
    this.#world = world
    this.#check = check
  }

  /** One line for each object that does not count. */
  get complaints(): readonly string[] {
    return [...this.#refused.values()].map(({ why }) => why).sort()
  }

  /** All lists are in. */
  open(): void {
    const views = byAge(this.#early?.values() ?? [])
    this.#early = undefined
    for (const view of views) this.#validate(view)
  }

  has(kind: Kind, key: string): boolean {
    const id = idOf(kind, key)
    const isApart = this.#refused.has(id) || this.#early?.has(id) === true
    return isApart || this.#world.all(kind).has(key)
  }

  keys(kind: Kind): readonly string[] {
    const prefix = `${kind}/`
    const apart = [...this.#refused.keys(), ...(this.#early?.keys() ?? [])]
      .filter((id) => id.startsWith(prefix))
      .map((id) => id.slice(prefix.length))
    return [...new Set([...this.#world.all(kind).keys(), ...apart])]
  }

  put(view: View): void {
    if (this.#early !== undefined) this.#early.set(idOf(view.kind, keyOf(view)), view)
    else if (this.#validate(view)) this.#validateAgain()
  }

  drop(kind: Kind, key: string): void {
    this.#remove({ type: 'delete', kind, key })
  }

  lose(kind: Kind, key: string): void {
    this.#remove({ type: 'lose', kind, key })
  }

  #remove(change: { type: 'delete' | 'lose'; kind: Kind; key: string }): void {
    const { kind, key } = change
    const id = idOf(kind, key)
    this.#early?.delete(id)
    this.#refused.delete(id)
    const isUsed = this.#world.all(kind).has(key)
    this.#world.apply(change)
    if (isUsed) this.#validateAgain()
  }

  /** An edit that cannot be read changes nothing: what was there before still counts. */
  refuse({ why, ...object }: Unread): void {
    const { kind, key } = object
    this.#early?.delete(idOf(kind, key))
    this.#setAside(object, { view: undefined, why: `${kind}/${key}: ${why}` })
  }

  #setAside(object: InertObject, refused: Refused): void {
    const { kind, key } = object
    this.#refused.set(idOf(kind, key), refused)
    const before = this.#world.all(kind).get(key)
    if (before === undefined) this.#world.apply({ type: 'inert', ...object })
    // Nothing follows from the edit, but whoever made the object puts it back (R4.19).
    else if (before.kind !== 'Address') this.#world.apply({ type: 'upsert', view: before })
  }

  #validate(view: View): boolean {
    const { kind } = view
    const key = keyOf(view)
    const before = this.#world.all(kind).get(key)
    const errors = this.#check(this.#world, { view, before, bgpMode: 'native' })
    if (errors.length > 0) {
      const why = errorsText(errors)
      const serves = view.kind === 'IPAddressPool' ? view.serves : []
      this.#setAside({ kind, key, serves }, { view, why: `${objectOf(view)}: ${why}` })
      return false
    }
    this.#refused.delete(idOf(kind, key))
    enter(this.#world, view)
    return true
  }

  #validateAgain(): void {
    const views = [...this.#refused.values()].flatMap(({ view }) => view ?? [])
    for (const view of byAge(views)) this.#validate(view)
  }
}

const idOf = (kind: Kind, key: string): string => `${kind}/${key}`

/** A pool that never counted has no status; then by age. */
function byAge(views: Iterable<View>): View[] {
  const isNew = (view: View) => (view.kind === 'IPAddressPool' && !view.status ? '1' : '0')
  const age = (view: View) => ('createdAt' in view ? view.createdAt : '')
  const text = (view: View) => `${isNew(view)} ${age(view)} ${objectOf(view)}`
  const ranked = Array.from(views, (view) => ({ view, rank: text(view) }))
  return ranked.sort((one, other) => (one.rank < other.rank ? -1 : 1)).map(({ view }) => view)
}
