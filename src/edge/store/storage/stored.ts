// What is stored of an object? Its encoded bytes, and what it is searched by.

export type Stored = {
  /** See resourceOf. */
  readonly resource: string
  /** '' for an object of the whole cluster. */
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** Its resourceVersion. */
  readonly revision: number
  /** The object as JSON in the storage version, `kind` and `apiVersion` first. Not a view into a
   * larger buffer, which would stay in memory as a whole. */
  readonly bytes: Uint8Array
  readonly labels: Readonly<Record<string, string>>
  /** Values for field selectors besides name and namespace, by path. */
  readonly fields: Readonly<Record<string, string>>
  /** The uids of its owners. */
  readonly owners: readonly string[]
  /** Undefined if an older program stored it, and did not say. */
  readonly deletion?: Deletion | undefined
}

/** What the deletion of an object and its owners asks of each dependent: reading all of them for it
 * would take seconds. */
export type Deletion = {
  /** Whether it is being deleted, or the finalizer for which it waits for its dependents. */
  readonly going: 'no' | 'yes' | 'orphan' | 'foregroundDeletion'
  /** Positions in `owners` of those that wait for it. */
  readonly blocks: readonly number[]
}

/** One change of one object. */
export type Change = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly revision: number
  /** For DELETED the last state, with the revision of the deletion. */
  readonly stored: Stored
  readonly before: Stored | undefined
}
