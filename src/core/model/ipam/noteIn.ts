// Which objects of a kind are in a namespace? An index that has no empty entries.
export function noteIn(
  index: Map<string, Set<string>>,
  { namespace, key }: { readonly namespace: string; readonly key: string },
  isThere: boolean,
): void {
  const known = index.get(namespace) ?? new Set()
  if (isThere) known.add(key)
  else known.delete(key)
  if (known.size === 0) index.delete(namespace)
  else index.set(namespace, known)
}
