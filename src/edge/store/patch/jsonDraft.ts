// How is a document changed step by step, by JSON pointers (RFC 6901)? In a copy of the original.
import { isRecord } from '../../kube/decode/fields.ts'

type Container = Record<string, unknown> | unknown[]
type DraftMember = { readonly parent: Container; readonly key: string }

/** Limits moved items: a patch could insert 10,000 times into a list of millions. */
const maxMoved = 100_000_000

/** Each step returns whether its path exists; after a failure the draft is useless. */
export class JsonDraft {
  #root: unknown
  /** Containers that are already copied and can be changed. */
  readonly #ours = new WeakSet<object>()
  #moved = 0

  constructor(root: unknown) {
    this.#root = root
  }

  get root(): unknown {
    return this.#root
  }

  /** A missing field reads as null, as in Kubernetes; a missing item fails. */
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

  /** In a list, inserts before the item with that index, or at the end with `-`. */
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

  /** The field need not exist, as in Kubernetes. */
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

  /** Copies the container at the end of a path and all above it. */
  #placeOf(path: string): DraftMember | undefined {
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

/** Plain assignment fails for a field called `__proto__`. */
const setField = (object: Record<string, unknown>, name: string, value: unknown): boolean =>
  Reflect.defineProperty(object, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })

/** Undefined if it is not a pointer. */
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

/** Negative indexes count from the end, as in Kubernetes. */
function indexIn(length: number, token: string): number | undefined {
  if (!/^[+-]?[0-9]+$/.test(token)) return undefined
  const index = Number(token) < 0 ? Number(token) + length : Number(token)
  return index >= 0 && index < length ? index : undefined
}
