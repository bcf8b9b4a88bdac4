// What does a write ask for, and what is its result?
import type { JsonObject } from '../../../core/model/gate.ts'
import type { RequestedKind } from '../kinds/kinds.ts'
import type { Page } from '../storage/page.ts'
import type { Stored } from '../storage/stored.ts'
import type { FieldValidation } from './readObject.ts'

export type WriteTarget = {
  readonly found: RequestedKind
  /** '' for a cluster-scoped object. */
  readonly namespace: string
  /** '' for an object to be created. */
  readonly name: string
  readonly isStatus: boolean
  /** Its user has this namespace only. */
  readonly isBound?: true
  readonly person: { readonly user: string; readonly hasCertificate?: true }
}

export type SentObject = {
  readonly object: JsonObject
  /** Repeated fields in its text. */
  readonly duplicates: readonly string[]
}

export type WriteOptions = {
  readonly isDryRun: boolean
  readonly fieldManager: string
  readonly fieldValidation: FieldValidation
  /** Only for apply: takes over fields of other managers. */
  readonly isForced: boolean
}

export type Patch = {
  readonly type: 'json' | 'merge' | 'strategic' | 'apply'
  readonly value: unknown
  readonly duplicates: readonly string[]
}

export type DeleteOptions = {
  readonly isDryRun: boolean
  readonly gracePeriodSeconds: number | undefined
  readonly propagationPolicy: 'Foreground' | 'Background' | 'Orphan' | undefined
  readonly preconditions: {
    readonly uid: string | undefined
    readonly resourceVersion: string | undefined
  }
}

export type Written = {
  readonly code: 200 | 201 | 202
  readonly shows:
    | { readonly stored: Stored }
    | { readonly page: Page }
    | { readonly status: JsonObject }
  readonly warnings: readonly string[]
}
