// Where does the API serve a kind and its objects?

export type Resource = {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  /** Absent: all namespaces, or a kind that has none. */
  readonly namespace?: string
  /** Lists and watches only these, such as `fieldSelector`. */
  readonly selector?: Readonly<Record<string, string>>
}

/** The collection, an object in it, or a part of that object such as its status. */
export function pathOf(
  resource: Resource,
  name?: string,
  subresource?: string,
  namespace: string | undefined = resource.namespace,
): string {
  const { group, version, plural } = resource
  const root = group === '' ? ['api', version] : ['apis', group, version]
  const place = namespace === undefined ? [] : ['namespaces', namespace]
  const object = [name, subresource].filter((part) => part !== undefined)
  return `/${[...root, ...place, plural, ...object].map(encodeURIComponent).join('/')}`
}
