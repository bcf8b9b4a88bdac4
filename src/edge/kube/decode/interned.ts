// How is text kept once that thousands of objects repeat? What has been read lately is used again;
// how much that is has a bound, and forgetting costs nothing but a second copy.

const most = 4_096
const texts = new Map<string, string>()
const lists = new Map<string, readonly unknown[]>()
/** Longer lists are rarely alike, and what they are known by would take as much again. */
const mostItems = 8

type Plain = string | Readonly<Record<string, string | boolean>>

/** For what is longer than a word: shorter values the JSON parser itself keeps once. */
export function interned(text: string): string {
  return known(texts, text, () => text)
}

/**
 * namespace/name, which views of several kinds and many maps hold. V8 keeps one of each text that
 * has named a property, for as long as somebody holds it: no table of ours is needed.
 */
export function keyText(namespace: string, name: string): string {
  const key = `${namespace}/${name}`
  named[key] = true
  delete named[key]
  return key
}

const named: Record<string, true> = Object.create(null)

/** Exactly as long as it has to be: what is built item by item has room to grow. */
export function internedList<T extends Plain>(items: readonly T[]): readonly T[] {
  if (items.length > mostItems) return items.slice()
  return known(lists, JSON.stringify(items), () => items.slice()) as readonly T[]
}

function known<T>(table: Map<string, T>, key: string, make: () => T): T {
  const found = table.get(key)
  if (found !== undefined) return found
  if (table.size >= most) table.clear()
  const made = make()
  table.set(key, made)
  return made
}
