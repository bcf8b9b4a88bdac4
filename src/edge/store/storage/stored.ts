// What is kept of an object? Its encoded bytes, and beside them only what is searched by.

export type Stored = {
  /** See resourceOf. */
  readonly resource: string
  /** '' for an object of the whole cluster. */
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** Its resourceVersion: the revision that wrote it. */
  readonly revision: number
  /** The object as JSON in the version it is kept in, `kind` and `apiVersion` first. It is held as
   * it is given: a view into a larger buffer would keep that whole buffer in memory. */
  readonly bytes: Uint8Array
  readonly labels: Readonly<Record<string, string>>
  /** What a field selector may ask beside name and namespace, by path. */
  readonly fields: Readonly<Record<string, string>>
  /** The uids of its owners. */
  readonly owners: readonly string[]
}

/** In the order of their revisions: what happened to one object. */
export type Change = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly revision: number
  /** For DELETED the last state, under the revision of its deletion. */
  readonly stored: Stored
  readonly before: Stored | undefined
}
