// Where does the API serve a kind and its objects?

export type Resource = {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  /** Absent for all namespaces, or for a cluster-scoped kind. */
  readonly namespace?: string | undefined
  /** Limits lists and watches, for example with `fieldSelector`. */
  readonly selector?: Readonly<Record<string, string>>
}

/** The collection, an object in it, or a subresource such as its status. */
export function pathOf(resource: Resource, name?: string, subresource?: string): string {
  const { group, version, plural, namespace } = resource
  const root = group === '' ? '/api' : `/apis${below(group)}`
  const place = namespace === undefined ? '' : `/namespaces${below(namespace)}`
  return `${root}${below(version)}${place}${below(plural)}${below(name)}${below(subresource)}`
}

const below = (part: string | undefined): string =>
  part === undefined ? '' : `/${encodeURIComponent(part)}`
