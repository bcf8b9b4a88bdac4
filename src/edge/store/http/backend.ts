// What does the server need from storage and writes? No more than this.

import type { Page, Query } from '../storage/page.ts'
import type { Change, Stored } from '../storage/stored.ts'
import type { Outcome } from '../values/status.ts'
import type {
  DeleteOptions,
  Patch,
  SentObject,
  WriteOptions,
  WriteTarget,
  Written,
} from '../write/asked.ts'

export type ReadObjects = {
  readonly revision: number
  /** The oldest revision that a watch can start from. */
  readonly oldest: number
  /** Why writes fail at the moment, in words for anybody. */
  readonly problem?: string | undefined
  get(resource: string, namespace: string, name: string): Stored | undefined
  list(query: Query): Page | 'expired' | 'future'
  watch(
    resource: string,
    from: number,
    sink: (change: Change) => void,
  ): (() => void) | 'expired' | 'future'
}

type Matches = ((stored: Stored) => boolean) | undefined
type Answer = Promise<Outcome<Written>>

export type Writes = {
  create(place: WriteTarget, sent: SentObject, options: WriteOptions): Answer
  replace(place: WriteTarget, sent: SentObject, options: WriteOptions): Answer
  patch(place: WriteTarget, patch: Patch, options: WriteOptions): Answer
  delete(place: WriteTarget, options: DeleteOptions): Answer
  /** Deletes what `matches` selects; undefined selects everything. */
  deleteCollection(place: WriteTarget, matches: Matches, options: DeleteOptions): Answer
}
