// A document that is being changed step by step, by JSON pointers (RFC 6901); the given one stays.
import { isRecord } from '../../kube/decode/fields.ts'

type Container = Record<string, unknown> | unknown[]
type Place = { readonly parent: Container; readonly key: string }

/** Of all items that have to make room: a patch may insert 10,000 times into a list of millions. */
const maxMoved = 100_000_000

/** Each step answers whether its path led somewhere; after a No the draft is of no use. */
export class JsonDraft {
  #root: unknown
  /** Copied already, and so free to be changed: each container is copied once at most. */
  readonly #ours = new WeakSet<object>()
  #moved = 0

  constructor(root: unknown) {
    this.#root = root
  }

  get root(): unknown {
    return this.#root
  }

  /** A field that is missing reads as null, as Kubernetes has it; a missing item is a No. */
  read(path: string): { readonly value: unknown } | undefined {
    const tokens = tokensOf(path)
    if (tokens === undefined) return undefined
    let value = this.#root
    for (const token of tokens) {
      if (!isContainer(value)) return undefined
      const next = childOf(value, token)
      if (next === undefined) return undefined
      value = next.value
    }
    return { value: value ?? null }
  }

  /** In a list it goes before the item of that index, or after the last with `-`. */
  add(path: string, value: unknown): boolean {
    const place = this.#placeOf(path)
    if (place === undefined) return false
    const { parent, key } = place
    if (!Array.isArray(parent)) return setField(parent, key, value)
    const index = key === '-' ? parent.length : indexIn(parent.length + 1, key)
    if (index === undefined || !this.#mayMove(parent.length - index)) return false
    parent.splice(index, 0, value)
    return true
  }

  /** A field need not be there before: Kubernetes does not ask for that. */
  replace(path: string, value: unknown): boolean {
    if (path === '') {
      this.#root = value
      return isContainer(value)
    }
    const place = this.#placeOf(path)
    if (place === undefined) return false
    const { parent, key } = place
    if (!Array.isArray(parent)) return setField(parent, key, value)
    const index = indexIn(parent.length, key)
    if (index === undefined) return false
    parent[index] = value
    return true
  }

  remove(path: string): boolean {
    const place = this.#placeOf(path)
    if (place === undefined) return false
    const { parent, key } = place
    if (!Array.isArray(parent)) return Object.hasOwn(parent, key) && delete parent[key]
    const index = indexIn(parent.length, key)
    if (index === undefined || !this.#mayMove(parent.length - index)) return false
    parent.splice(index, 1)
    return true
  }

  #mayMove(items: number): boolean {
    this.#moved += items
    return this.#moved <= maxMoved
  }

  /** The container at the end of a path is ours then, and so are all above it. */
  #placeOf(path: string): Place | undefined {
    const tokens = tokensOf(path)
    const key = tokens?.pop()
    if (tokens === undefined || key === undefined) return undefined
    let parent = this.#owned(this.#root)
    this.#root = parent
    for (const token of tokens) {
      if (parent === undefined) return undefined
      const child = this.#owned(childOf(parent, token)?.value)
      if (child === undefined) return undefined
      if (Array.isArray(parent)) parent[indexIn(parent.length, token) ?? 0] = child
      else setField(parent, token, child)
      parent = child
    }
    return parent && { parent, key }
  }

  #owned(value: unknown): Container | undefined {
    if (this.#isOurs(value)) return value
    if (!isContainer(value)) return undefined
    const copy = Array.isArray(value) ? [...value] : { ...value }
    this.#ours.add(copy)
    return copy
  }

  #isOurs(value: unknown): value is Container {
    return typeof value === 'object' && value !== null && this.#ours.has(value)
  }
}

type Readable = Readonly<Record<string, unknown>> | readonly unknown[]

const isContainer = (value: unknown): value is Readable => isRecord(value) || Array.isArray(value)

/** A field may be called `__proto__`, so plain assignment will not do. */
const setField = (object: Record<string, unknown>, name: string, value: unknown): boolean =>
  Reflect.defineProperty(object, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })

/** Undefined when it is no pointer. */
function tokensOf(path: string): string[] | undefined {
  if (path === '') return []
  const [first, ...tokens] = path.split('/')
  if (first !== '') return undefined
  return tokens.map((token) => token.replace(/~[01]/g, (code) => (code === '~1' ? '/' : '~')))
}

function childOf(container: Readable, token: string): { readonly value: unknown } | undefined {
  if (isRecord(container)) {
    return { value: Object.hasOwn(container, token) ? container[token] : undefined }
  }
  const index = indexIn(container.length, token)
  return index === undefined ? undefined : { value: container[index] }
}

/** Negative ones count from the end, as Kubernetes allows. */
function indexIn(length: number, token: string): number | undefined {
  if (!/^[+-]?[0-9]+$/.test(token)) return undefined
  const index = Number(token) < 0 ? Number(token) + length : Number(token)
  return index >= 0 && index < length ? index : undefined
}
